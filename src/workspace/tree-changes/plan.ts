import { FsError, hasCode } from '../../errors/index.js'
import type { EntryImage, TreeChange } from '../../types/checkpoint.js'
import { parentPath } from '../paths.js'
import type { Need } from '../quota.js'
import { Slicer } from '../slicer.js'
import type { View } from '../state.js'

/**
 * A step that creates, replaces or removes the entry at one path. Without `from`, the path is empty before the step; without `to`, after
 * it. Replacing a directory by another kind takes two steps.
 */
export interface Step {
  readonly path: string
  readonly from?: EntryImage
  readonly to?: EntryImage
}

/** The steps in the order of execution. */
export interface Plan {
  /** Directories to make writable before their content changes. */
  readonly opening: readonly Step[]
  /** Old entries in the way of new ones. */
  readonly clearing: readonly Step[]
  /** The new entries: a directory before its content. */
  readonly putting: readonly Step[]
  /** Entries to remove. This is the last group except for the modes, so that a crash loses nothing. */
  readonly removing: readonly Step[]
  /** Permission bits to set, innermost first, because a directory may forbid changes to its content. */
  readonly modes: readonly Step[]
  readonly need: Need
}

/** The effect of one change on quotas. */
export function weight(step: Step): { readonly bytes: number; readonly files: number } {
  return { bytes: bytesOf(step.to) - bytesOf(step.from), files: (step.to ? 1 : 0) - (step.from ? 1 : 0) }
}

/**
 * Checks that all changes are allowed, and orders them. Changes nothing.
 *
 * @throws {FsError} EROFS, EACCES, EFBIG, ENOTSUP, EBUSY (the root), ENOTDIR (a parent); {PolicyError} `approval_required`; the signal's
 * reason
 */
export async function planChanges(view: View, changes: readonly TreeChange[], op: string, signal: AbortSignal | undefined): Promise<Plan> {
  const slicer = new Slicer(view.tree.host, { signal })
  const sorted = [...changes].sort((a, b) => (a.path < b.path ? -1 : 1))
  for (const change of sorted) {
    await check(view, change, op)
    if (slicer.due(4)) await slicer.pause()
  }
  const all = [...(await missingParents(view, sorted, op)), ...sorted].sort((a, b) => (a.path < b.path ? -1 : 1))
  signal?.throwIfAborted()
  return order(all, op, view.tree.fs.adapter.can.caseSensitive)
}

async function check(view: View, { path, before, after }: TreeChange, op: string): Promise<void> {
  const { fs, policy, quota } = view.tree
  if (policy.readOnly) throw new FsError({ code: 'EROFS', op, path })
  if (path === fs.root && (before?.kind !== 'dir' || after?.kind !== 'dir')) {
    throw new FsError({ code: 'EBUSY', op, path, detail: 'it is the root of the workspace' })
  }
  if (policy.hasRules) await policy.check('write', path, op, view.scope)
  if (after?.kind === 'file') quota.checkFile(path, op, after.size)
  if (after?.kind === 'symlink' && !fs.adapter.symlink) {
    throw new FsError({ code: 'ENOTSUP', op, path, detail: 'the storage keeps no links' })
  }
}

/**
 * Returns changes that create missing parents of new entries. Parents are missing if, for example, only a part of a removed directory is
 * restored.
 */
async function missingParents(view: View, changes: readonly TreeChange[], op: string): Promise<TreeChange[]> {
  const known = new Set([view.tree.fs.root, ...changes.map(({ path }) => path)])
  const missing: TreeChange[] = []
  for (const { path, before, after } of changes) {
    if (before || !after) continue
    for (let folder = parentPath(path); !known.has(folder); folder = parentPath(folder)) {
      known.add(folder)
      if (await isDirectory(view, folder, op)) break
      missing.push({ path: folder, after: { kind: 'dir', size: 0 } })
    }
  }
  return missing
}

async function isDirectory(view: View, path: string, op: string): Promise<boolean> {
  try {
    const { kind } = await view.tree.fs.lstat(path)
    if (kind === 'dir') return true
    throw new FsError({ code: 'ENOTDIR', op, path, detail: `it is a ${kind === 'file' ? 'file' : 'link'} now, but a directory is needed` })
  } catch (error) {
    // The path is below a file. The caller's loop climbs up to the file, and that error names the file.
    if (hasCode(error, 'ENOENT') || (hasCode(error, 'ENOTDIR') && error.detail === undefined)) return false
    throw error
  }
}

function order(sorted: readonly TreeChange[], op: string, caseSensitive: boolean): Plan {
  const plan = { opening: [] as Step[], clearing: [] as Step[], putting: [] as Step[], removing: [] as Step[], modes: [] as Step[] }
  const need = { path: sorted[0]?.path ?? '/', op, bytes: 0, files: 0 }
  /** Directories to remove before anything is created. */
  const cleared = new Set<string>()
  for (const { path, before, after } of sorted) {
    const { bytes, files } = weight({ path, ...(before && { from: before }), ...(after && { to: after }) })
    need.bytes += bytes
    need.files += files
    const [wasDir, isDir] = [before?.kind === 'dir', after?.kind === 'dir']
    const stays = before && after && wasDir === isDir
    if (before && !stays) {
      // A storage that ignores case treats `A` and `a` as one entry: removing `a` after `A` was created would remove the new entry. So
      // remove first.
      const first = after !== undefined || !caseSensitive || cleared.has(parentPath(path))
      plan[first ? 'clearing' : 'removing'].push({ path, from: before })
      if (first && wasDir) cleared.add(path)
    }
    if (after && (!stays || !isDir)) plan.putting.push({ path, ...(stays && { from: before }), to: after })
    if (after) addMode(plan, { path, ...(stays && { from: before }), to: after })
  }
  return { ...plan, clearing: plan.clearing.reverse(), removing: plan.removing.reverse(), modes: plan.modes.reverse(), need }
}

const OWNER_WRITES = 0o200

function addMode({ opening, modes }: { readonly opening: Step[]; readonly modes: Step[] }, step: Step): void {
  const { from, to } = step
  if (to?.mode === undefined || to.kind === 'symlink' || from?.mode === to.mode) return
  const opens = from?.mode !== undefined && to.kind === 'dir' && (from.mode & OWNER_WRITES) === 0
  ;(opens ? opening : modes).push(step)
}

function bytesOf(image: EntryImage | undefined): number {
  return image?.kind === 'file' ? image.size : 0
}
