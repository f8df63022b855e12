import type { FileKind } from './fs.js'

/** A saved state of the tree. */
export interface Checkpoint {
  /** `c1`, `c2`, ... in order of creation; never reused in one storage. */
  readonly id: string
  readonly label?: string
  /** Milliseconds since the epoch, from the host. */
  readonly time: number
  /** Ids of earlier checkpoints that are missing because somebody removed `.toolport-checkpoints` or a part of that folder. */
  readonly lost?: readonly string[]
}

/** The state of an entry on one side of a difference. */
export interface EntryImage {
  readonly kind: FileKind
  /** Bytes: of the content for a file, of the target for a link, 0 for a directory. */
  readonly size: number
  /** Permission bits, where the storage keeps them. */
  readonly mode?: number
  /** The target of a link. */
  readonly target?: string
}

/** One path that differs. A move is a removal and a creation. */
export interface TreeChange {
  /** Virtual path. */
  readonly path: string
  /** Absent if the path did not exist. */
  readonly before?: EntryImage
  /** Absent if the path no longer exists. */
  readonly after?: EntryImage
}

/** The differences between two states of a tree. */
export interface TreeDiff {
  /** Sorted by path, by code unit: a directory before its content. */
  readonly changes: readonly TreeChange[]
  /**
   * Reads a file of `changes` on one side.
   *
   * @throws {FsError} ENOENT: no changed file has this path on this side; ESTALE: the current tree has changed since, or the checkpoint is
   * gone; EACCES: a path rule forbids reading it
   */
  read(path: string, side: 'before' | 'after'): Promise<Uint8Array>
}

/** Options of `Workspace.checkpoint`. */
export interface CheckpointOptions {
  /** Purpose of the checkpoint, shown in lists; up to 200 characters. */
  readonly label?: string
  /** Return the last checkpoint if nothing has changed since, instead of making another. Default false. */
  readonly reuse?: boolean
  /**
   * On a directory: whether to scan the whole tree, so that the checkpoint includes changes by other programs. Default true. Without a
   * scan, the checkpoint covers only changes through workspaces, and its cost grows only with later changes. It is stored with the first
   * such change, or when checkpoints are listed. Other storages need no scan.
   */
  readonly scan?: boolean
}

/** Options of `Workspace.restore`. */
export interface RestoreOptions {
  /** Restore only these virtual or relative paths, each with everything below it. Default the whole tree. */
  readonly paths?: readonly string[]
}

/** The result of a restore. */
export interface Restored {
  /** The tree just before the restore. Restore this checkpoint to undo. */
  readonly checkpoint: Checkpoint
  /** The applied changes: `before` is the replaced state, `after` the restored state. */
  readonly changes: readonly TreeChange[]
  /** Directories that remain because they contain something that checkpoints do not cover. */
  readonly left: readonly string[]
}

/** How many checkpoints to keep. When a new checkpoint exceeds a limit, the oldest ones are removed. The newest always stays. */
export interface CheckpointLimits {
  /** Maximum number of checkpoints. Default 100; at least 1. */
  readonly keep?: number
  /**
   * Maximum bytes of earlier content to keep for checkpoints. Default 256 MiB. Does not apply to storages that keep checkpoints themselves
   * (memory): there, replaced content stays in memory with its checkpoint, and `keep` is the limit.
   */
  readonly bytes?: number
}
