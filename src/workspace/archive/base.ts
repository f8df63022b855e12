import { FsError } from '../../errors/index.js'
import type { Workspace } from '../../types/workspace.js'
import { isThere } from '../is-there.js'
import { isWithin, parentPath } from '../paths.js'

/** How often others may create and remove the parent directories before it gives up. */
const MAX_ATTEMPTS = 40

/**
 * Runs the body with the lock of a directory and of its missing parents, so that it can create all of them. `base` is the path without
 * links.
 *
 * @throws {FsError} ENOTDIR for a file, EBUSY
 */
export async function withBase<T>(workspace: Workspace, path: string, body: (locked: Workspace, base: string) => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const top = await firstMissing(workspace, await workspace.realpath(path))
    const done = await workspace.locked([top], async (locked) => {
      const base = await locked.realpath(path)
      // The previous holder of the lock may have removed more.
      if (!isWithin(await firstMissing(locked, base), top)) return undefined
      return { result: await body(locked, base) }
    })
    if (done) return done.result
  }
  throw new FsError({ code: 'EBUSY', op: 'import into', path, detail: 'the directories above it keep changing' })
}

/** The topmost missing directory on the path; the path itself if none is missing. */
async function firstMissing(workspace: Workspace, base: string): Promise<string> {
  let top = base
  for (let path = base; path !== workspace.root && !(await isThere(workspace, path)); path = parentPath(path)) top = path
  return top
}
