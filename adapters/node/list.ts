import type { FileKind, FsEntry } from '../../src/types/fs.js'
import type { Pin } from './access.js'
import { isHeld, isLockName } from './name-lock.js'
import { type Listed, listNames } from './names.js'
import { isTemporary } from './replace.js'

/**
 * The entries of a directory. FIFOs, sockets and devices are left out: no operation of the workspace can use them, and
 * a walk must not meet them.
 */
export async function listEntries(directory: Pin): Promise<FsEntry[]> {
  const entries: FsEntry[] = []
  for (const entry of await listNames(directory.path)) {
    const kind = kindOf(entry)
    if (!kind || isTemporary(entry.name)) continue
    if (isLockName(entry.name) && (await isHeld(directory.at(entry.name)))) continue
    entries.push({ name: entry.name, kind })
  }
  return entries
}

function kindOf(entry: Listed): FileKind | undefined {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'dir'
  return entry.isSymbolicLink() ? 'symlink' : undefined
}
