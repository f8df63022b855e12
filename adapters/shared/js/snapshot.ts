/** What a program can read at once: the tree as it was when it began. Plain data. */
export interface Snapshot {
  readonly root: string
  readonly entries: readonly SnapshotEntry[]
  /** Not everything is in it: more files than that, or more bytes. */
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
  /** A file's; missing: it did not fit. */
  readonly bytes?: Uint8Array
  readonly version?: string
}
