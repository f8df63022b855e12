import { FsError, hasCode } from '../errors/index.js'
import type { FsStat } from '../types/fs.js'
import type { Host } from '../types/host.js'
import { makeAside, type Storage } from './aside.js'
import { joinPath } from './paths.js'
import { Slicer } from './slicer.js'
import { versionOf } from './state.js'
import type { VirtualFs } from './virtual-fs.js'

/** What copying or removing one entry costs, in the slicer's measure. */
const STEPS = 16

export interface Move {
  readonly from: string
  readonly to: string
  readonly stat: FsStat
  /** What is at `to`; undefined: nothing. */
  readonly replaced: FsStat | undefined
  readonly signal: AbortSignal | undefined
}

/** An entry as it was when it was copied. */
interface Copied {
  readonly path: string
  readonly stat: FsStat
}

/**
 * Copies all of it, under a name of its own beside the destination, puts that into place, and only then removes the original. A failure or
 * an abort before that leaves both sides as they were; a failure after it leaves the copy whole and what was not yet removed.
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

/** What is copied is noted, a directory before what is in it. */
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

/** A moved file keeps its mode and time, as far as the new storage keeps any. */
async function keepMeta(fs: VirtualFs, { mode, mtimeMs }: FsStat, to: string): Promise<void> {
  if (!fs.adapter.setMeta) return
  const keepsMode = mode !== undefined && (await fs.lstat(to)).mode !== undefined
  try {
    // A time of 0 is none.
    await fs.setMeta(to, { ...(mtimeMs !== 0 && { mtimeMs }), ...(keepsMode && { mode }) })
  } catch (error) {
    if (!hasCode(error, 'ENOTSUP')) throw error
  }
}

/** Entry by entry, the deepest first: what somebody else has changed or added since it was copied is not removed. */
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
      // Gone already is as good.
      if (hasCode(error, 'ENOENT')) continue
      const code = FsError.is(error) ? error.code : 'EIO'
      const detail = `everything is copied, but the original could not be removed, at "${path}" (${reasonOf(error)}): remove what is left of it`
      throw new FsError({ code, op: 'move', path: from, dest: to, detail, cause: error })
    }
  }
}

/** In the words of the move. */
function failedAt(error: FsError, { from, to }: Move, copied: readonly Copied[]): FsError {
  const last = copied.at(-1)?.path ?? from
  const detail = last === from ? error.detail : `at "${last}": ${error.detail ?? error.code}`
  return new FsError({ code: error.code, op: 'move', path: from, dest: to, ...(detail !== undefined && { detail }), cause: error })
}

function reasonOf(error: unknown): string {
  if (FsError.is(error)) return error.detail ?? error.code
  return error instanceof Error ? error.message : String(error)
}
