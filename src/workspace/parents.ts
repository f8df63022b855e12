import { FsError, hasCode } from '../errors/index.js'
import { baseName, parentPath } from './paths.js'
import type { Need, Quota } from './quota.js'
import type { VirtualFs } from './virtual-fs.js'

interface Storage {
  readonly fs: VirtualFs
  readonly quota: Quota
}

/**
 * Runs a change that creates an entry at the resolved path `need.path`, and creates missing parent directories. The parents count towards
 * the quota, and are removed if the change fails.
 *
 * @throws {FsError} ENOTDIR, naming the component that is not a directory; ENOSPC
 */
export async function withParents<T>(tree: Storage, need: Need, change: () => Promise<T>): Promise<T> {
  const folder = parentPath(need.path)
  for (let missing = await missingParents(tree.fs, folder); ; ) {
    try {
      return await (missing.length === 0 ? tree.quota.spend(need, change) : makeAndChange(tree, need, missing, change))
    } catch (error) {
      // Other callers may have created or removed some of the parents while this change waited for room in the quota.
      if (!hasCode(error, 'ENOSPC', 'ENOENT')) throw error
      const now = await missingParents(tree.fs, folder)
      if (hasCode(error, 'ENOSPC') ? now.length >= missing.length : now.length <= missing.length) throw error
      missing = now
    }
  }
}

function makeAndChange<T>({ fs, quota }: Storage, need: Need, missing: readonly string[], change: () => Promise<T>): Promise<T> {
  const made: string[] = []
  const makeThenChange = async (): Promise<T> => {
    try {
      for (const path of missing) if (await makeOne(fs, path)) made.push(path)
      return await change()
    } catch (error) {
      await removeAgain(fs, made)
      throw error
    }
  }
  return quota.spend({ ...need, files: need.files + missing.length }, makeThenChange, (done) => ({
    bytes: done ? need.bytes : 0,
    files: made.length + (done ? need.files : 0),
  }))
}

/** Lists the missing directories on the path, from the top down. */
async function missingParents(fs: VirtualFs, folder: string): Promise<string[]> {
  const missing: string[] = []
  for (let path = folder; path !== fs.root && !(await isDirectory(fs, path)); path = parentPath(path)) missing.push(path)
  return missing.reverse()
}

/** Creates a directory. Returns false if somebody else created it meanwhile. */
async function makeOne(fs: VirtualFs, path: string): Promise<boolean> {
  try {
    await fs.mkdir(path)
    return true
  } catch (error) {
    if (!hasCode(error, 'EEXIST') || !(await isDirectory(fs, path))) throw error
    return false
  }
}

async function removeAgain(fs: VirtualFs, made: string[]): Promise<void> {
  try {
    for (let path = made.at(-1); path !== undefined; path = made.at(-1)) {
      await fs.rmdir(path)
      made.pop()
    }
  } catch {
    // Somebody else uses the directory by now, or the storage fails. Ignore that, because the caller reports the first error.
  }
}

async function isDirectory(fs: VirtualFs, path: string): Promise<boolean> {
  try {
    const { kind } = await fs.lstat(path)
    if (kind === 'dir') return true
    const detail = `"${baseName(path)}" is a ${kind === 'file' ? 'file' : 'link'}`
    throw new FsError({ code: 'ENOTDIR', op: 'make directory', path, detail })
  } catch (error) {
    // The path is below a file. The caller's loop climbs up to the file, and that error names the file.
    if (hasCode(error, 'ENOENT') || (hasCode(error, 'ENOTDIR') && error.detail === undefined)) return false
    throw error
  }
}
