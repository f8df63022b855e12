import { FsError } from '../../errors/index.js'
import type { FsAdapter } from '../../types/fs.js'
import { joinPath } from '../paths.js'

/** With the storage's own way where it has one, else entry by entry: depth first, links as themselves. */
export async function removeTree(fs: FsAdapter, path: string): Promise<void> {
  if (path === '/') throw new FsError({ code: 'EBUSY', op: 'remove', path })
  if (fs.rmTree) return fs.rmTree(path)
  const { kind } = await fs.lstat(path)
  if (kind !== 'dir') return fs.unlink(path)
  for (const { name } of await fs.readdir(path)) await removeTree(fs, joinPath(path, name))
  await fs.rmdir(path)
}
