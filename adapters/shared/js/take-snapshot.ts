import type { Workspace } from '../../../src/types/workspace.js'
import type { Snapshot, SnapshotEntry } from './snapshot.js'

export interface SnapshotLimits {
  /** Maximum total bytes of content. Default: 32 MiB. */
  readonly maxBytes?: number
  /** Maximum number of entries, including directories and symlinks. Default: 10,000. */
  readonly maxFiles?: number
}

const DEFAULT_BYTES = 32 * 2 ** 20
const DEFAULT_FILES = 10_000
/** Number of files that are read at the same time. */
const WIDTH = 16

/** Copies the current tree, up to the limits: first the names, then the contents that still fit. */
export async function takeSnapshot(workspace: Workspace, limits: SnapshotLimits, signal?: AbortSignal): Promise<Snapshot> {
  const { maxBytes = DEFAULT_BYTES, maxFiles = DEFAULT_FILES } = limits
  const entries: SnapshotEntry[] = []
  let cut = false
  const options = { ignore: false, onError: () => undefined, ...(signal && { signal }) }
  walk: for await (const batch of workspace.walk(workspace.root, options)) {
    for (const { path, kind } of batch) {
      if (entries.length >= maxFiles) {
        cut = true
        break walk
      }
      entries.push({ path, kind })
    }
  }
  let left = maxBytes
  const read = async (entry: SnapshotEntry): Promise<SnapshotEntry> => {
    try {
      const stat = await workspace.lstat(entry.path)
      const { kind, size = 0, mtimeMs, mode } = stat
      const known = { path: entry.path, kind, size, ...(mtimeMs !== undefined && { mtimeMs }), ...(mode !== undefined && { mode }) }
      if (kind === 'symlink') return { ...known, target: await workspace.readlink(entry.path) }
      if (kind !== 'file') return known
      if (size > left) {
        cut = true
        const { version } = await workspace.readBytes(entry.path, { length: 0 })
        return { ...known, version }
      }
      left -= size
      const { bytes, version } = await workspace.readBytes(entry.path)
      return { ...known, bytes, version, size: bytes.length }
    } catch {
      // List an entry that may not be read by its name only, as in `ls`.
      return entry
    }
  }
  const full: SnapshotEntry[] = []
  for (let at = 0; at < entries.length; at += WIDTH) {
    signal?.throwIfAborted()
    full.push(...(await Promise.all(entries.slice(at, at + WIDTH).map(read))))
  }
  return { root: workspace.root, entries: full, cut }
}
