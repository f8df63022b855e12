import { hasCode } from '../errors/index.js'
import type { Workspace } from '../types/workspace.js'

/** Whether something has this name, a link that leads nowhere included: `exists` asks for what a link leads to. */
export async function isThere(workspace: Workspace, path: string): Promise<boolean> {
  try {
    await workspace.lstat(path)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return false
    throw error
  }
}
