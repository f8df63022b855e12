import { FsError } from '../../errors/index.js'
import type { Checkpoint, CheckpointLimits, EntryImage } from '../../types/checkpoint.js'
import type { FsUsage } from '../../types/fs.js'
import type { Host } from '../../types/host.js'

/** The name in a storage's root that belongs to checkpoints. Workspaces hide it. */
export const RESERVED = '.toolport-checkpoints'

/** Told of every change of a storage, by adapter path. */
export interface Recorder {
  /** Before the entry itself changes. Undefined: nothing to wait for. Rejects when the change must not be made. */
  entry(path: string): Promise<void> | undefined
  /** Before an entry goes, with everything below it. */
  tree(path: string): Promise<void> | undefined
  /** Before an entry goes elsewhere, with everything below it. */
  rename(from: string, to: string): Promise<void> | undefined
}

/** What an entry is at one moment; only "now" has a version. */
export interface State extends EntryImage {
  readonly version?: string
}

/** One path that differs, by adapter path. */
export interface Difference {
  readonly path: string
  readonly before?: State
  readonly after?: State
}

/** A checkpoint's id, or undefined for the tree as it is now. */
export type Moment = string | undefined

export interface NewCheckpoint {
  readonly label?: string
  readonly host: Host
  readonly limits: Required<CheckpointLimits>
  /** Whether it holds what other programs change, too, where that takes a scan. */
  readonly scan: boolean
  /** Its number is higher than this one. */
  readonly above?: number
  /** Ids that cannot be had any more, beside those that the engine knows of. */
  readonly lost?: readonly string[]
}

/**
 * Keeps the checkpoints of one storage, in adapter paths. Ids that are given are those of `list`; one that is dropped meanwhile is ESTALE.
 */
export interface Engine {
  /** Where changes have to be told before they are made. */
  readonly recorder?: Recorder
  /** The oldest first. */
  list(): Promise<readonly Checkpoint[]>
  /** The newest, if it can serve for another one where nothing has changed since. Without `scan` any can. */
  reusable(scan?: boolean): Promise<Checkpoint | undefined>
  /** Nobody else may change the tree meanwhile, or it is not known whether that is in it. Drops none. */
  make(wanted: NewCheckpoint): Promise<Checkpoint>
  /** Drops the oldest as far as the limits say. */
  trim(limits: Required<CheckpointLimits>): Promise<void>
  /** Every path that is really different, in any order. With `first`, enough to know whether there is one. */
  diff(from: Moment, to: Moment, host: Host, first?: boolean): Promise<readonly Difference[]>
  /** What an entry was; undefined: nothing. */
  stat(at: string, path: string): Promise<EntryImage | undefined>
  /** The content of a file then. @throws {FsError} ENOENT */
  read(at: string, path: string): Promise<Uint8Array>
  /** Ids of those that somebody else has removed since the last one was made. */
  lost?(): readonly string[]
  /** Whether any of these paths, all of which are there now, is not in it, for rules leave it out. Absent: nothing is left out. */
  lacks?(at: string, paths: readonly string[]): Promise<boolean>
  /** What is stored for checkpoints, and counts for no quota. */
  held(): Promise<FsUsage>
  /** The storage has let go of all that is kept in it. */
  forget?(): void
}

/** Whether an adapter path is in the reserved folder. Where case does not count, every spelling of its name is meant (`ſ` too). */
export function isReserved(path: string, caseSensitive: boolean): boolean {
  if (path.charCodeAt(1) !== 46) return false
  const end = RESERVED.length + 1
  if (path.length !== end && path.charCodeAt(end) !== 47) return false
  const name = path.slice(1, end)
  return name === RESERVED || (!caseSensitive && name.toUpperCase().toLowerCase() === RESERVED)
}

/** For one that was there when it was asked for. */
export function dropped(id: string): FsError {
  return new FsError({ code: 'ESTALE', op: 'read', path: '/', detail: `the checkpoint ${id} is no longer kept` })
}

/** Whether one moment is earlier than another. */
export function isBefore(a: Moment, b: Moment): boolean {
  return a !== undefined && (b === undefined || numberOf(a) < numberOf(b))
}

/** The same from the other side. */
export function reversed(found: readonly Difference[]): Difference[] {
  return found.map(({ path, before, after }) => ({ path, ...(after && { before: after }), ...(before && { after: before }) }))
}

/** The number of an id. */
export function numberOf(id: string): number {
  return Number(id.slice(1))
}
