import { FsError, hasCode } from '../../errors/index.js'
import type { FsAdapter, FsEntry } from '../../types/fs.js'
import { RESERVED } from './engine.js'

/** Creates missing folders from the top down. @throws {FsError} EEXIST: another entry has the reserved name */
export async function makeDirectories(fs: FsAdapter, ...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    try {
      await fs.mkdir(path)
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
      if ((await fs.lstat(path)).kind === 'dir') continue
      const detail = `its storage has a file where checkpoints are kept, "${path}": the name is reserved, so rename the file`
      throw new FsError({ code: 'EEXIST', op: 'make directory', path: `/${RESERVED}`, detail })
    }
  }
}

/** Lists a directory without the entries that checkpoints cannot keep. Empty if the path is not a directory. */
export async function listIfAny(fs: FsAdapter, path: string): Promise<FsEntry[]> {
  try {
    return (await fs.readdir(path)).filter((entry) => entry.kind !== 'other')
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return []
    throw error
  }
}
