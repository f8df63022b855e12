import { FsError } from '../../errors/index.js'
import type { Workspace } from '../../types/workspace.js'
import { isThere } from '../is-there.js'
import { isWithin, parentPath } from '../paths.js'

/** Times that others may make and remove the directories above before it gives up. */
const MAX_ATTEMPTS = 40

/**
 * Runs the body with the lock of a directory and of those above it that are missing, so that it may make them all. `base` is the path
 * without links.
 *
 * @throws {FsError} ENOTDIR for a file, EBUSY
 */
export async function withBase<T>(workspace: Workspace, path: string, body: (locked: Workspace, base: string) => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const top = await firstMissing(workspace, await workspace.realpath(path))
    const done = await workspace.locked([top], async (locked) => {
      const base = await locked.realpath(path)
      // Somebody had the lock before, and may have removed more.
      if (!isWithin(await firstMissing(locked, base), top)) return undefined
      return { result: await body(locked, base) }
    })
    if (done) return done.result
  }
  throw new FsError({ code: 'EBUSY', op: 'import into', path, detail: 'the directories above it keep changing' })
}

/** The topmost directory on the way that is not there; the path itself where it is. */
async function firstMissing(workspace: Workspace, base: string): Promise<string> {
  let top = base
  for (let path = base; path !== workspace.root && !(await isThere(workspace, path)); path = parentPath(path)) top = path
  return top
}
