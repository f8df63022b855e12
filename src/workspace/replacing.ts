import { FsError } from '../errors/index.js'
import type { FsStat } from '../types/fs.js'
import type { Workspace } from '../types/workspace.js'
import { withLocated } from './locking.js'
import { checkLinkTarget } from './parse-path.js'
import { parentPath } from './paths.js'
import { freeName, makeAside } from './rename-into-place.js'
import { linkTarget } from './resolve-links.js'
import { type Located, type View, viewOf } from './state.js'
import { lookUp } from './tree-changes/steps.js'
import { existing, removalOf, remove } from './tree-ops.js'

/** A file with its content, or a link with its target. */
export type NewEntry = { readonly content: Uint8Array } | { readonly target: string }

/**
 * Atomically creates a file or link, in place of a file, a link or nothing. Never writes through a link. On failure the old entry stays.
 * @throws {FsError} EISDIR, ENOENT for the parent, EFBIG, ENOSPC; {WorkspaceError} `symlink_escape`
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

/** A removed entry that has a temporary name in the same directory until the removal is final. */
export interface SetAside {
  /** The temporary path. */
  readonly at: string
  /** Moves the entry to the temporary name. */
  readonly go: () => Promise<void>
  /**
   * Moves the entry back, replacing any new entry of that name. Because it is a rename, the entry stays the same file (owner, hard links).
   * @returns false if the entry was not moved away
   * @throws {FsError} that names the temporary path, if it cannot be moved back
   */
  readonly back: (cause: unknown) => Promise<boolean>
  /** Removes the entry, with one retry. @throws the error; then it can still be restored */
  readonly drop: () => Promise<void>
}

/** Prepares a removal that can be undone. The caller must make sure that nobody else uses the name. @throws {FsError} ENOENT, EISDIR */
export async function setAside(workspace: Workspace, input: string): Promise<SetAside> {
  return located(workspace, input, 'remove', (view, path, stat) => {
    if (stat.kind === 'dir') throw new FsError({ code: 'EISDIR', op: 'remove', path })
    return asideOf(view, path, stat, 'remove')
  })
}

/**
 * Replaces a file, a link or a directory tree by a new entry of any kind, which `make` creates. Until the new entry is complete, the old
 * entry has a temporary name. A failure restores the old entry. The workspace holds the lock of the path. @throws as `remove`, and errors
 * of `make`
 */
export async function replaceTree(workspace: Workspace, input: string, make: () => Promise<void>): Promise<void> {
  await located(workspace, input, 'replace', async (view, path, stat) => {
    const aside = await asideOf(view, path, stat, 'replace')
    try {
      await aside.go()
      await make()
    } catch (error) {
      await aside.back(error)
      throw error
    }
    await aside.drop().catch((error: unknown) => {
      throw saidOf(path, 'replace', error, `it was replaced, but the old entry could not be removed: remove "${aside.at}"`)
    })
  })
}

async function located<T>(
  workspace: Workspace,
  input: string,
  op: string,
  body: (view: View, path: string, stat: FsStat) => Promise<T>,
): Promise<T> {
  const view = viewOf(workspace)
  return withLocated(view, [{ input, op, follow: false }], async ([found]) => {
    const { path, stat } = await existing(view, found as Located, op)
    return body(view, path, stat)
  })
}

async function asideOf(view: View, path: string, stat: FsStat, op: string): Promise<SetAside> {
  const { fs, host, quota } = view.tree
  const need = await removalOf(view, path, stat, { op, tree: stat.kind === 'dir' })
  const at = await freeName(parentPath(path), host, (name) => fs.lstat(name))
  return {
    at,
    async go() {
      await fs.rename(path, at).catch((error: unknown) => Promise.reject(saidOf(path, op, error)))
    },
    async back(cause) {
      try {
        if (!(await lookUp(fs, at))) return false
        if (await lookUp(fs, path)) await remove(view, path, true)
        await fs.rename(at, path)
        return true
      } catch (error) {
        const why = cause instanceof Error ? cause.message : String(cause)
        throw saidOf(path, op, error, `it failed (${why}), and the old entry could not be restored: move "${at}" to "${path}"`)
      }
    },
    async drop() {
      const failure = await quota.spend(need, () => fs.rmTree(at)).catch((error: unknown) => ({ error }))
      if (!failure) return
      await fs.rmTree(at).catch(() => undefined)
      if (await lookUp(fs, at).catch(() => true)) throw saidOf(path, op, failure.error)
    },
  }
}

/** Returns the error with the original path instead of the temporary one. */
function saidOf(path: string, op: string, error: unknown, detail?: string): unknown {
  if (!FsError.is(error)) return detail === undefined ? error : new FsError({ code: 'EIO', op, path, detail, cause: error })
  const words = detail ?? error.detail
  return new FsError({ code: error.code, op, path, ...(words !== undefined && { detail: words }), cause: error })
}
