import { FsError, hasCode } from '../../../errors/index.js'
import { forEachLimited } from '../../../ops/concurrency.js'
import type { FsAdapter } from '../../../types/fs.js'
import type { Host } from '../../../types/host.js'
import { isInReadOnlyMount } from '../../mounts/mounted-storages.js'
import { versionOf } from '../../state.js'
import { VirtualFs } from '../../virtual-fs.js'
import { walkTree } from '../../walk.js'
import { RESERVED } from '../engine.js'
import type { ScannedEntry } from './manifest.js'

const AT_ONCE = 16

/** A current entry. A file has the version from before its content is read. */
export interface Seen extends Omit<ScannedEntry, 'blob'> {
  readonly mtimeMs: number
}

/**
 * Lists `/` and all entries that ignore rules do not exclude and that are not in a read-only mount. Returns a map from path to entry, in
 * the order of walks. Skips entries that are removed meanwhile.
 *
 * @param limit maximum bytes of all files, so that the scan stops early on a tree that is too large
 * @throws {FsError} ENOSPC
 */
export async function scanTree(fs: FsAdapter, host: Host, limit: number = Infinity): Promise<Map<string, Seen>> {
  let bytes = 0
  const found = new Map<string, Seen>()
  const root = await see(fs, '/')
  if (root) found.set('/', root)
  for await (const run of walkTree(new VirtualFs(fs, '/'), host, '/', {})) {
    const seen = new Map<string, Seen>()
    await forEachLimited(run, AT_ONCE, async ({ path }) => {
      if (isInReadOnlyMount(fs, path)) return
      const entry = await see(fs, path)
      if (entry) seen.set(path, entry)
    })
    for (const { path } of run) {
      const entry = seen.get(path)
      if (!entry) continue
      found.set(path, entry)
      if (entry.kind === 'file') bytes += entry.size
    }
    if (bytes > limit) throw tooMuch(found, limit)
  }
  return found
}

/** Looks up an entry. Undefined: the entry is missing, or is of a kind that checkpoints cannot keep. */
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

function tooMuch(seen: ReadonlyMap<string, Seen>, limit: number): FsError {
  let [largest, most] = ['/', 0]
  for (const [path, { kind, size }] of seen) if (kind === 'file' && size > most) [largest, most] = [path, size]
  const detail =
    `the files of one checkpoint exceed the limit of ${limit} bytes, the largest so far is "${largest.slice(1)}" with ${most}: ` +
    'list files to skip in .gitignore, or raise checkpoints.bytes'
  return new FsError({ code: 'ENOSPC', op: 'keep', path: `/${RESERVED}`, detail })
}
