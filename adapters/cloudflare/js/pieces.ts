import { joinBytes } from '../../../src/ops/bytes.js'
import type { Change } from '../../shared/js/changes.js'
import type { Snapshot } from '../../shared/js/snapshot.js'
import type { ChangePiece, SnapshotPiece } from './job.js'

/** Maximum bytes of file content per call. The platform allows 32 MiB. */
const PIECE = 8 * 2 ** 20
const ENTRIES = 2000
/** Maximum number of bytes that a program may write to files. */
export const MAX_WRITTEN: number = 48 * 2 ** 20
/**
 * The host's own limit of the changes, in bytes, in case a guest ignores MAX_WRITTEN. It exists because the host holds all changes in
 * memory until the program ends.
 */
export const MAX_CHANGES: number = 64 * 2 ** 20
/** Bytes that each change counts in addition to its text and content. */
const EACH = 512

/** Splits a snapshot into pieces, each small enough for one call. */
export function cutSnapshot({ entries }: Snapshot): readonly (readonly SnapshotPiece[])[] {
  const pieces: SnapshotPiece[][] = []
  let batch: SnapshotPiece[] = []
  let size = 0
  const end = (): void => {
    if (batch.length > 0) pieces.push(batch)
    batch = []
    size = 0
  }
  for (const entry of entries) {
    const { bytes } = entry
    if (!bytes || bytes.length <= PIECE) {
      if (batch.length >= ENTRIES || size + (bytes?.length ?? 0) > PIECE) end()
      // Copy the bytes, because a view of a larger buffer would transfer the whole buffer.
      batch.push(bytes ? { ...entry, bytes: bytes.slice() } : entry)
      size += bytes?.length ?? 0
      continue
    }
    end()
    for (let at = 0; at < bytes.length; at += PIECE) {
      batch.push({ ...entry, bytes: bytes.slice(at, at + PIECE), ...(at > 0 && { goesOn: true }) })
      end()
    }
  }
  end()
  return pieces
}

/** Collects the changes of a program. */
export interface ChangeList {
  /** @throws {TypeError} for an invalid change: a compromised guest may send anything */
  add(pieces: readonly ChangePiece[]): void
  /** @throws {Error} if the changes exceed MAX_CHANGES */
  all(): readonly Change[]
}

export function createChangeList(): ChangeList {
  const list: { change: Change; parts: Uint8Array[] }[] = []
  let size = 0
  return {
    add(pieces) {
      for (const piece of pieces) {
        size += costOf(piece)
        if (size > MAX_CHANGES) continue
        const { goesOn, ...change } = piece
        const last = list.at(-1)
        const part = change.do === 'write' ? [ownBytes(change.bytes)] : []
        if (goesOn && last) last.parts.push(...part)
        else list.push({ change, parts: part })
      }
    },
    all() {
      if (size > MAX_CHANGES)
        throw new Error(`ENOSPC: the program has changed more than ${MAX_CHANGES / 2 ** 20} MiB of files: nothing is written`)
      return list.map(({ change, parts }) => (change.do === 'write' ? { ...change, bytes: joined(parts) } : change))
    },
  }
}

function costOf(piece: ChangePiece): number {
  const bytes: unknown = 'bytes' in piece ? piece.bytes : undefined
  if ((piece.do === 'write' || bytes !== undefined) && !(bytes instanceof Uint8Array)) throw notPlain()
  let cost = EACH
  for (const [key, value] of Object.entries(piece)) {
    cost += 2 * key.length
    if (value === bytes) cost += bytes instanceof Uint8Array ? bytes.length : 0
    else if (typeof value === 'string') cost += 2 * value.length
    else if (!['number', 'boolean', 'undefined'].includes(typeof value)) throw notPlain()
  }
  return cost
}

const notPlain = (): TypeError => new TypeError('Cannot take a change of a file that is no plain data')

/** Returns bytes that do not share a larger buffer, because a view would keep that buffer in memory. */
const ownBytes = (bytes: Uint8Array): Uint8Array => (bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice())

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts
  if (parts.length === 1 && first) return first
  return joinBytes(parts)
}
