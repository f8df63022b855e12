import { FsError } from '../errors/index.js'
import type { Workspace } from '../types/workspace.js'
import { freeName, makeAside } from './aside.js'
import { viewOf } from './create-workspace.js'
import { linkTarget } from './links.js'
import { withLocated } from './locking.js'
import { checkLinkTarget, parentPath } from './paths.js'
import type { Located, View } from './state.js'
import { lookUp } from './tree-changes/steps.js'
import { existing, removalOf, remove } from './tree-ops.js'

/** A file, or a link. */
export type NewEntry = { readonly content: Uint8Array } | { readonly target: string }

/**
 * Puts a new file or link where nothing, a file or a link is, in one step, and never writes through a link. What cannot be made leaves
 * what is there. @throws {FsError} EISDIR, ENOENT for the parent, EFBIG, ENOSPC; {WorkspaceError} `symlink_escape`
 */
export async function replaceEntry(workspace: Workspace, input: string, entry: NewEntry): Promise<void> {
  const op = 'write'
  const view = viewOf(workspace)
  await withLocated(view, [{ input, op, follow: false }], async ([found]) => {
    const { path, stat } = found as Located
    const { fs, quota } = view.tree
    if (stat?.kind === 'dir') throw new FsError({ code: 'EISDIR', op, path })
    const bytes = 'content' in entry ? entry.content.length : 0
    if ('content' in entry) quota.checkFile(path, op, bytes)
    else {
      checkLinkTarget(entry.target)
      linkTarget(fs, path, entry.target, 'make')
    }
    const make = (at: string): Promise<void> =>
      'content' in entry ? fs.write(at, entry.content, { create: 'exclusive' }) : fs.symlink(entry.target, at)
    const need = { path, op, bytes: bytes - (stat?.kind === 'file' ? stat.size : 0), files: stat ? 0 : 1 }
    await quota.spend(need, () => (stat ? makeAside(view.tree, path, make) : make(path)))
  })
}

/**
 * Makes something of another kind where a file, a link or a directory with all that is in it is: that waits under a free name beside it until the
 * new one is whole, and comes back when it cannot be made. The workspace holds the lock of the path. @throws as `remove`; what `make` throws
 */
export async function replaceTree(workspace: Workspace, input: string, make: () => Promise<void>): Promise<void> {
  const op = 'replace'
  const view = viewOf(workspace)
  await withLocated(view, [{ input, op, follow: false }], async ([found]) => {
    const { path, stat } = await existing(view, found as Located, op)
    const { fs, host, quota } = view.tree
    const need = await removalOf(view, path, stat, { op, tree: stat.kind === 'dir' })
    const aside = await freeName(parentPath(path), host, (name) => fs.lstat(name))
    try {
      await fs.rename(path, aside)
      await make()
    } catch (error) {
      await putBack(view, aside, path, error)
      throw error
    }
    await quota.spend(need, () => fs.rmTree(aside)).catch((error: unknown) => leftAside(view, aside, path, error))
  })
}

/** @throws {FsError} that names where it is, when it cannot come back */
async function putBack(view: View, aside: string, path: string, cause: unknown): Promise<void> {
  const { fs } = view.tree
  try {
    if (!(await lookUp(fs, aside))) return
    if (await lookUp(fs, path)) await remove(view, path, true)
    await fs.rename(aside, path)
  } catch (error) {
    const why = cause instanceof Error ? cause.message : String(cause)
    const detail = `it failed (${why}), and what was there could not be put back: move "${aside}" to "${path}"`
    throw new FsError({ code: FsError.is(error) ? error.code : 'EIO', op: 'replace', path, detail, cause })
  }
}

/** Everything is done but for this: once more, and then it is said where it is. */
async function leftAside({ tree: { fs } }: View, aside: string, path: string, cause: unknown): Promise<void> {
  await fs.rmTree(aside).catch(() => undefined)
  if (!(await lookUp(fs, aside).catch(() => true))) return
  const detail = `it is replaced, and what was there could not be removed: remove "${aside}"`
  throw new FsError({ code: FsError.is(cause) ? cause.code : 'EIO', op: 'replace', path, detail, cause })
}
