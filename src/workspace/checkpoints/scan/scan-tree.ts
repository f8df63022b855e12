import { hasCode } from '../../../errors/index.js'
import type { FsAdapter } from '../../../types/fs.js'
import type { Host } from '../../../types/host.js'
import { isInReadOnlyMount } from '../../mounts/tables.js'
import { versionOf } from '../../state.js'
import { VirtualFs } from '../../virtual-fs.js'
import { walkTree } from '../../walk.js'
import { atOnce } from '../at-once.js'
import type { ScannedEntry } from './manifest.js'

const AT_ONCE = 16

/** An entry that is there now; of files the version is that of before anything is read. */
export interface Seen extends Omit<ScannedEntry, 'blob'> {
  readonly mtimeMs: number
}

/** Everything that no rule ignores and no read-only mount has, and `/`: path -> entry, in the order of walks. What goes meanwhile is left out. */
export async function scanTree(fs: FsAdapter, host: Host): Promise<Map<string, Seen>> {
  const found = new Map<string, Seen>()
  const root = await see(fs, '/')
  if (root) found.set('/', root)
  for await (const run of walkTree(new VirtualFs(fs, '/'), host, '/', {})) {
    const seen = new Map<string, Seen>()
    await atOnce(run, AT_ONCE, async ({ path }) => {
      if (isInReadOnlyMount(fs, path)) return
      const entry = await see(fs, path)
      if (entry) seen.set(path, entry)
    })
    for (const { path } of run) {
      const entry = seen.get(path)
      if (entry) found.set(path, entry)
    }
  }
  return found
}

/** Undefined: nothing, or nothing that can be kept. */
export async function see(fs: FsAdapter, path: string): Promise<Seen | undefined> {
  try {
    const stat = await fs.lstat(path)
    const { kind, size, mode, mtimeMs } = stat
    if (kind === 'symlink') return { kind, size, mtimeMs, target: (await fs.readlink?.(path)) ?? '' }
    return { kind, size, mtimeMs, ...(mode !== undefined && { mode }), ...(kind === 'file' && { version: versionOf(stat) }) }
  } catch (error) {
    // EINVAL: no longer a link; ENOTSUP: a device.
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EINVAL', 'ENOTSUP')) return undefined
    throw error
  }
}
