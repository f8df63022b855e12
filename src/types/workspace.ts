import type { Checkpoint, CheckpointLimits, CheckpointOptions, Restored, RestoreOptions, TreeDiff } from './checkpoint.js'
import type { FileKind, FsAdapter, FsEntry, FsStat } from './fs.js'
import type { Host } from './host.js'

/** The operation that a path rule covers. */
export type Access = 'read' | 'write'

/**
 * Allows, denies or asks for access to paths of a workspace.
 *
 * @example
 * ```ts
 * const rule = { paths: ['secrets', '*.key'], action: 'deny', reason: 'Secrets stay with the host' } as const
 * ```
 */
export interface PathRule {
  /**
   * Globs for paths relative to the root, without a leading slash (`secrets`, `**\/.env`, `*.key`). A match covers everything below the
   * path. Matching is case-sensitive unless the storage ignores case.
   */
  readonly paths: string | readonly string[]
  /** Default: both reads and writes. */
  readonly access?: Access
  /**
   * `ask` calls the runtime's `approve`. Without approval, access fails with the PolicyError `approval_required`, through a facade with
   * EACCES.
   */
  readonly action: 'allow' | 'deny' | 'ask'
  /** The model sees this text. */
  readonly reason?: string
}

/** The access rules of a workspace. */
export interface WorkspacePolicy {
  /** Rejects every write (EROFS), whatever the rules say. Default false. */
  readonly readOnly?: boolean
  /** The first matching rule decides. Access without a matching rule is allowed. The workspace checks the resolved path. */
  readonly paths?: readonly PathRule[]
}

/** Upper limits for the content of a workspace. A write over a limit fails with ENOSPC, for one file with EFBIG. */
export interface Quotas {
  /** Sum of all file sizes in bytes; default unlimited. */
  readonly bytes?: number
  /** Number of files, directories and links; default unlimited. */
  readonly files?: number
  /**
   * Maximum bytes of one file. Default 16 MiB; with the default, an append counts only the appended bytes. A limit that you set counts the
   * whole file.
   */
  readonly fileBytes?: number
}

/** A mounted storage with its options. */
export interface MountOptions {
  readonly fs: FsAdapter
  /** Rejects writes, removals and moves out of the mount with EROFS. Default false. */
  readonly readOnly?: boolean
}

/** Maps a path below the root (`docs`, `data/raw`, `/workspace/docs`) to the storage that holds everything below it. */
export type Mounts = Readonly<Record<string, FsAdapter | MountOptions>>

/** Options of `createWorkspace`. Only `fs` is required. */
export interface WorkspaceOptions {
  readonly fs: FsAdapter
  /** Other storages below the root. The workspace opens, flushes and closes them, and quotas include them. Default: none. */
  readonly mounts?: Mounts
  /** Virtual root: an absolute normalised path. Default `fs.suggestedRoot`, else `/workspace`. */
  readonly root?: string
  /** Working directory for relative paths: a virtual path. Default the root. */
  readonly cwd?: string
  /** Clock, randomness and timers. Default those of the system. */
  readonly host?: Host
  readonly policy?: WorkspacePolicy
  readonly quotas?: Quotas
  /** Limits for the stored checkpoints. Default: 100 checkpoints, 256 MiB. */
  readonly checkpoints?: CheckpointLimits
  /** How to treat a backslash in an input path: reject it (`refuse`, the default) or read it as `/` (`separator`). */
  readonly backslash?: 'refuse' | 'separator'
  /** Number of links that one path may pass through before ELOOP; default 40. */
  readonly maxSymlinks?: number
}

/** A text file, as `Workspace.readText` returns it. */
export interface TextFile {
  /** Resolved virtual path. */
  readonly path: string
  /** The content without its byte order mark. */
  readonly text: string
  /** Whether the file begins with a byte order mark. */
  readonly bom: boolean
  /** Bytes in the storage, including the byte order mark. */
  readonly size: number
  /** Pass this version as `expect` to a later write to detect a stale write. */
  readonly version: string
}

/** Options of `Workspace.readText`. */
export interface ReadTextOptions {
  /** Rejects a larger file with EFBIG before reading it. Default unlimited. */
  readonly maxBytes?: number
  /** Verb for error messages. Default `read`. */
  readonly op?: string
}

/** The content of a file as bytes, as `Workspace.readBytes` returns it. */
export interface BytesFile {
  /** Resolved virtual path. */
  readonly path: string
  readonly bytes: Uint8Array
  /** Pass this version as `expect` to a later write to detect a stale write. */
  readonly version: string
}

/** Options of `Workspace.writeText` and `Workspace.writeBytes`. */
export interface WriteFileOptions {
  /** `overwrite` (default) creates or replaces, `create` fails with EEXIST if the file exists, `append` adds at the end. */
  readonly mode?: 'overwrite' | 'create' | 'append'
  /** Rejects the write with ESTALE unless the file still has this version. */
  readonly expect?: string
  /** Whether `writeText` begins the file with a byte order mark. Default false. */
  readonly bom?: boolean
  /** Create missing parent directories; default true. */
  readonly parents?: boolean
  /** Rejects a new name (EEXIST) that differs from an existing name only in its Unicode form (NFC, NFD). Default false. */
  readonly distinct?: boolean
}

/** The result of a write. */
export interface Written {
  /** Resolved virtual path. */
  readonly path: string
  readonly created: boolean
  /** Size before the write; 0 for a new file. */
  readonly bytesBefore: number
  readonly bytesAfter: number
  /** The version after the write. */
  readonly version: string
}

/** Options of `Workspace.move` and `Workspace.copy`. */
export interface PairOptions {
  /** Replace the destination: a file or link replaces a file or link, a directory replaces an empty directory. Default false. */
  readonly overwrite?: boolean
  /** Rejects (EACCES) replacing a file that this process may not write. A plain rename would replace such a file. Default false. */
  readonly ifWritable?: boolean
  /** Create missing parent directories of the destination; default true. */
  readonly parents?: boolean
  /** Rejects a destination (EEXIST) that differs from an existing name only in its Unicode form. Default false. */
  readonly distinct?: boolean
  /**
   * Stops the copy of a directory, or a move between storages, before its last step. The workspace then removes the entries that it copied.
   */
  readonly signal?: AbortSignal
}

/** The result of a move, with virtual paths. */
export interface Moved {
  readonly from: string
  readonly to: string
  readonly kind: FileKind
  /** Whether the move replaced an existing destination. */
  readonly replaced: boolean
}

/** One entry of a walk. */
export interface WalkEntry {
  /** Virtual path. */
  readonly path: string
  readonly name: string
  readonly kind: FileKind
  readonly size?: number
  /** 1 for the entries of the start directory. */
  readonly depth: number
}

/**
 * Decides by name, before any read, which entries a walk yields and which directories it enters. `S` is the state that the filter keeps per
 * directory.
 */
export interface WalkFilter<S = unknown> {
  /** The state of the start directory. */
  readonly start: S
  /** Returns the state of the subdirectory `name`, or undefined to skip it. */
  enter(state: S, name: string): S | undefined
  /** Whether the walk yields this entry. The walk may still enter a directory that it does not yield. */
  accept(state: S, name: string, kind: FileKind): boolean
  /** Estimated microseconds of one decision, so that the walk yields to other work in time. Default 1. */
  readonly cost?: number
}

/** Options of `Workspace.walk`. */
export interface WalkOptions {
  readonly filter?: WalkFilter
  /** Include entries whose names begin with a dot, and everything below them; default true. */
  readonly hidden?: boolean
  /** Skip `.git`, the paths that `.gitignore` files list and the runtime's spill folder; default true. */
  readonly ignore?: boolean
  /** 1 = the entries of the start directory only. Default unlimited. */
  readonly maxDepth?: number
  readonly signal?: AbortSignal
  /**
   * Called for each entry that the walk has to skip; the walk then continues. These entries are directories that the walk cannot list,
   * FIFOs, sockets and devices that the filter accepts as files (ENOTSUP), and entries that `usable` excludes. Without this function, the
   * walk skips the same entries silently, but rejects for a directory that exists and cannot be listed. With or without it, the walk
   * rejects if the start directory cannot be listed.
   */
  readonly onError?: (path: string, error: unknown) => void
  /**
   * Skip entries whose names no input path can express (a backslash, a path that is too long), with everything below, and report them to
   * `onError`. Default false.
   */
  readonly usable?: boolean
  /** Resume after this virtual path below the start directory: the last path of the previous page. */
  readonly after?: string
}

/** The approvals of one call. */
export interface WorkspaceScope {
  /** Decides when a path rule says `ask`. Without this function, access fails with the PolicyError `approval_required`. */
  readonly approve?: (request: { readonly path: string; readonly access: Access; readonly reason?: string }) => Promise<boolean>
}

/**
 * The tree that every tool uses. Adds path rules, links, text, locks, versions, quotas and policy to an `FsAdapter`.
 *
 * Input paths are absolute or relative to `cwd`. Every returned path is a virtual path: absolute, beginning with `root`. Methods reject
 * with `FsError`, `WorkspaceError`, `InputError` or `PolicyError`, always with virtual paths.
 */
export interface Workspace {
  readonly fs: FsAdapter
  readonly host: Host
  /** Virtual path of the adapter's root. */
  readonly root: string
  readonly cwd: string
  readonly readOnly: boolean

  /** Converts an input path to a virtual path by its text alone, without following links. @throws WorkspaceError */
  resolve(path: string): string
  /**
   * Resolves all links of a path; its last component may be missing. `op`: as for `stat`. @throws WorkspaceError symlink_escape, FsError
   */
  realpath(path: string, op?: string): Promise<string>
  /** Converts a virtual path to a path relative to the root (`''` for the root itself). */
  relative(path: string): string
  /** Describes an entry, following links. `op` is the verb for error messages, default `stat`. */
  stat(path: string, op?: string): Promise<FsStat>
  /** Describes the entry itself, without following a link. `op`: as for `stat`. */
  lstat(path: string, op?: string): Promise<FsStat>
  /** Resolves to false for a missing entry; rejects for a forbidden path. */
  exists(path: string, op?: string): Promise<boolean>
  readlink(path: string): Promise<string>
  /** Lists a directory, sorted by code unit, without FIFOs, sockets and devices. */
  list(path: string): Promise<FsEntry[]>
  /**
   * Yields everything below a directory in sorted depth-first order (names by code unit, a directory before its content), in batches of
   * some hundred entries. Reports links and never follows them.
   */
  walk(path: string, options?: WalkOptions): AsyncIterable<readonly WalkEntry[]>
  readBytes(path: string, options?: { readonly offset?: number; readonly length?: number }): Promise<BytesFile>
  /** @throws WorkspaceError binary_file if the content is not UTF-8 text */
  readText(path: string, options?: ReadTextOptions): Promise<TextFile>
  /** Writes a file. The caller must not change the array until the promise settles, because the workspace does not copy it. */
  writeBytes(path: string, bytes: Uint8Array, options?: WriteFileOptions): Promise<Written>
  /** @throws InputError for a lone surrogate, which UTF-8 cannot encode */
  writeText(path: string, text: string, options?: WriteFileOptions): Promise<Written>
  /** @throws EEXIST if a file has this path; with `parents: false` also for a directory, and ENOENT for a missing parent */
  mkdir(path: string, options?: { readonly parents?: boolean }): Promise<{ readonly path: string; readonly created: boolean }>
  /** @throws ENOTSUP if the storage does not keep the mode or the time */
  setMeta(path: string, meta: { readonly mode?: number; readonly mtimeMs?: number }): Promise<void>
  symlink(target: string, path: string): Promise<void>
  /** Removes a link itself, not its target. @throws ENOTEMPTY without `recursive`; EBUSY for the root */
  remove(path: string, options?: { readonly recursive?: boolean }): Promise<{ readonly path: string; readonly kind: FileKind }>
  /** Moves a link itself, not its target. @throws EEXIST unless `overwrite` */
  move(from: string, to: string, options?: PairOptions): Promise<Moved>
  /** Copies a file, a link, or a directory with everything below it. @throws EEXIST unless `overwrite` (files only) */
  copy(from: string, to: string, options?: PairOptions): Promise<{ readonly from: string; readonly to: string }>
  /** Returns every file by its path relative to the root: UTF-8 content as text, other content as bytes. */
  files(): Promise<Record<string, string | Uint8Array>>
  /**
   * Stores the current tree as a checkpoint. Waits for running changes, except within `locked`: there, the checkpoint may contain a part of
   * the changes of other calls. On a durable storage, later workspaces find the checkpoint again.
   *
   * @throws {FsError} EROFS if the workspace is read-only; ENOSPC if there is not enough space for the checkpoint
   */
  checkpoint(options?: CheckpointOptions): Promise<Checkpoint>
  /** Lists the stored checkpoints, oldest first. */
  checkpoints(): Promise<readonly Checkpoint[]>
  /**
   * Compares two checkpoints, or a checkpoint with the current tree (`now`, the default).
   *
   * @throws {InputError} `no_match` for an unknown checkpoint
   */
  diff(from: string, to?: string): Promise<TreeDiff>
  /**
   * Restores the tree of a checkpoint, all or nothing. First stores the current tree as a new checkpoint, so that you can undo the restore.
   * Checks rules and quotas before it changes anything. Does not restore modification times.
   *
   * @throws {InputError} `no_match` for an unknown checkpoint; {FsError} EROFS EACCES ENOSPC; ENOENT for one of `paths` that exists neither
   * now nor in the checkpoint
   */
  restore(id: string, options?: RestoreOptions): Promise<Restored>
  /**
   * Holds the locks of these paths (exclusive, and shared on their parents) while `body` runs with a workspace that may use them. Takes
   * locks in sorted order, so that two calls cannot deadlock.
   */
  locked<T>(paths: readonly string[], body: (workspace: Workspace) => Promise<T>): Promise<T>
  /** Returns a workspace on the same tree that uses the approvals of one call. */
  scope(scope: WorkspaceScope): Workspace
  flush(): Promise<void>
  close(): Promise<void>
}
