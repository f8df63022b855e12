import { hasCode } from '../errors/index.js'
import type { Workspace } from '../types/workspace.js'

/** Whether an entry exists at this path. A dangling link counts, too (`exists` would follow it). */
export async function isThere(workspace: Workspace, path: string): Promise<boolean> {
  try {
    await workspace.lstat(path)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return false
    throw error
  }
}
