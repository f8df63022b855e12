import type { FileKind } from './fs.js'

/** The tree as it was at one moment. */
export interface Checkpoint {
  /** `c1`, `c2`, ... in the order they were made; never given twice in one storage. */
  readonly id: string
  readonly label?: string
  /** Milliseconds since the epoch, from the host. */
  readonly time: number
  /** Ids of those before it that cannot be had any more: somebody removed the folder `.toolport-checkpoints`, or a part of it. */
  readonly lost?: readonly string[]
}

/** What an entry is on one side of a difference. */
export interface EntryImage {
  readonly kind: FileKind
  /** Bytes: of the content for a file, of the target for a link, 0 for a directory. */
  readonly size: number
  /** Permission bits, where the storage keeps them. */
  readonly mode?: number
  /** Of a link. */
  readonly target?: string
}

/** One path that differs. A move is a removal and a creation. */
export interface TreeChange {
  /** Virtual path. */
  readonly path: string
  /** Absent: nothing was there. */
  readonly before?: EntryImage
  /** Absent: nothing is there any more. */
  readonly after?: EntryImage
}

export interface TreeDiff {
  /** Sorted by path, by code unit: a directory before its content. */
  readonly changes: readonly TreeChange[]
  /**
   * The content of a file of `changes`, on one side.
   *
   * @throws {FsError} ENOENT: it is no file of the difference there; ESTALE: "now" has changed since, or the checkpoint is no longer kept;
   * EACCES: it must not be read
   */
  read(path: string, side: 'before' | 'after'): Promise<Uint8Array>
}

export interface CheckpointOptions {
  /** What it is for, told in lists; 200 characters at the most. */
  readonly label?: string
  /** Where nothing has changed since the last one, give that again instead of making another. Default false. */
  readonly reuse?: boolean
  /**
   * On a directory: scan the whole tree, so that changes by other programs are seen too. Default true. Without a scan the checkpoint costs
   * as much as what changes after it, and sees changes through workspaces only. It is stored with the first of these, or when checkpoints
   * are listed. Other storages need no scan.
   */
  readonly scan?: boolean
}

export interface RestoreOptions {
  /** Only these (virtual or relative paths, each with everything below it). Default the whole tree. */
  readonly paths?: readonly string[]
}

export interface Restored {
  /** The tree as it was just before: restore that to undo this. */
  readonly checkpoint: Checkpoint
  /** What was done: `before` is what was there, `after` what is there now. */
  readonly changes: readonly TreeChange[]
  /** Directories that should have gone and hold something that is no part of the checkpoints: they stay. */
  readonly left: readonly string[]
}

/** How many are kept. The oldest go first, when a new one is made; the newest always stays. */
export interface CheckpointLimits {
  /** Default 100; at least 1. */
  readonly keep?: number
  /**
   * Bytes of earlier content that are stored for them; default 256 MiB. Not counted where the storage itself keeps them (memory): there what
   * was replaced stays in memory with the checkpoint, and `keep` is the limit.
   */
  readonly bytes?: number
}
