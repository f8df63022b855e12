import type { FsEntry, FsOther } from '../../src/types/fs.js'
import type { Pin } from './access.js'
import { isHeld, isLockName } from './name-lock.js'
import { type Listed, listNames } from './names.js'
import { isTemporary } from './replace.js'

/** The entries of a directory, without the adapter's own of the moment. */
export async function listEntries(directory: Pin): Promise<(FsEntry | FsOther)[]> {
  const entries: (FsEntry | FsOther)[] = []
  for (const entry of await listNames(directory.path, directory.stat.size)) {
    const kind = kindOf(entry)
    if (isTemporary(entry.name)) continue
    if (isLockName(entry.name) && (await isHeld(directory.at(entry.name)))) continue
    entries.push({ name: entry.name, kind })
  }
  return entries
}

function kindOf(entry: Listed): (FsEntry | FsOther)['kind'] {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'dir'
  return entry.isSymbolicLink() ? 'symlink' : 'other'
}
