import { FsError, ignoreCodes } from '../../errors/index.js'
import { sameBytes } from '../../ops/bytes.js'
import type { FsStat } from '../../types/fs.js'
import { makeAside, type Storage } from '../rename-into-place.js'
import type { VirtualFs } from '../virtual-fs.js'
import type { Step } from './plan.js'

/** The contents of files. */
export interface Contents {
  /** The new content. */
  read(path: string): Promise<Uint8Array>
  /**
   * Reads the old content, to undo a step. Without this function, replaced and removed contents stay in memory until all steps are done.
   */
  readBefore?(path: string): Promise<Uint8Array>
}

/** `old`: the current content of the file, if known. */
export async function makeStep(storage: Storage, { path, from, to }: Step, contents: Contents, old: Uint8Array | undefined): Promise<void> {
  const { fs } = storage
  if (!to) return from?.kind === 'dir' ? fs.rmdir(path) : fs.unlink(path)
  if (to.kind === 'dir') return fs.mkdir(path)
  if (to.kind === 'symlink') return put(storage, path, from, (at) => fs.symlink(to.target ?? '', at))
  const bytes = await contents.read(path)
  if (from?.kind !== 'file') return put(storage, path, from, (at) => fs.write(at, bytes, { create: 'exclusive' }))
  // If only the permissions differ, the version stays.
  if (from.size === bytes.length && sameBytes(old ?? (await fs.read(path)), bytes)) return
  await fs.write(path, bytes, { create: 'never' })
}

/** Restores the state before a step that succeeded, failed or was done partly. */
export async function undoStep(storage: Storage, { path, from }: Step, before: () => Promise<Uint8Array>): Promise<void> {
  const { fs } = storage
  const now = await lookUp(fs, path)
  if (!from) {
    if (now) await (now.kind === 'dir' ? fs.rmdir(path) : fs.unlink(path))
    return
  }
  if (from.kind === 'dir') {
    if (!now) await fs.mkdir(path)
  } else if (now?.kind === 'dir') {
    throw new FsError({ code: 'ESTALE', op: 'write', path })
  } else if (from.kind === 'symlink') {
    const isThere = now?.kind === 'symlink' && (await fs.readlink(path)) === from.target
    if (!isThere) await put(storage, path, now, (at) => fs.symlink(from.target ?? '', at))
  } else {
    await putBack(storage, path, await before(), now)
  }
  if (from.kind !== 'symlink') await undoMode(fs, path, from.mode)
}

async function putBack(storage: Storage, path: string, bytes: Uint8Array, now: FsStat | undefined): Promise<void> {
  const { fs } = storage
  if (now?.kind !== 'file') return put(storage, path, now, (at) => fs.write(at, bytes, { create: 'exclusive' }))
  if (now.size === bytes.length && sameBytes(await fs.read(path), bytes)) return
  await fs.write(path, bytes, { create: 'never' })
}

/** Creates an entry in place of a file, a link or nothing. */
async function put(storage: Storage, path: string, there: unknown, make: (at: string) => Promise<void>): Promise<void> {
  await (there ? makeAside(storage, path, make) : make(path))
}

export async function setMode(fs: VirtualFs, { path, to }: Step): Promise<void> {
  if (to?.mode !== undefined) await fs.setMeta(path, { mode: to.mode })
}

/** Restores the old mode, but only if the current mode differs: a storage may store fewer bits than it reports. */
export async function undoMode(fs: VirtualFs, path: string, mode: number | undefined): Promise<void> {
  if (mode === undefined || !fs.adapter.can.mode || !fs.adapter.setMeta) return
  if ((await fs.lstat(path)).mode !== mode) await fs.setMeta(path, { mode })
}

export async function lookUp(fs: VirtualFs, path: string): Promise<FsStat | undefined> {
  return fs.lstat(path).catch(ignoreCodes('ENOENT'))
}
