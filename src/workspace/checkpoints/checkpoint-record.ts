import { FsError } from '../../errors/index.js'
import type { Checkpoint } from '../../types/checkpoint.js'

/** The latest time that a `Date` can hold, in milliseconds since the epoch. */
const MAX_TIME = 8.64e15

/**
 * Parses an engine's record of a checkpoint from its JSON; undefined: damaged.
 *
 * @param format the newest known format
 * @throws {FsError} ENOTSUP: a later version made it
 */
export function parseCheckpoint(id: string, text: string, format: number, path: string): Checkpoint | undefined {
  let about: { readonly format?: unknown; readonly label?: unknown; readonly time?: unknown; readonly lost?: unknown }
  try {
    about = JSON.parse(text)
  } catch {
    return undefined
  }
  const { format: made, label, time, lost } = about
  if (typeof made !== 'number' || !isTime(time)) return undefined
  if (made > format) {
    const detail = `the checkpoint ${id} was made by a later version of this library: update the library`
    throw new FsError({ code: 'ENOTSUP', op: 'read', path, detail })
  }
  return { id, ...(typeof label === 'string' && { label }), time, ...(Array.isArray(lost) && { lost: lost.map(String) }) }
}

/** Whether a stored value is a valid time of a checkpoint. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= MAX_TIME
}
