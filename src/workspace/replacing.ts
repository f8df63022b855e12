import { FsError } from '../errors/index.js'
import type { Workspace } from '../types/workspace.js'
import { makeAside } from './aside.js'
import { viewOf } from './create-workspace.js'
import { linkTarget } from './links.js'
import { withLocated } from './locking.js'
import { checkLinkTarget } from './paths.js'
import type { Located } from './state.js'

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
