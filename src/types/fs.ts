/** What a directory entry is. `symlink` is the link itself: no adapter ever follows one. */
export type FileKind = 'file' | 'dir' | 'symlink'

export interface FsStat {
  readonly kind: FileKind
  /** Bytes: of the content for a file, of the target text for a link, 0 for a directory. */
  readonly size: number
  /** Milliseconds since the epoch; 0 where the storage keeps no time. */
  readonly mtimeMs: number
  /** Permission bits only (`0o755`), without the type bits; absent unless `can.mode`. */
  readonly mode?: number
  /** Opaque; changes with every write of the content. Absent: the workspace falls back to size and time. */
  readonly version?: string
}

export interface FsEntry {
  readonly name: string
  readonly kind: FileKind
  /** Bytes, when the adapter knows it without asking the storage again. Saves one `lstat` an entry. */
  readonly size?: number
}

/** A FIFO, a socket or a device, which no operation works on but moving and removing what it is in. Only a directory of the machine has them. */
export interface FsOther {
  readonly name: string
  readonly kind: 'other'
  readonly size?: never
}

export type FsTimes = Pick<FsStat, 'size' | 'mtimeMs'>

/** What a search is told of a file: its content, that it is without a NUL and without the needle, or nothing. */
export type Scanned = Uint8Array | 'absent' | undefined

export interface FsCapabilities {
  /** Permission bits are kept. */
  readonly mode: boolean
  /** A reader sees the old content or the new, never a mixture, also after a crash. */
  readonly atomicReplace: boolean
  /** A directory is renamed in one step. */
  readonly dirRename: boolean
  /** An acknowledged write is durable without `flush()`. */
  readonly durableOnAck: boolean
  /** `A` and `a` are different names. */
  readonly caseSensitive: boolean
  /** Another process that swaps a directory for a link during a call cannot lead it outside the root. */
  readonly raceSafe: boolean
  readonly persistence: 'memory' | 'best-effort' | 'durable'
}

/** `always` creates or replaces, `never` replaces only (ENOENT), `exclusive` creates only (EEXIST). */
export type CreateMode = 'always' | 'never' | 'exclusive'

export interface WriteOptions {
  /** Default `always`. */
  readonly create?: CreateMode
  /**
   * The version of the file to replace. A storage that other processes change compares it right before the replacement and rejects with
   * ESTALE; others need not look, as the workspace has compared it under its lock.
   */
  readonly expect?: string
}

export interface ReadOptions {
  /** First byte; default 0. Past the end reads nothing. */
  readonly offset?: number
  /** Bytes at the most; default to the end. A short answer means the end was reached. */
  readonly length?: number
}

export interface FsUsage {
  /** Sum of the sizes of all files. */
  readonly bytes: number
  /** Files, directories and links below the root. */
  readonly files: number
}

/** What an entry is, or was, in a storage. */
export interface FsImage extends FsStat {
  /** Of a link, as written. */
  readonly target?: string
}

/** What differs between two moments of one storage, by adapter path. */
export interface FsDifference {
  readonly path: string
  /** Absent: nothing was there. */
  readonly before?: FsImage
  /** Absent: nothing is there any more. */
  readonly after?: FsImage
}

/** A moment that a storage itself keeps. Nothing that happens later changes it; nobody but its holder keeps its memory. */
export interface FsMoment {
  /**
   * To another moment of the same storage, or to now; in any order. What is written back as it was is no difference, and a time alone is
   * none. Takes time for what differs, not for what is there. @throws {FsError} EINVAL: a moment of another storage
   */
  diff(to?: FsMoment): Promise<FsDifference[]>
  /** What an entry was at that moment. @throws {FsError} ENOENT */
  lstat(path: string): Promise<FsImage>
  /** The whole content of a file at that moment. @throws {FsError} ENOENT EISDIR ELOOP (a link) */
  read(path: string): Promise<Uint8Array>
}

/**
 * The storage that the tools run on: bytes only, no text, no policy.
 *
 * Paths are absolute and already normalised: they begin with `/`, which is the adapter's own root, and hold no `.`, `..`, empty
 * component, trailing slash or NUL. Adapters never follow a symlink: one as the last component of a path that is read, written or
 * listed, or anywhere before the last, is `ELOOP`. (The workspace resolves links before it calls.)
 *
 * Every method rejects with `FsError` and nothing else, and names the adapter path it was given. A present optional method is the
 * capability; an option that cannot be honoured is `ENOTSUP`, never ignored. Byte arrays are copied on the way in, before the first
 * await, and out: they are the caller's own.
 *
 * Not part of it, on purpose: synchronous methods, file descriptors, watching, globbing, recursive options.
 */
export interface FsAdapter {
  readonly name: string
  readonly can: FsCapabilities
  /** The virtual root that fits this storage (Node: the real path of its directory). Default `/workspace`. */
  readonly suggestedRoot?: string

  /** Opens the storage now, to fail early. Idempotent; every other method opens on first use. */
  open?(): Promise<void>
  /** Describes the entry itself. @throws ENOENT ENOTDIR ELOOP */
  lstat(path: string): Promise<FsStat>
  /** The entries of a directory, in any order. @throws ENOENT ENOTDIR ELOOP */
  readdir(path: string): Promise<(FsEntry | FsOther)[]>
  /** The content of a file, or a range of it, as a plain Uint8Array of its own. @throws ENOENT EISDIR ENOTDIR ELOOP */
  read(path: string, options?: ReadOptions): Promise<Uint8Array>
  /** Replaces the whole content. The parent must exist. @throws ENOENT EEXIST EISDIR ENOTDIR ELOOP ENOSPC EFBIG */
  write(path: string, bytes: Uint8Array, options?: WriteOptions): Promise<void>
  /** Makes one level. @throws EEXIST (whatever is there, `/` too) ENOENT ENOTDIR ELOOP */
  mkdir(path: string): Promise<void>
  /** Removes a file or a link. @throws ENOENT EISDIR ENOTDIR ELOOP */
  unlink(path: string): Promise<void>
  /** Removes an empty directory. @throws ENOENT ENOTDIR ENOTEMPTY ELOOP; EBUSY for `/` */
  rmdir(path: string): Promise<void>
  /**
   * POSIX rename: the same path is a no-op; a file or link replaces a file or link; a directory replaces an empty directory. A link is
   * moved as itself. @throws ENOENT EISDIR (onto a directory) ENOTDIR (directory onto a file) ENOTEMPTY EINVAL (into itself) EBUSY (`/`)
   */
  rename(from: string, to: string): Promise<void>
  /** Resolves when everything acknowledged so far is as durable as the storage gets. @throws EIO */
  flush(): Promise<void>
  /** Flushes and lets go of the storage. Idempotent; a later call of another method is EIO. */
  close(): Promise<void>

  /** The target as written, not resolved. @throws EINVAL (not a link) ENOENT ENOTDIR */
  readlink?(path: string): Promise<string>
  /** Makes a link with this target, verbatim. @throws EEXIST ENOENT ENOTDIR */
  symlink?(target: string, path: string): Promise<void>
  /** Appends to an existing file. @throws ENOENT EISDIR ENOTDIR ELOOP ENOSPC EFBIG */
  append?(path: string, bytes: Uint8Array): Promise<void>
  /** Copies one file's content and mode over `to`, creating or replacing it. @throws as read and write */
  copy?(from: string, to: string): Promise<void>
  /** Removes an entry with everything below it; links are removed, never followed. @throws ENOENT; EBUSY for `/` */
  rmTree?(path: string): Promise<void>
  /** Sets permission bits and time of a file or directory. @throws ENOENT ENOTSUP (a bit that cannot be kept) */
  setMeta?(path: string, meta: { readonly mode?: number; readonly mtimeMs?: number }): Promise<void>
  /**
   * Changes nothing. Present only where a rename may replace a file that this process has no permission to write.
   * @throws EACCES for such a file
   */
  checkWrite?(path: string): Promise<void>
  /**
   * Sizes and times of files of one directory, in the order of their names; undefined for whatever is left to `lstat`. Present only where it
   * is quicker than an `lstat` each. @throws as readdir
   */
  timesBelow?(directory: string, names: readonly string[]): Promise<(FsTimes | undefined)[]>
  /**
   * Contents of files of one directory, in the order of their names, of those that hold the needle; undefined for whatever is left to `read`:
   * files with a NUL, files over 64 KiB, failures. A storage that would hand out its own bytes leaves those files to `read`, too. Present only
   * where it is quicker than a `read` each. @throws as readdir
   */
  scanBelow?(directory: string, names: readonly string[], needle?: Uint8Array): Promise<Scanned[]>
  /**
   * How many bytes there are in a range of a file; undefined if a NUL or the needle is among them, or no line break and the range is full.
   * Present only where it is quicker than to `read` and decode them. @throws as read
   */
  skim?(path: string, needle: Uint8Array, range: Required<ReadOptions>): Promise<number | undefined>
  /** What is stored now, counted without a walk. */
  usage?(): Promise<FsUsage>
  /** Keeps the tree as it is now, in no time and without copying it. Present only where the storage can. */
  checkpoint?(): Promise<FsMoment>
  /** The path on the machine, for a real shell. Present only where there is one. */
  hostPath?(path: string): string
}
