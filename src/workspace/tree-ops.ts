import { lazy } from '../core/lazy.js'
import { FsError, hasCode, WorkspaceError } from '../errors/index.js'
import type { FileKind, FsStat } from '../types/fs.js'
import type { Access, Moved, PairOptions } from '../types/workspace.js'
import { type Wanted, withLocated } from './locking.js'
import type { Move } from './moving-across.js'
import { withParents } from './parents.js'
import { isWithin, joinPath } from './paths.js'
import type { Need } from './quota.js'
import { makeAside, type Storage } from './rename-into-place.js'
import { resolveLinks } from './resolve-links.js'
import { Slicer } from './slicer.js'
import { IS_OTHER, type Located, missing, refuseTwin, type View } from './state.js'
import type { VirtualFs } from './virtual-fs.js'
import { walkTree } from './walk.js'

const EVERYTHING = { hidden: true, ignore: false } as const

/** @throws {FsError} ENOENT; ENOTEMPTY without `recursive`; EBUSY for the root; EACCES if a rule protects an entry inside */
export async function remove(view: View, input: string, recursive: boolean): Promise<{ readonly path: string; readonly kind: FileKind }> {
  const op = 'remove'
  return withLocated(view, [{ input, op, follow: false }], async ([found]) => {
    const { path, stat } = await existing(view, found as Located, op)
    const { fs, quota } = view.tree
    const tree = stat.kind === 'dir' && recursive
    const need = await removalOf(view, path, stat, { op, tree })
    await quota.spend(need, () => (tree ? fs.rmTree(path) : stat.kind === 'dir' ? fs.rmdir(path) : fs.unlink(path)))
    return { path, kind: stat.kind }
  })
}

/** The space that a removal frees, as negative numbers. @throws {FsError} EBUSY for the root; EACCES if a rule protects an entry inside */
export async function removalOf(view: View, path: string, stat: FsStat, { op, tree }: { op: string; tree: boolean }): Promise<Need> {
  const { policy, quota } = view.tree
  refuseRoot(view, path, op)
  const below = tree && (policy.hasRules || quota.counting) ? await inspect(view, path, op, { access: ['write'] }) : NOTHING
  return { path, op, bytes: -below.bytes - fileBytes(stat), files: -below.files - 1 }
}

/** @throws {FsError} ENOENT, EEXIST unless `overwrite`, EINVAL into itself, EBUSY for the root */
export async function move(view: View, fromInput: string, toInput: string, options: PairOptions): Promise<Moved> {
  const op = 'move'
  const wanted = [fromInput, toInput].map((input) => ({ input, op, follow: false }))
  return withLocated(view, wanted, async ([source, dest]) => {
    const { path: from, stat } = await existing(view, source as Located, op)
    const { path: to, stat: replaced } = checkDest(view, dest as Located, from, stat.kind, options, op)
    if (from === to) return { from, to, kind: stat.kind, replaced: false }
    refuseRoot(view, from, op)
    checkKinds(dest as Located, from, stat.kind)
    if (replaced && stat.kind === 'symlink') await refuseOwnTarget(view, from, to, op)
    if (replaced?.kind === 'file' && options.ifWritable) await view.tree.fs.checkWrite(to)
    const { policy } = view.tree
    if (policy.hasRules) {
      // Check reading too: at the destination, other rules might allow reading a protected entry.
      await policy.check('read', from, op, view.scope)
      if (stat.kind === 'dir') await inspect(view, from, op, { access: ['read', 'write'], dest: to })
    }
    const need = { path: to, op, bytes: replaced ? -fileBytes(replaced) : 0, files: replaced ? -1 : 0 }
    await put(view, need, { from, replaced }, options, () => moveEntry(view.tree, { from, to, stat, replaced, signal: options.signal }))
    return { from, to, kind: stat.kind, replaced: replaced !== undefined }
  })
}

/** Copies links as links. Checks rules, quotas and sizes of all entries before it copies the first. @throws as `move`, ENOSPC, EFBIG */
export async function copy(
  view: View,
  fromInput: string,
  toInput: string,
  options: PairOptions,
): Promise<{ readonly from: string; readonly to: string }> {
  const op = 'copy'
  const wanted: Wanted[] = [
    { input: fromInput, op, follow: false, access: 'read' },
    { input: toInput, op, follow: false },
  ]
  return withLocated(view, wanted, async ([source, dest]) => {
    const { path: from, stat } = await existing(view, source as Located, op)
    const { path: to, stat: replaced } = checkDest(view, dest as Located, from, stat.kind, options, op)
    if (from === to) throw sameEntry(from, to, op)
    if (replaced && stat.kind === 'symlink') await refuseOwnTarget(view, from, to, op)
    if (replaced && stat.kind === 'dir') throw new FsError({ code: 'EEXIST', op, path: from, dest: to })
    if (replaced?.kind === 'dir') throw new FsError({ code: 'EISDIR', op, path: from, dest: to })
    if (stat.kind === 'file') view.tree.quota.checkFile(to, op, stat.size)
    const below = stat.kind === 'dir' ? await inspect(view, from, op, { access: ['read'], dest: to, checkFiles: true }) : NOTHING
    const bytes = below.bytes + fileBytes(stat) - (replaced ? fileBytes(replaced) : 0)
    const need = { path: to, op, bytes, files: below.files + (replaced ? 0 : 1) }
    await put(view, need, { from, replaced }, options, () => copyEntry(view.tree, from, to, stat, replaced, options.signal))
    return { from, to }
  })
}

interface Content {
  readonly bytes: number
  readonly files: number
}

const NOTHING: Content = { bytes: 0, files: 0 }

function fileBytes({ kind, size }: FsStat): number {
  return kind === 'file' ? size : 0
}

export async function existing({ tree }: View, found: Located, op: string): Promise<{ readonly path: string; readonly stat: FsStat }> {
  const { path, stat } = found
  if (!stat) throw await missing(tree.fs, path, op)
  return { path, stat }
}

function refuseRoot(view: View, path: string, op: string): void {
  if (path === view.tree.fs.root) throw new FsError({ code: 'EBUSY', op, path, detail: 'it is the root of the workspace' })
}

function checkDest(view: View, dest: Located, from: string, kind: FileKind, options: PairOptions, op: string): Located {
  const { path, stat } = dest
  if (dest.parsed.directory && !stat && kind !== 'dir') {
    throw new FsError({ code: 'ENOENT', op, path: from, dest: path, detail: `there is no directory "${path}"` })
  }
  if (from === path) return dest
  if (isWithin(path, from)) throw new FsError({ code: 'EINVAL', op, path: from, dest: path, detail: 'the destination is inside it' })
  if (stat && !options.overwrite) {
    const detail =
      stat.kind === 'dir' ? 'the destination is an existing directory: name the new path in full' : 'the destination already exists'
    throw new FsError({ code: 'EEXIST', op, path: from, dest: path, detail })
  }
  if (stat) refuseRoot(view, path, op)
  return dest
}

function sameEntry(from: string, to: string, op: string): FsError {
  return new FsError({ code: 'EINVAL', op, path: from, dest: to, detail: 'source and destination are the same' })
}

/** Refuses to replace the link's own target, or a link on the way to the target: the moved link would point to itself. */
async function refuseOwnTarget({ tree }: View, from: string, to: string, op: string): Promise<void> {
  const passed = new Set<string>()
  const steps = new Set<string>()
  let isRound = false
  const onLink = (path: string, rest: string): void => {
    isRound ||= steps.size === steps.add(`${path}/${rest}`).size
    passed.add(path)
  }
  const end = await resolveLinks(tree.fs, from, { follow: true, maxSymlinks: tree.maxSymlinks, onLink }).catch((error: unknown) => {
    // Dangling, outside or cyclic: `onLink` has seen every step. After any other error, the target is unknown.
    if (error instanceof WorkspaceError || hasCode(error, 'ENOTDIR', 'EINVAL') || (isRound && hasCode(error, 'ELOOP'))) return undefined
    throw error
  })
  if (end?.path === to || passed.has(to)) throw sameEntry(from, to, op)
}

/** Rejects a move between a directory and another kind. The check is here because storages differ in the error code if several apply. */
function checkKinds({ path, stat }: Located, from: string, kind: FileKind): void {
  if (stat && (stat.kind === 'dir') !== (kind === 'dir')) throw wrongKind(from, path, kind)
}

/** Returns the error for a move onto an entry that the move cannot replace. */
export function wrongKind(from: string, to: string, kind: FileKind): FsError {
  const [code, detail] =
    kind === 'dir' ? (['ENOTDIR', 'the destination is not a directory'] as const) : (['EISDIR', 'the destination is a directory'] as const)
  return new FsError({ code, op: 'move', path: from, dest: to, detail })
}

interface Sides {
  readonly from: string
  readonly replaced: FsStat | undefined
}

async function put(view: View, need: Need, { from, replaced }: Sides, options: PairOptions, body: () => Promise<void>): Promise<void> {
  if (!replaced && options.distinct) await refuseTwin(view.tree.fs, need.path, need.op, from)
  await (replaced || options.parents === false ? view.tree.quota.spend(need, body) : withParents(view.tree, need, body))
}

interface Inspection {
  /** Kinds of access to check for each entry at the source. */
  readonly access: readonly Access[]
  /** Where the entries will be after the operation. */
  readonly dest?: string
  /** Check the size limit of each file. */
  readonly checkFiles?: boolean
}

/** Counts the content of a directory and checks the path rules for each entry, at the source and at the destination. */
async function inspect(view: View, path: string, op: string, { access, dest, checkFiles = false }: Inspection): Promise<Content> {
  const { fs, host, policy, quota } = view.tree
  let bytes = 0
  let files = 0
  for await (const run of walkTree(fs, host, path, EVERYTHING)) {
    for (const entry of run) {
      files++
      const target = dest === undefined ? undefined : dest + entry.path.slice(path.length)
      if (entry.kind === 'file') {
        const size = entry.size ?? (await fs.lstat(entry.path)).size
        bytes += size
        if (checkFiles) quota.checkFile(target ?? entry.path, op, size)
      }
      if (!policy.hasRules) continue
      for (const kind of access) await policy.check(kind, entry.path, op, view.scope)
      if (target !== undefined) await policy.check('write', target, op, view.scope)
    }
  }
  return { bytes, files }
}

/** Loads on first use: most workspaces have a single storage. */
const across = lazy(() => import('./moving-across.js'))

/** Moves an entry with `rename`. Between two storages (EXDEV), copies the entry and then removes the original. */
async function moveEntry(storage: Storage, move: Move): Promise<void> {
  try {
    await storage.fs.rename(move.from, move.to)
  } catch (error) {
    if (!hasCode(error, 'EXDEV')) throw error
    const { moveAcross } = await across()
    await moveAcross(storage, move)
  }
}

/** Estimated cost of copying one entry, in microseconds. */
const STEPS = 16

/** Copies a file or link over a file or link, or a directory to an unused path. Removes the partial copy after a failure. */
async function copyEntry(
  storage: Storage,
  from: string,
  to: string,
  stat: FsStat,
  replaced: FsStat | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { fs, host } = storage
  if (stat.kind !== 'dir') {
    const make = async (at: string): Promise<void> => (stat.kind === 'file' ? fs.copy(from, at) : fs.symlink(await fs.readlink(from), at))
    // `fs.copy` would write through a link at the destination, so create the entry aside and rename it.
    const isReplaced = replaced && (stat.kind === 'symlink' || replaced.kind === 'symlink')
    return isReplaced ? makeAside(storage, to, make) : make(to)
  }
  try {
    await copyDirectory(fs, from, to, new Slicer(host, { signal }), signal)
  } catch (error) {
    // Ignore errors of the cleanup, so that the caller gets the first error.
    await fs.rmTree(to).catch(() => undefined)
    throw error
  }
}

async function copyDirectory(fs: VirtualFs, from: string, to: string, slicer: Slicer, signal: AbortSignal | undefined): Promise<void> {
  await fs.mkdir(to)
  for (const { name, kind } of await fs.readdir(from)) {
    signal?.throwIfAborted()
    const [source, dest] = [joinPath(from, name), joinPath(to, name)]
    if (kind === 'dir') await copyDirectory(fs, source, dest, slicer, signal)
    else if (kind === 'file') await fs.copy(source, dest)
    else if (kind === 'other') throw new FsError({ code: 'ENOTSUP', op: 'copy', path: source, dest, detail: IS_OTHER })
    else await fs.symlink(await fs.readlink(source), dest)
    if (slicer.due(STEPS)) await slicer.pause()
  }
}
