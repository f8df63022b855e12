import { FsError, hasCode } from '../errors/index.js'
import type { FsStat } from '../types/fs.js'
import type { Host } from '../types/host.js'
import { joinPath } from './paths.js'
import { makeAside, type Storage } from './rename-into-place.js'
import { Slicer } from './slicer.js'
import { versionOf } from './state.js'
import type { VirtualFs } from './virtual-fs.js'

/** Estimated cost of copying or removing one entry, in microseconds. */
const STEPS = 16

export interface Move {
  readonly from: string
  readonly to: string
  readonly stat: FsStat
  /** The entry at `to`; undefined: none. */
  readonly replaced: FsStat | undefined
  readonly signal: AbortSignal | undefined
}

/** An entry at the time of its copy. */
interface Copied {
  readonly path: string
  readonly stat: FsStat
}

/**
 * Copies the tree under a temporary name next to the destination, renames it into place, and only then removes the original. A failure or
 * an abort before the rename leaves both sides unchanged. A later failure leaves the complete copy and the rest of the original.
 */
export async function moveAcross(storage: Storage, move: Move): Promise<void> {
  const { fs, host } = storage
  const { from, to, stat, replaced, signal } = move
  if (stat.kind === 'dir' && replaced && (await fs.readdir(to)).length > 0)
    throw new FsError({ code: 'ENOTEMPTY', op: 'move', path: from, dest: to })
  const copied: Copied[] = []
  const slicer = new Slicer(host, { signal })
  try {
    await makeAside(storage, to, async (aside) => {
      await copyAll(fs, { path: from, stat }, aside, copied, slicer, signal)
      signal?.throwIfAborted()
    })
  } catch (error) {
    throw FsError.is(error) ? failedAt(error, move, copied) : error
  }
  await removeOriginal(fs, move, copied, host)
}

/** Copies an entry and everything below it. Adds each copied entry to `copied`, a directory before its content. */
async function copyAll(
  fs: VirtualFs,
  { path, stat }: Copied,
  to: string,
  copied: Copied[],
  slicer: Slicer,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted()
  if (slicer.due(STEPS)) await slicer.pause()
  copied.push({ path, stat })
  if (stat.kind === 'symlink') return fs.symlink(await fs.readlink(path), to)
  if (stat.kind === 'file') await fs.copy(path, to)
  else {
    await fs.mkdir(to)
    for (const { name } of await fs.readdir(path)) {
      const source = joinPath(path, name)
      await copyAll(fs, { path: source, stat: await fs.lstat(source) }, joinPath(to, name), copied, slicer, signal)
    }
  }
  await keepMeta(fs, stat, to)
}

/** Sets the old mode and time on a moved file, as far as the new storage supports them. */
async function keepMeta(fs: VirtualFs, { mode, mtimeMs }: FsStat, to: string): Promise<void> {
  if (!fs.adapter.setMeta) return
  const keepsMode = mode !== undefined && (await fs.lstat(to)).mode !== undefined
  try {
    // A time of 0 means no time.
    await fs.setMeta(to, { ...(mtimeMs !== 0 && { mtimeMs }), ...(keepsMode && { mode }) })
  } catch (error) {
    if (!hasCode(error, 'ENOTSUP')) throw error
  }
}

/** Removes the original entry by entry, deepest first. Keeps entries that somebody else changed or added since the copy. */
async function removeOriginal(fs: VirtualFs, { from, to }: Move, copied: readonly Copied[], host: Host): Promise<void> {
  const slicer = new Slicer(host)
  for (const { path, stat } of copied.toReversed()) {
    try {
      if (slicer.due(STEPS)) await slicer.pause()
      if (stat.kind === 'dir') await fs.rmdir(path)
      else {
        const now = await fs.lstat(path)
        if (now.kind !== stat.kind || versionOf(now) !== versionOf(stat))
          throw new FsError({ code: 'EBUSY', op: 'remove', path, detail: 'it changed meanwhile' })
        await fs.unlink(path)
      }
    } catch (error) {
      // An entry that is already gone is fine.
      if (hasCode(error, 'ENOENT')) continue
      const code = FsError.is(error) ? error.code : 'EIO'
      const detail = `everything was copied, but the original could not be removed, at "${path}" (${reasonOf(error)}): remove the rest of the original`
      throw new FsError({ code, op: 'move', path: from, dest: to, detail, cause: error })
    }
  }
}

/** Returns an error of the copy as an error of the move. */
function failedAt(error: FsError, { from, to }: Move, copied: readonly Copied[]): FsError {
  const last = copied.at(-1)?.path ?? from
  const detail = last === from ? error.detail : `at "${last}": ${error.detail ?? error.code}`
  return new FsError({ code: error.code, op: 'move', path: from, dest: to, ...(detail !== undefined && { detail }), cause: error })
}

function reasonOf(error: unknown): string {
  if (FsError.is(error)) return error.detail ?? error.code
  return error instanceof Error ? error.message : String(error)
}
