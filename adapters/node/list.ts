import type { PathLike } from 'node:fs'
import type { FileKind, FsEntry } from '../../src/types/fs.js'
import { type Listed, listNames } from './names.js'
import { isTemporary } from './replace.js'

/**
 * The entries of the directory at a host path. FIFOs, sockets and devices are left out: no operation of the workspace can use them, and
 * a walk must not meet them.
 */
export async function listEntries(host: PathLike): Promise<FsEntry[]> {
  const entries: FsEntry[] = []
  for (const entry of await listNames(host)) {
    const kind = kindOf(entry)
    if (kind && !isTemporary(entry.name)) entries.push({ name: entry.name, kind })
  }
  return entries
}

function kindOf(entry: Listed): FileKind | undefined {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'dir'
  return entry.isSymbolicLink() ? 'symlink' : undefined
}
