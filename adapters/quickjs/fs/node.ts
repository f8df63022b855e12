import type { SnapshotEntry } from '../../shared/js/snapshot.js'

export const DIR_MODE = 0o755
export const FILE_MODE = 0o644

export interface TreeNode {
  readonly kind: 'file' | 'dir' | 'symlink'
  /** Content of a file, or undefined if it was not read. */
  readonly bytes: Uint8Array | undefined
  readonly size: number
  readonly mtimeMs: number
  readonly mode: number
  readonly target: string | undefined
  /** Whether the program has set the time. */
  readonly timed?: boolean
  /**
   * Original path in the workspace, which differs from the path of the node after a move. Undefined for an entry that the program created.
   */
  readonly from?: string
  readonly ino: number
}

/** The workspace's entry at a path, as far as the program knows it. */
export interface Known extends SnapshotEntry {
  /** The version whose content the program has read. */
  readonly read?: string
}

/** A node that is not in the tree yet. */
export type NewNode = Omit<TreeNode, 'ino'>

export const newDir = (now: number, mode: number = DIR_MODE): NewNode => ({
  kind: 'dir',
  bytes: undefined,
  size: 0,
  mtimeMs: now,
  mode,
  target: undefined,
})

export const newFile = (now: number, bytes: Uint8Array, mode: number = FILE_MODE): NewNode => ({
  kind: 'file',
  bytes,
  size: bytes.length,
  mtimeMs: now,
  mode,
  target: undefined,
})

export const newLink = (now: number, target: string): NewNode => ({
  kind: 'symlink',
  bytes: undefined,
  size: target.length,
  mtimeMs: now,
  mode: 0o777,
  target,
})

export const nodeOf = (entry: SnapshotEntry, now: number): NewNode => ({
  kind: entry.kind,
  bytes: entry.bytes,
  size: entry.size ?? 0,
  mtimeMs: entry.mtimeMs ?? now,
  mode: entry.mode ?? (entry.kind === 'dir' ? DIR_MODE : FILE_MODE),
  target: entry.target,
  from: entry.path,
})
