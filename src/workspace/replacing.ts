import { FsError, hasCode } from '../errors/index.js'
import type { Workspace } from '../types/workspace.js'
import { freeName, makeAside } from './aside.js'
import { linkTarget } from './links.js'
import { withLocated } from './locking.js'
import { checkLinkTarget, parentPath } from './paths.js'
import { type Located, missing, type View, viewOf } from './state.js'
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
