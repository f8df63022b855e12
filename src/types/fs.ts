/** The kind of a directory entry. `symlink` is the link itself: no adapter follows links. */
export type FileKind = 'file' | 'dir' | 'symlink'

/** Describes one entry of a storage, as `FsAdapter.lstat` returns it. */
export interface FsStat {
  readonly kind: FileKind
  /** Bytes: of the content for a file, of the target text for a link, 0 for a directory. */
  readonly size: number
  /** Milliseconds since the epoch; 0 if the storage stores no times. */
  readonly mtimeMs: number
  /** Permission bits only (`0o755`), without the type bits; absent unless `can.mode`. */
  readonly mode?: number
  /** An opaque string that changes with every write of the content. Without it, the workspace compares size and time. */
  readonly version?: string
}

/** One entry of a directory listing. */
export interface FsEntry {
  readonly name: string
  readonly kind: FileKind
  /** Size in bytes, if the adapter knows it without another request. This saves one `lstat` per entry. */
  readonly size?: number
}

/** A FIFO, socket or device, which only local directories contain. Tools can only move or remove its parent directory. */
export interface FsOther {
  readonly name: string
  readonly kind: 'other'
  readonly size?: never
}

/** Size and modification time of a file, without its other metadata. */
export type FsTimes = Pick<FsStat, 'size' | 'mtimeMs'>

/**
 * The result of scanning one file: its content; `absent` if the file contains neither a NUL nor the needle; undefined if the caller must
 * `read` the file.
 */
export type Scanned = Uint8Array | 'absent' | undefined

/** What a storage guarantees. Tools and runtimes read it as `FsAdapter.can`. */
export interface FsCapabilities {
  /** The storage keeps permission bits. */
  readonly mode: boolean
  /** A reader sees either the old or the new content, never a mixture, even after a crash. */
  readonly atomicReplace: boolean
  /** The storage renames a directory atomically. */
  readonly dirRename: boolean
  /** An acknowledged write is durable without `flush()`. */
  readonly durableOnAck: boolean
  /** `A` and `a` are different names. */
  readonly caseSensitive: boolean
  /** Another process that swaps a directory for a link during a call cannot cause a sandbox escape. */
  readonly raceSafe: boolean
  /** `memory`: lost with the process or page. `best-effort`: the browser may clear it. `durable`: stays until somebody deletes it. */
  readonly persistence: 'memory' | 'best-effort' | 'durable'
}

/** `always` creates or replaces, `never` replaces only (ENOENT), `exclusive` creates only (EEXIST). */
export type CreateMode = 'always' | 'never' | 'exclusive'

/** Options of `FsAdapter.write`. */
export interface WriteOptions {
  /** Whether the write may create or replace a file. Default `always`. */
  readonly create?: CreateMode
  /**
   * The version of the file to replace. A storage that other processes change compares versions right before the replacement and rejects a
   * stale write with ESTALE. Other storages may ignore this option, because the workspace has compared the version under its lock.
   */
  readonly expect?: string
}

/** The range that `FsAdapter.read` returns. */
export interface ReadOptions {
  /** First byte; default 0. An offset past the end returns no bytes. */
  readonly offset?: number
  /** Maximum number of bytes; default to the end. A shorter result means that the file ended. */
  readonly length?: number
}

/** The space that a storage uses, as `FsAdapter.usage` returns it. */
export interface FsUsage {
  /** Sum of the sizes of all files. */
  readonly bytes: number
  /** Number of files, directories and links below the root. */
  readonly files: number
}

/** The state of an entry at one moment, with its link target. */
export interface FsImage extends FsStat {
  /** The target of a link, as written. */
  readonly target?: string
}

/** One adapter path that differs between two moments of a storage. */
export interface FsDifference {
  readonly path: string
  /** Absent if the path did not exist before. */
  readonly before?: FsImage
  /** Absent if the path does not exist after. */
  readonly after?: FsImage
}

/** The immutable state of a storage at one moment. Later writes do not change it. Its memory is freed when the caller drops the object. */
export interface FsMoment {
  /**
   * Compares this moment with another moment of the same storage, or with the current state. The other moment may be older or newer;
   * `before` always describes this moment. Rewriting the same content is not a difference, and neither is a new modification time alone.
   * The cost depends on the number of differences, not on the size of the tree. @throws {FsError} EINVAL: the moment belongs to another
   * storage
   */
  diff(to?: FsMoment): Promise<FsDifference[]>
  /** Describes an entry at that moment. @throws {FsError} ENOENT */
  lstat(path: string): Promise<FsImage>
  /** Reads the whole content of a file at that moment. @throws {FsError} ENOENT EISDIR ELOOP (a link) */
  read(path: string): Promise<Uint8Array>
}

/**
 * The storage port that the tools run on. It handles bytes only: no text, no policy.
 *
 * Paths are absolute and normalised. They begin with `/`, the adapter's own root, and have no `.`, `..`, empty component, trailing slash or
 * NUL. Adapters never follow a symlink: reading, writing or listing a link fails with `ELOOP`, and so does a path with a link before its
 * last component. The workspace resolves links before it calls the adapter.
 *
 * Every method rejects only with `FsError`, which names the adapter path from the call. An optional method that is present is a capability.
 * An option that the adapter cannot honour fails with `ENOTSUP`; adapters never ignore it. Adapters copy byte arrays on the way in, before
 * the first await, and on the way out, so that callers own their arrays.
 *
 * The interface leaves out synchronous methods, file descriptors, watching, globbing and recursive options on purpose.
 */
export interface FsAdapter {
  readonly name: string
  readonly can: FsCapabilities
  /** The virtual root that fits this storage (Node: the real path of its directory). Default `/workspace`. */
  readonly suggestedRoot?: string

  /** Opens the storage immediately, so that failures show early. Idempotent. Every other method opens the storage on first use. */
  open?(): Promise<void>
  /** Describes the entry itself, without following a link. @throws ENOENT ENOTDIR ELOOP */
  lstat(path: string): Promise<FsStat>
  /** Lists the entries of a directory, in any order. @throws ENOENT ENOTDIR ELOOP */
  readdir(path: string): Promise<(FsEntry | FsOther)[]>
  /** Reads a file or a range of it into a new Uint8Array. @throws ENOENT EISDIR ENOTDIR ELOOP */
  read(path: string, options?: ReadOptions): Promise<Uint8Array>
  /** Replaces the whole content. The parent must exist. @throws ENOENT EEXIST EISDIR ENOTDIR ELOOP ENOSPC EFBIG */
  write(path: string, bytes: Uint8Array, options?: WriteOptions): Promise<void>
  /** Makes one directory. @throws EEXIST (for any existing entry, `/` too) ENOENT ENOTDIR ELOOP */
  mkdir(path: string): Promise<void>
  /** Removes a file or a link. @throws ENOENT EISDIR ENOTDIR ELOOP */
  unlink(path: string): Promise<void>
  /** Removes an empty directory. @throws ENOENT ENOTDIR ENOTEMPTY ELOOP; EBUSY for `/` */
  rmdir(path: string): Promise<void>
  /**
   * POSIX rename. The same path is a no-op; a file or link replaces a file or link; a directory replaces an empty directory. A link itself
   * is moved, not its target. @throws ENOENT EISDIR (onto a directory) ENOTDIR (directory onto a file) ENOTEMPTY EINVAL (into itself) EBUSY
   * (`/`)
   */
  rename(from: string, to: string): Promise<void>
  /** Resolves when all acknowledged writes are as durable as the storage allows. @throws EIO */
  flush(): Promise<void>
  /** Flushes and releases the storage. Idempotent. Later calls of other methods fail with EIO. */
  close(): Promise<void>

  /** Reads the target of a link as written, without resolving it. @throws EINVAL (not a link) ENOENT ENOTDIR */
  readlink?(path: string): Promise<string>
  /** Makes a link with this target, verbatim. @throws EEXIST ENOENT ENOTDIR */
  symlink?(target: string, path: string): Promise<void>
  /** Appends to an existing file. @throws ENOENT EISDIR ENOTDIR ELOOP ENOSPC EFBIG */
  append?(path: string, bytes: Uint8Array): Promise<void>
  /** Copies the content and mode of one file to `to`, creating or replacing it. @throws as read and write */
  copy?(from: string, to: string): Promise<void>
  /** Removes an entry with everything below it; links are removed, never followed. @throws ENOENT; EBUSY for `/` */
  rmTree?(path: string): Promise<void>
  /** Sets permission bits and time of a file or directory. @throws ENOENT ENOTSUP (the storage cannot keep a bit) */
  setMeta?(path: string, meta: { readonly mode?: number; readonly mtimeMs?: number }): Promise<void>
  /**
   * Checks write permission without changing anything. Present only if a rename could replace a file that this process may not write.
   * @throws EACCES for such a file
   */
  checkWrite?(path: string): Promise<void>
  /**
   * Returns the size and time of each named file of one directory, in the order of `names`; undefined for a file that the caller must
   * `lstat`. Present only if it is faster than one `lstat` per file. @throws as readdir
   */
  timesBelow?(directory: string, names: readonly string[]): Promise<(FsTimes | undefined)[]>
  /**
   * Searches the named files of one directory, in the order of `names`. Returns the content of each file that contains the needle, `absent`
   * for a file without it, and undefined for a file that the caller must `read`: with a NUL, over 64 KiB, or after a failure. A storage
   * that would have to return its own bytes also returns undefined. Present only if it is faster than one `read` per file. @throws as
   * readdir
   */
  scanBelow?(directory: string, names: readonly string[], needle?: Uint8Array): Promise<Scanned[]>
  /**
   * Counts the bytes in a range of a file. Returns undefined if the range contains a NUL or the needle, or if it is full and has no line
   * break. Present only where it is faster than reading and decoding. @throws as read
   */
  skim?(path: string, needle: Uint8Array, range: Required<ReadOptions>): Promise<number | undefined>
  /** Returns the used space, without walking the tree. */
  usage?(): Promise<FsUsage>
  /** Keeps the current tree without copying it. Present only if the storage supports this. */
  checkpoint?(): Promise<FsMoment>
  /** Returns the path on the machine, for a real shell. Present only if files have such paths. */
  hostPath?(path: string): string
}
