import { FsError, hasCode } from '../../errors/index.js'
import type { FsAdapter, FsStat } from '../../types/fs.js'
import { versionOf } from '../state.js'
import type { Place } from './table.js'

/** Of a larger file so many bytes are in memory at a time, where the destination can append. */
const PIECE = 4 * 1024 * 1024

/**
 * Copies a file's content, and its mode where both storages keep one, creating or replacing `to`. What a failure leaves of a new file is
 * removed. Errors are those of the storage that failed.
 */
export async function copyBetween(from: Place, to: Place): Promise<void> {
  const source = from.mount.fs
  const dest = to.mount.fs
  const stat = await source.lstat(from.inner)
  if (stat.kind !== 'file') throw new FsError({ code: stat.kind === 'dir' ? 'EISDIR' : 'ELOOP', op: 'copy', path: from.inner })
  const old = await kindAt(dest, to.inner)
  if (source === dest && from.inner === to.inner) return
  if (stat.size <= PIECE || old !== undefined || !dest.append) await dest.write(to.inner, await source.read(from.inner))
  else await copyPieces(source, from.inner, stat, dest, to.inner)
  if (stat.mode === undefined || !dest.can.mode || !dest.setMeta) return
  try {
    await dest.setMeta(to.inner, { mode: stat.mode })
  } catch (error) {
    if (old === undefined) await dest.unlink(to.inner).catch(() => undefined)
    throw error
  }
}

async function copyPieces(source: FsAdapter, from: string, stat: FsStat, dest: FsAdapter, to: string): Promise<void> {
  let done = 0
  await dest.write(to, await source.read(from, { length: PIECE }), { create: 'exclusive' })
  try {
    for (done = PIECE; done < stat.size; done += PIECE) await dest.append?.(to, await source.read(from, { offset: done, length: PIECE }))
    const now = await source.lstat(from)
    if (versionOf(now) !== versionOf(stat))
      throw new FsError({ code: 'EBUSY', op: 'copy', path: from, detail: 'it changed while it was copied' })
  } catch (error) {
    // The first error is the one to tell.
    await dest.unlink(to).catch(() => undefined)
    throw error
  }
}

async function kindAt(fs: FsAdapter, path: string): Promise<string | undefined> {
  try {
    return (await fs.lstat(path)).kind
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
