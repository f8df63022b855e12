import { FsError, hasCode, ignoreCodes } from '../../src/errors/index.js'
import { decodeUtf8 } from '../../src/ops/utf8.js'
import type { Workspace } from '../../src/types/workspace.js'
import { joinPath } from '../../src/workspace/paths.js'
import { isTrue, parseConfig } from './config-file.js'

/** Extensions of a repository that have no effect here (https://git-scm.com/docs/repository-version). */
const HARMLESS: ReadonlySet<string> = new Set(['noop', 'preciousobjects', 'worktreeconfig'])
/** Mandatory extensions of an index (gitformat-index). The library would drop them when it writes the index. */
const PARTS: Readonly<Record<string, string>> = { link: 'split (core.splitIndex)', sdir: 'sparse' }

/** The state of the repository, as the check has read it. */
export interface Supported {
  /** Config values by `section.key`, in lower case. */
  readonly config: ReadonlyMap<string, string>
  /** Object ids of the files in the index, by path. */
  readonly staged: () => ReadonlyMap<string, string>
  /** The stages of each conflicted path: 1 common ancestor, 2 ours, 3 theirs. */
  readonly conflicts: () => Promise<ReadonlyMap<string, ReadonlySet<number>>>
  /** The unfinished operation of git, such as `a merge`. */
  readonly underWay: string | undefined
  /** Whether another git is writing the index, or was interrupted while writing it. */
  readonly isLocked: boolean
  /** Whether other worktrees have branches of this repository checked out. */
  readonly hasWorktrees: boolean
}

/** Configuration values: `below` have lower, `above` higher priority than those of the repository. */
export interface Settings {
  readonly below?: ReadonlyMap<string, string>
  readonly above?: ReadonlyMap<string, string>
}

const BEGUN: readonly (readonly [name: string, what: string])[] = [
  ['MERGE_HEAD', 'a merge'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase'],
]

/**
 * Checks that the library supports this repository. The library knows SHA-1 and index versions 2 and 3. When it writes, it drops data that
 * it does not know, so native git could no longer read the repository.
 *
 * @throws {FsError} ENOTSUP with the reason
 */
export async function checkSupported(
  workspace: Workspace,
  dir: string,
  { below = new Map(), above = new Map() }: Settings,
): Promise<Supported> {
  const read = async (name: string): Promise<Uint8Array | undefined> => {
    return (await workspace.readBytes(joinPath(dir, `.git/${name}`)).catch(ignoreCodes('ENOENT', 'ENOTDIR')))?.bytes
  }
  const valuesOf = async (name: string): Promise<[string, string][]> => parseConfig(latin1.decode(await read(name)))
  // Before `init`, there is no `.git`.
  const own = new Map((await workspace.list(joinPath(dir, '.git')).catch(noDirectory)).map(({ name, kind }) => [name, kind]))
  const repository = new Map(await valuesOf('config'))
  const ofWorktree = isTrue(repository.get('extensions.worktreeconfig') ?? 'no') ? await valuesOf('config.worktree') : []
  const config = new Map([...below, ...repository, ...ofWorktree, ...above])
  const index = await read('index')
  const unsupported =
    (own.get('HEAD') === 'symlink'
      ? 'its HEAD is a symbolic link, which is not supported: git symbolic-ref HEAD "$(git symbolic-ref HEAD)"'
      : undefined) ??
    ofConfig(config) ??
    ofIndex(index) ??
    ((await read('objects/info/alternates')) &&
      'it borrows objects of another one (objects/info/alternates), which is not supported: git repack -ad')
  if (unsupported !== undefined) throw new FsError({ code: 'ENOTSUP', op: 'use the repository', path: dir, detail: unsupported })
  let staged: Map<string, string> | undefined
  return {
    config,
    underWay: BEGUN.find(([name]) => own.has(name))?.[1],
    isLocked: own.has('index.lock'),
    hasWorktrees: own.has('worktrees'),
    staged: () => {
      const files = staged || !index ? [] : [...entriesOf(index)].filter(({ isSubmodule }) => !isSubmodule)
      staged ??= new Map(files.map(({ path, oid }) => [path() ?? '', oid()]))
      return staged
    },
    conflicts: async () => conflictsOf(await read('index')),
  }
}

function conflictsOf(index: Uint8Array | undefined): Map<string, Set<number>> {
  const conflicts = new Map<string, Set<number>>()
  for (const { path, flags } of index ? entriesOf(index) : []) {
    const stage = (flags & STAGE) >> 12
    const name = stage === 0 ? undefined : path()
    if (name !== undefined) conflicts.set(name, (conflicts.get(name) ?? new Set()).add(stage))
  }
  return conflicts
}

/** Decodes configuration files. Keys and relevant values are ASCII, but user names may have any encoding. */
const latin1 = new TextDecoder('latin1')

function noDirectory(error: unknown): [] {
  if (hasCode(error, 'ENOENT', 'ENOTDIR')) return []
  throw error
}

/** Settings that change which content is stored, written or ignored, but that the library does not know. */
const UNKNOWN: Readonly<Record<string, string>> = {
  'core.worktree': 'its files are elsewhere (core.worktree)',
  'core.attributesfile': 'its attributes are elsewhere (core.attributesFile)',
  'core.excludesfile': 'what it ignores is elsewhere (core.excludesFile)',
}

function ofConfig(config: ReadonlyMap<string, string>): string | undefined {
  const version = Number(config.get('core.repositoryformatversion') ?? 0)
  if (version > 1) return `its format has version ${version}, which is not supported`
  for (const [key, value] of config) {
    const extension = /^extensions\.(.*)$/.exec(key)?.[1]
    if (extension === 'objectformat' && value !== 'sha1') return `its objects are named by ${value}, and only sha1 is supported`
    if (extension !== undefined && extension !== 'objectformat' && !HARMLESS.has(extension))
      return `it uses the extension "${extension}" (${value}), which is not supported`
    if (/^include(?:if\..*)?\.path$/.test(key)) return `it includes other settings (${key}), which is not supported`
    if (UNKNOWN[key] !== undefined && value !== '') return `${UNKNOWN[key]}, which is not supported`
  }
  if (isTrue(config.get('core.sparsecheckout') ?? 'no'))
    return 'it is a sparse checkout, which is not supported: git sparse-checkout disable'
  if (isTrue(config.get('core.safecrlf') ?? 'no')) return 'core.safecrlf is not supported'
  return undefined
}

const HEADER = 12
const ENTRY = 62
/** Number of bytes of an object id, and of the checksum at the end. */
const OID = 20
const MARK = 0x44495243
const EXTENDED = 0x4000
const ASSUME_UNCHANGED = 0x8000
const STAGE = 0x3000
/** Offset of the mode in an entry. */
const MODE = 24
const SKIP_WORKTREE = 0x4000

interface IndexEntry {
  /** Returns the path, or undefined if the path is not UTF-8. */
  readonly path: () => string | undefined
  readonly flags: number
  /** Extended flags, which entries have only from version 3 of the index on. */
  readonly moreFlags: number
  readonly oid: () => string
  readonly isSubmodule: boolean
  /** Offset of the next entry. */
  readonly end: number
}

/** Yields the entries of an index of version 2 or 3, up to the first damage. The library itself reports damage. */
function* entriesOf(bytes: Uint8Array): Generator<IndexEntry> {
  if (bytes.length < HEADER) return
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const version = view.getUint32(4)
  if (view.getUint32(0) !== MARK || (version !== 2 && version !== 3)) return
  let at = HEADER
  for (let left = view.getUint32(8); left > 0 && at + ENTRY <= bytes.length; left--) {
    const flags = view.getUint16(at + ENTRY - 2)
    const name = at + (flags & EXTENDED ? ENTRY + 2 : ENTRY)
    const short = flags & 0xfff
    const nameEnd = short < 0xfff ? name + short : bytes.indexOf(0, name)
    const oid = bytes.subarray(at + ENTRY - 2 - OID, at + ENTRY - 2)
    const isSubmodule = view.getUint32(at + MODE) >> 12 === 0o16
    at += (nameEnd - at + 8) & ~7
    const path = (): string | undefined => decodeUtf8(bytes.subarray(name, nameEnd))
    yield { path, flags, moreFlags: flags & EXTENDED ? view.getUint16(name - 2) : 0, oid: () => hex(oid), isSubmodule, end: at }
  }
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

function ofIndex(bytes: Uint8Array | undefined): string | undefined {
  if (!bytes || bytes.length < HEADER) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(0) === MARK && view.getUint32(4) === 4)
    return 'its index has version 4, which is not supported: git update-index --index-version 2'
  const entries = [...entriesOf(bytes)]
  if (entries.length < view.getUint32(8)) return undefined
  const passedOver = entries.find(({ flags, moreFlags }) => flags & ASSUME_UNCHANGED || moreFlags & SKIP_WORKTREE)
  if (passedOver) {
    const option = passedOver.flags & ASSUME_UNCHANGED ? 'no-assume-unchanged' : 'no-skip-worktree'
    return `git is told to pass over "${passedOver.path()}" in it, which is not supported: git update-index --${option} <file>`
  }
  if (entries.some(({ path }) => path() === undefined)) return 'it has a name that is not UTF-8, which is not supported'
  if (bytes.subarray(-OID).every((byte) => byte === 0)) return 'its index has no checksum (index.skipHash), which is not supported'
  let at = entries.at(-1)?.end ?? HEADER
  while (at + 8 <= bytes.length - OID) {
    const name = String.fromCharCode(...bytes.subarray(at, at + 4))
    // Extensions whose name begins with a capital letter are optional.
    if (!/^[A-Z]/.test(name)) return `its index is ${PARTS[name] ?? `of a kind ("${name}") that is not known`}, which is not supported`
    at += 8 + view.getUint32(at + 4)
  }
  return undefined
}
