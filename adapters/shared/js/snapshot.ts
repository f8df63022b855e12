/** The files that a program can read synchronously, as they were when the program started. Plain data. */
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
  /** The content of a file. Missing if the content did not fit. */
  readonly bytes?: Uint8Array
  readonly version?: string
}
