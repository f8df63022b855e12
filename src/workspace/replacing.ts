import { FsError, hasCode } from '../errors/index.js'
import type { Workspace } from '../types/workspace.js'
import { freeName, makeAside } from './aside.js'
import { linkTarget } from './links.js'
import { withLocated } from './locking.js'
import { checkLinkTarget, parentPath } from './paths.js'
import { type Located, missing, viewOf } from './state.js'

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

/** A file or link that waits for its removal under another name. */
export interface SetAside {
  /** Takes its name away. */
  readonly go: () => Promise<void>
  /** Gives it back: it is the same file to its owner and its other names. False: it is not aside. */
  readonly back: () => Promise<boolean>
  /** Removes it for good. */
  readonly drop: () => Promise<void>
}

/** For a removal that may have to be undone. Nobody else may use the name meanwhile. @throws {FsError} ENOENT, EISDIR */
export async function setAside(workspace: Workspace, input: string): Promise<SetAside> {
  const op = 'remove'
  const view = viewOf(workspace)
  return withLocated(view, [{ input, op, follow: false }], async ([found]) => {
    const { path, stat } = found as Located
    const { fs, host, quota } = view.tree
    if (!stat) throw await missing(fs, path, op)
    if (stat.kind === 'dir') throw new FsError({ code: 'EISDIR', op, path })
    const look = (at: string): Promise<unknown> => fs.lstat(at)
    const aside = await freeName(parentPath(path), host, look)
    const need = { path, op, bytes: stat.kind === 'file' ? -stat.size : 0, files: -1 }
    const said = (error: unknown): unknown => {
      if (!FsError.is(error)) return error
      const { code, detail, cause } = error
      return new FsError({ code, op, path, ...(detail !== undefined && { detail }), cause })
    }
    return {
      async go() {
        await fs.rename(path, aside).catch((error: unknown) => Promise.reject(said(error)))
      },
      async back() {
        const isThere = await look(aside).then(
          () => true,
          (error: unknown) => {
            if (!hasCode(error, 'ENOENT')) throw error
            return false
          },
        )
        if (isThere) await fs.rename(aside, path)
        return isThere
      },
      async drop() {
        await quota.spend(need, () => fs.unlink(aside)).catch((error: unknown) => Promise.reject(said(error)))
      },
    }
  })
}
