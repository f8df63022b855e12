import { type Dirent, readdir as readdirCb } from 'node:fs'
import { promisify } from 'node:util'
import type { FileKind, FsEntry } from '../../src/types/fs.js'
import { isHeld, isLockName } from './name-lock.js'
import { isTemporary } from './replace.js'

const readdir = promisify(readdirCb)

/**
 * The entries of the directory at a host path. FIFOs, sockets and devices are left out: no operation of the workspace can use them, and
 * a walk must not meet them.
 *
 * A name that is not UTF-8 is listed with U+FFFD in the place of each bad byte, once if two names look alike then. It shows that
 * something is there; it cannot be opened by that name (ENOENT), only moved or removed with its directory.
 */
export async function listEntries(host: string): Promise<FsEntry[]> {
  const entries: FsEntry[] = []
  let lossy = false
  for (const entry of await readdir(host, { withFileTypes: true })) {
    const kind = kindOf(entry)
    if (!kind || isTemporary(entry.name)) continue
    if (isLockName(entry.name) && (await isHeld(`${host}/${entry.name}`))) continue
    entries.push({ name: entry.name, kind })
    lossy ||= entry.name.includes('\uFFFD')
  }
  return lossy ? unique(entries) : entries
}

function kindOf(entry: Dirent): FileKind | undefined {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'dir'
  return entry.isSymbolicLink() ? 'symlink' : undefined
}

function unique(entries: readonly FsEntry[]): FsEntry[] {
  const seen = new Set<string>()
  return entries.filter(({ name }) => {
    if (seen.has(name)) return false
    seen.add(name)
    return true
  })
}
