import { FsError, hasCode } from '../../src/errors/index.js'
import { decodeUtf8 } from '../../src/ops/utf8.js'
import type { Workspace } from '../../src/types/workspace.js'
import { joinPath } from '../../src/workspace/paths.js'
import { isTrue } from './line-endings.js'

/** Extensions of a repository that change nothing here (https://git-scm.com/docs/repository-version). */
const HARMLESS: ReadonlySet<string> = new Set(['noop', 'preciousobjects'])
/** Parts of an index that nobody may pass over (gitformat-index): the library would write it again without them. */
const PARTS: Readonly<Record<string, string>> = { link: 'split (core.splitIndex)', sdir: 'sparse' }

/** What was read of the repository to say so. */
export interface Supported {
  /** Its values by `section.key`, in small letters. */
  readonly config: ReadonlyMap<string, string>
  /** The objects of the index by path. */
  readonly staged: () => ReadonlyMap<string, string>
}

/**
 * Whether the library reads and writes what this repository is made of. It knows SHA-1 and the versions 2 and 3 of the index, and leaves out what it does
 * not know when it writes, which native git then cannot read.
 *
 * @throws {FsError} ENOTSUP with the reason
 */
export async function checkSupported(workspace: Workspace, dir: string): Promise<Supported> {
  const refuse = (why: string): FsError => new FsError({ code: 'ENOTSUP', op: 'use the repository', path: dir, detail: why })
  const read = async (name: string): Promise<Uint8Array | undefined> => {
    try {
      return (await workspace.readBytes(joinPath(dir, `.git/${name}`))).bytes
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined
      throw error
    }
  }
  const config = parseConfig(decodeUtf8((await read('config')) ?? new Uint8Array()) ?? '')
  const index = await read('index')
  const unsupported = ofConfig(config) ?? ofIndex(index)
  if (unsupported !== undefined) throw refuse(unsupported)
  let staged: Map<string, string> | undefined
  return {
    config,
    staged: () => {
      staged ??= new Map(index && [...entriesOf(index)].map(({ path, oid }) => [path(), oid()]))
      return staged
    },
  }
}

function ofConfig(config: ReadonlyMap<string, string>): string | undefined {
  const version = Number(config.get('core.repositoryformatversion') ?? 0)
  if (version > 1) return `its format has version ${version}, which is not supported`
  for (const [key, value] of config) {
    const extension = /^extensions\.(.*)$/.exec(key)?.[1]
    if (extension === 'objectformat' && value !== 'sha1') return `its objects are named by ${value}, and only sha1 is supported`
    if (extension !== undefined && extension !== 'objectformat' && !HARMLESS.has(extension))
      return `it uses the extension "${extension}" (${value}), which is not supported`
  }
  if (isTrue(config.get('core.sparsecheckout') ?? 'no'))
    return 'it is a sparse checkout, which is not supported: git sparse-checkout disable'
  if (config.has('core.attributesfile')) return 'its attributes are elsewhere (core.attributesFile), which is not supported'
  if (isTrue(config.get('core.safecrlf') ?? 'no')) return 'core.safecrlf is not supported'
  if (config.has('core.worktree')) return 'its files are elsewhere (core.worktree), which is not supported'
  return undefined
}

/** Values by `section.key`; of a section with a subsection nothing is asked. */
function parseConfig(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  let section = ''
  for (const line of text.split('\n')) {
    const head = /^\s*\[\s*([-.\w]+)\s*(?:"(?:[^"\\]|\\.)*"\s*)?\]/.exec(line)
    if (head) section = line.includes('"') && /"\s*\]/.test(line) ? '' : (head[1] as string)
    const [, key, value = ''] =
      /^\s*([A-Za-z][-A-Za-z0-9]*)\s*(?:=\s*(.*?))?\s*(?:[#;].*)?$/.exec(head ? line.slice(head[0].length) : line) ?? []
    if (key && section) values.set(`${section}.${key}`.toLowerCase(), value.replaceAll('"', ''))
  }
  return values
}

const HEADER = 12
const ENTRY = 62
/** Of an id and of the sum at the end. */
const OID = 20
const MARK = 0x44495243
const EXTENDED = 0x4000

interface IndexEntry {
  readonly path: () => string
  readonly oid: () => string
  /** Where the next one begins. */
  readonly end: number
}

/** The entries of an index of version 2 or 3 as far as it is whole: what is damaged the library says. */
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
    at += (nameEnd - at + 8) & ~7
    yield { path: () => decodeUtf8(bytes.subarray(name, nameEnd)) ?? '', oid: () => hex(oid), end: at }
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
  let at = entries.at(-1)?.end ?? HEADER
  while (at + 8 <= bytes.length - OID) {
    const name = String.fromCharCode(...bytes.subarray(at, at + 4))
    // Those that begin with a capital letter may be dropped.
    if (!/^[A-Z]/.test(name)) return `its index is ${PARTS[name] ?? `of a kind ("${name}") that is not known`}, which is not supported`
    at += 8 + view.getUint32(at + 4)
  }
  return undefined
}
