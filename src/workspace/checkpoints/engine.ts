import { FsError } from '../../errors/index.js'
import type { Checkpoint, CheckpointLimits, EntryImage } from '../../types/checkpoint.js'
import type { FsUsage } from '../../types/fs.js'
import type { Host } from '../../types/host.js'

/** The reserved name in a storage's root. Workspaces hide it. */
export const RESERVED = '.toolport-checkpoints'

/** Called before every change of a storage, by adapter path. */
export interface Recorder {
  /** Before the entry itself changes. Undefined: no need to wait. Rejects if the change must not be made. */
  entry(path: string): Promise<void> | undefined
  /** Before an entry is removed, with everything below it. */
  tree(path: string): Promise<void> | undefined
  /** Before an entry is moved, with everything below it. */
  rename(from: string, to: string): Promise<void> | undefined
}

/** The state of an entry at one moment; only "now" has a version. */
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
  /** Whether to include changes of other programs, if that takes a scan. */
  readonly scan: boolean
  /** The new number is higher than this one. */
  readonly above?: number
  /** Lost ids, in addition to those that the engine knows. */
  readonly lost?: readonly string[]
}

/** Keeps the checkpoints of one storage, in adapter paths. Ids come from `list`; an id that was dropped meanwhile fails with ESTALE. */
export interface Engine {
  /** The recorder to call before changes. */
  readonly recorder?: Recorder
  /** Oldest first. */
  list(): Promise<readonly Checkpoint[]>
  /** The newest checkpoint, if it can be reused when nothing has changed since. Without `scan` any checkpoint can. */
  reusable(scan?: boolean): Promise<Checkpoint | undefined>
  /** Makes a checkpoint. A concurrent change of the tree may or may not be included. Drops none. */
  make(wanted: NewCheckpoint): Promise<Checkpoint>
  /** Drops the oldest checkpoints beyond the limits. */
  trim(limits: Required<CheckpointLimits>): Promise<void>
  /** Every path that differs, in any order. With `first`, stops once there is one. */
  diff(from: Moment, to: Moment, host: Host, first?: boolean): Promise<readonly Difference[]>
  /** The state of an entry; undefined: none. */
  stat(at: string, path: string): Promise<EntryImage | undefined>
  /** The content of a file at that moment. @throws {FsError} ENOENT */
  read(at: string, path: string): Promise<Uint8Array>
  /** Ids of checkpoints that somebody else has removed since the last one was made. */
  lost?(): readonly string[]
  /** Whether one of these existing paths is missing in the checkpoint because of ignore rules. Absent: nothing is excluded. */
  lacks?(at: string, paths: readonly string[]): Promise<boolean>
  /** Space used by checkpoints, which counts for no quota. */
  held(): Promise<FsUsage>
  /** The storage has dropped all its content. */
  forget?(): void
}

/** Whether an adapter path is in the reserved folder. If the storage ignores case, in any spelling of its name (also with `ſ`). */
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

/** The same difference with its sides swapped. */
export function reversed(found: readonly Difference[]): Difference[] {
  return found.map(({ path, before, after }) => ({ path, ...(after && { before: after }), ...(before && { after: before }) }))
}

/** The number of an id. */
export function numberOf(id: string): number {
  return Number(id.slice(1))
}
