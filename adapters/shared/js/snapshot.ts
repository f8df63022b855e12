/** The files that a program can read synchronously: the tree at its start. Plain data. */
export interface Snapshot {
  readonly root: string
  readonly entries: readonly SnapshotEntry[]
  /** Whether files or content are missing because of the limits. */
  readonly cut: boolean
}

export interface SnapshotEntry {
  /** Virtual path. */
  readonly path: string
  readonly kind: 'file' | 'dir' | 'symlink'
  readonly size?: number
  readonly mtimeMs?: number
  readonly mode?: number
  readonly target?: string
  /** Content of a file; missing if it did not fit. */
  readonly bytes?: Uint8Array
  readonly version?: string
}
