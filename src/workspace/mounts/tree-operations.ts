import { FsError, ignoreCodes } from '../../errors/index.js'
import type { FsAdapter, FsStat } from '../../types/fs.js'
import { joinPath } from '../paths.js'
import { versionOf } from '../state.js'
import { type Calls, refuse } from './calls.js'
import type { Place } from './mount-table.js'

/** Operations of every combination, emulated if a storage lacks them. */
export function treeParts(calls: Calls): Required<Pick<FsAdapter, 'append' | 'copy' | 'rmTree'>> {
  const { table } = calls
  const appending = new Appending()
  return {
    append: async (path, bytes) => {
      const asked = { op: 'append to', path }
      if (table.isFixed(path)) throw refuse('EISDIR', asked)
      return calls.change(asked, (at) => appending.append(at, bytes))
    },
    copy: async (from, to) => {
      const asked = { op: 'copy', path: from, dest: to }
      const [source, dest] = [calls.at(from, asked), calls.changing(asked, to)]
      if (table.isFixed(from) || table.isFixed(to)) throw refuse('EISDIR', asked)
      const { fs } = source.mount
      const { copy } = fs
      const own = copy && source.mount === dest.mount
      return calls.createAt(dest, asked, () => (own ? copy.call(fs, source.inner, dest.inner) : copyBetween(source, dest)))
    },
    rmTree: async (path) => {
      const asked = { op: 'remove', path }
      calls.refuseFixed(asked)
      return calls.change(asked, (at) => removeTree(at.mount.fs, at.inner))
    },
  }
}

/**
 * Appends with the storage's own `append`. If there is none, writes the whole file again, one append after another, so that no append is
 * lost.
 */
class Appending {
  readonly #last = new Map<FsAdapter, Promise<void>>()

  async append({ mount: { fs }, inner }: Place, bytes: Uint8Array): Promise<void> {
    if (fs.append) return fs.append(inner, bytes)
    const added = new Uint8Array(bytes)
    const turn = (this.#last.get(fs) ?? Promise.resolve()).then(() => rewrite(fs, inner, added))
    this.#last.set(
      fs,
      turn.catch(() => undefined),
    )
    return turn
  }
}

async function rewrite(fs: FsAdapter, path: string, added: Uint8Array): Promise<void> {
  const before = await fs.read(path)
  const after = new Uint8Array(before.length + added.length)
  after.set(before)
  after.set(added, before.length)
  await fs.write(path, after, { create: 'never' })
}

/** Removes a tree with the storage's own `rmTree`. If there is none, removes entry by entry: depth first, without following links. */
async function removeTree(fs: FsAdapter, path: string): Promise<void> {
  if (path === '/') throw new FsError({ code: 'EBUSY', op: 'remove', path })
  if (fs.rmTree) return fs.rmTree(path)
  const { kind } = await fs.lstat(path)
  if (kind !== 'dir') return fs.unlink(path)
  for (const { name } of await fs.readdir(path)) await removeTree(fs, joinPath(path, name))
  await fs.rmdir(path)
}

/** Maximum bytes of a file to hold in memory at once, if the destination can append. */
const PIECE = 4 * 1024 * 1024

/**
 * Copies a file's content, and its mode if both storages keep one, creating or replacing `to`. Removes a partial new file after a failure.
 * Throws the errors of the storage that failed.
 */
async function copyBetween(from: Place, to: Place): Promise<void> {
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
    // Report the first error.
    await dest.unlink(to).catch(() => undefined)
    throw error
  }
}

async function kindAt(fs: FsAdapter, path: string): Promise<string | undefined> {
  return (await fs.lstat(path).catch(ignoreCodes('ENOENT')))?.kind
}
