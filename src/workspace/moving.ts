import { lazy } from '../core/lazy.js'
import { hasCode } from '../errors/index.js'
import type { Storage } from './aside.js'
import type { Move } from './moving-across.js'

/** Most workspaces have one storage. */
const across = lazy(() => import('./moving-across.js'))

/** Renames; from one storage to another copies and then removes. */
export async function moveEntry(storage: Storage, move: Move): Promise<void> {
  try {
    await storage.fs.rename(move.from, move.to)
  } catch (error) {
    if (!hasCode(error, 'EXDEV')) throw error
    const { moveAcross } = await across()
    await moveAcross(storage, move)
  }
}
