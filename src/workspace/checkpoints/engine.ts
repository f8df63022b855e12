import { FsError } from '../../errors/index.js'
import type { Checkpoint, CheckpointLimits, EntryImage } from '../../types/checkpoint.js'
import type { FsUsage } from '../../types/fs.js'
import type { Host } from '../../types/host.js'

/** The name of the checkpoint folder in a storage's root. Workspaces hide the folder. */
export const RESERVED = '.toolport-checkpoints'

/** Records the state of entries. The workspace calls these methods with adapter paths before every change of a storage. */
export interface Recorder {
  /** Records an entry before the entry itself changes. Undefined: the caller need not wait. Rejects if the change must not be made. */
  entry(path: string): Promise<void> | undefined
  /** Records an entry and everything below it before a removal. */
  tree(path: string): Promise<void> | undefined
  /** Records an entry and everything below it before a move, and the destination. */
  rename(from: string, to: string): Promise<void> | undefined
}

/** The state of an entry at one moment. Only the current state has a version. */
export interface State extends EntryImage {
  readonly version?: string
}

/** A path that differs, by adapter path. */
export interface Difference {
  readonly path: string
  readonly before?: State
  readonly after?: State
}

/** A checkpoint's id, or undefined for the current tree. */
export type Moment = string | undefined

export interface NewCheckpoint {
  readonly label?: string
  readonly host: Host
  readonly limits: Required<CheckpointLimits>
  /** Whether to scan the directory, if only a scan finds changes by other programs. */
  readonly scan: boolean
  /** The number in the new id is higher than this one. */
  readonly above?: number
  /** Lost ids, in addition to those that the engine knows. */
  readonly lost?: readonly string[]
}

/**
 * Keeps the checkpoints of one storage. Uses adapter paths. Callers pass ids from `list`. A checkpoint that was dropped meanwhile fails
 * with ESTALE.
 */
export interface Engine {
  /** The recorder to call before changes. */
  readonly recorder?: Recorder
  /** Lists the checkpoints, oldest first. */
  list(): Promise<readonly Checkpoint[]>
  /**
   * Returns the newest checkpoint if it can be reused when nothing has changed since. With `scan` (true or false), only a checkpoint of
   * that kind can be reused; without, any.
   */
  reusable(scan?: boolean): Promise<Checkpoint | undefined>
  /** Makes a checkpoint. A concurrent change of the tree may or may not be included. Drops none. */
  make(wanted: NewCheckpoint): Promise<Checkpoint>
  /** Drops the oldest checkpoints beyond the limits. */
  trim(limits: Required<CheckpointLimits>): Promise<void>
  /** Returns every path that differs, in any order. With `first`, stops at the first difference. */
  diff(from: Moment, to: Moment, host: Host, first?: boolean): Promise<readonly Difference[]>
  /** Returns the state of an entry at a checkpoint; undefined: no entry. */
  stat(at: string, path: string): Promise<EntryImage | undefined>
  /** Reads the content of a file at a checkpoint. @throws {FsError} ENOENT */
  read(at: string, path: string): Promise<Uint8Array>
  /** Ids of checkpoints that somebody else has removed since the last one was made. */
  lost?(): readonly string[]
  /** Whether the checkpoint lacks one of these existing paths because of ignore rules. Absent: the engine excludes nothing. */
  lacks?(at: string, paths: readonly string[]): Promise<boolean>
  /** Measures the space that checkpoints use. This space counts towards no quota. */
  held(): Promise<FsUsage>
  /** Call after the storage has dropped all its content: forgets all checkpoints. */
  forget?(): void
}

/**
 * Whether an adapter path is in the reserved folder. If the storage ignores case, every spelling of the folder's name counts (also with `ſ`
 * for `s`).
 */
export function isReserved(path: string, caseSensitive: boolean): boolean {
  if (path.charCodeAt(1) !== 46) return false
  const end = RESERVED.length + 1
  if (path.length !== end && path.charCodeAt(end) !== 47) return false
  const name = path.slice(1, end)
  return name === RESERVED || (!caseSensitive && name.toUpperCase().toLowerCase() === RESERVED)
}

/** The error for a checkpoint that was dropped meanwhile. */
export function dropped(id: string): FsError {
  return new FsError({ code: 'ESTALE', op: 'read', path: '/', detail: `the checkpoint ${id} is no longer kept` })
}

/** Whether one moment is earlier than another. */
export function isBefore(a: Moment, b: Moment): boolean {
  return a !== undefined && (b === undefined || numberOf(a) < numberOf(b))
}

/** Swaps the sides of differences. */
export function reversed(found: readonly Difference[]): Difference[] {
  return found.map(({ path, before, after }) => ({ path, ...(after && { before: after }), ...(before && { after: before }) }))
}

/** Returns the number in an id: 12 for `c12`. */
export function numberOf(id: string): number {
  return Number(id.slice(1))
}
