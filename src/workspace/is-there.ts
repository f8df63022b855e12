import { ignoreCodes } from '../errors/index.js'

/** Whether an entry exists at this path, including a dangling link (`exists` would follow the link). */
export async function isThere(files: { lstat(path: string): Promise<object> }, path: string): Promise<boolean> {
  return (await files.lstat(path).catch(ignoreCodes('ENOENT', 'ENOTDIR'))) !== undefined
}
