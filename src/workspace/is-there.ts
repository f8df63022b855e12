import { ignoreCodes } from '../errors/index.js'

/** Whether an entry exists at this path. A dangling link counts, too (`exists` would follow it). */
export async function isThere(files: { lstat(path: string): Promise<object> }, path: string): Promise<boolean> {
  return (await files.lstat(path).catch(ignoreCodes('ENOENT', 'ENOTDIR'))) !== undefined
}
