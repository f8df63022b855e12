import type { Checkpoint, CheckpointLimits, CheckpointOptions, Restored, RestoreOptions, TreeDiff } from './checkpoint.js'
import type { FileKind, FsAdapter, FsEntry, FsStat } from './fs.js'
import type { Host } from './host.js'

/** What an operation does to a path, for path rules. */
export type Access = 'read' | 'write'

export interface PathRule {
  /**
   * Globs over the path relative to the root, without a leading slash (`secrets`, `**\/.env`, `*.key`). What fits is covered with
   * everything below it. Case counts unless the storage ignores it.
   */
  readonly paths: string | readonly string[]
  /** Default both. */
  readonly access?: Access
  /** `ask` goes to the runtime's `approve`; through a facade or without one it is EACCES. */
  readonly action: 'allow' | 'deny' | 'ask'
  /** Told to the model. */
  readonly reason?: string
}

export interface WorkspacePolicy {
  /** Nothing is written, by anyone, whatever the rules say. Default false. */
  readonly readOnly?: boolean
  /** The first rule that fits decides; none: allowed. Checked on the resolved path. */
  readonly paths?: readonly PathRule[]
}

export interface Quotas {
  /** Sum of file sizes; default none. */
  readonly bytes?: number
  /** Files, directories and links; default none. */
  readonly files?: number
  /** One file; default 16 MiB, of which an append counts only what it adds. */
  readonly fileBytes?: number
}

/** Another storage in the tree. */
export interface MountOptions {
  readonly fs: FsAdapter
  /** Nothing in it is written, removed or moved out, by anyone: EROFS. Default false. */
  readonly readOnly?: boolean
}

/** Where, a path below the root (`docs`, `data/raw`, `/workspace/docs`) -> the storage that has everything there. */
export type Mounts = Readonly<Record<string, FsAdapter | MountOptions>>

export interface WorkspaceOptions {
  readonly fs: FsAdapter
  /** Other storages below the root. They are opened, flushed and closed with it; quotas count all of them. Default none. */
  readonly mounts?: Mounts
  /** Virtual root: an absolute normalised path. Default `fs.suggestedRoot`, else `/workspace`. */
  readonly root?: string
  /** Where relative paths start: a virtual path. Default the root. */
  readonly cwd?: string
  readonly host?: Host
  readonly policy?: WorkspacePolicy
  readonly quotas?: Quotas
  readonly checkpoints?: CheckpointLimits
  /** A backslash in an input path: refuse it (default) or read it as `/`. */
  readonly backslash?: 'refuse' | 'separator'
  /** Link hops before ELOOP; default 40. */
  readonly maxSymlinks?: number
}

/** A path in the workspace, with what the adapter calls it. */
export interface TextFile {
  /** Resolved virtual path. */
  readonly path: string
  /** Content as it is, byte order mark removed. */
  readonly text: string
  readonly bom: boolean
  /** Bytes on the storage, with the mark. */
  readonly size: number
  readonly version: string
}

export interface ReadTextOptions {
  /** Refuse a larger file with EFBIG, before it is read. Default no limit. */
  readonly maxBytes?: number
  /** The verb of error messages, default `read`. */
  readonly op?: string
}

export interface BytesFile {
  readonly path: string
  readonly bytes: Uint8Array
  readonly version: string
}

export interface WriteFileOptions {
  /** `overwrite` (default) creates or replaces, `create` refuses an existing file, `append` adds at the end. */
  readonly mode?: 'overwrite' | 'create' | 'append'
  /** Refuse with ESTALE unless the file still has this version. */
  readonly expect?: string
  /** Begin the file with a byte order mark (text only). */
  readonly bom?: boolean
  /** Make missing parents; default true. */
  readonly parents?: boolean
  /** Refuse a new name (EEXIST) that differs from one that is there only in its Unicode form (NFC, NFD). Default false. */
  readonly distinct?: boolean
}

export interface Written {
  /** Resolved virtual path. */
  readonly path: string
  readonly created: boolean
  readonly bytesBefore: number
  readonly bytesAfter: number
  readonly version: string
}

export interface PairOptions {
  /** Replace what is at the destination: a file or link by one, an empty directory by a directory. Default false. */
  readonly overwrite?: boolean
  /** Refuse (EACCES) to replace a file that a write could not change, as a rename alone would. Default false. */
  readonly ifWritable?: boolean
  /** Make missing parents of the destination; default true. */
  readonly parents?: boolean
  /** As for a write: refuse a destination that differs from a name that is there only in its Unicode form. Default false. */
  readonly distinct?: boolean
  /** Stops the copy of a directory, and a move from one storage to another, as long as nothing is final: what was copied is removed. */
  readonly signal?: AbortSignal
}

export interface Moved {
  readonly from: string
  readonly to: string
  readonly kind: FileKind
  readonly replaced: boolean
}

export interface WalkEntry {
  /** Virtual path. */
  readonly path: string
  /** The virtual path of the directory that holds it: one string for all its entries. */
  readonly folder: string
  readonly name: string
  readonly kind: FileKind
  readonly size?: number
  /** 1 for the entries of the start directory. */
  readonly depth: number
}

/**
 * What a walk keeps and where it descends, decided by name before anything is read. `S` is the matcher's state of one directory.
 */
export interface WalkFilter<S = unknown> {
  /** The state of the start directory. */
  readonly start: S
  /** The state of the subdirectory `name`, or undefined: it is not read. */
  enter(state: S, name: string): S | undefined
  /** Whether this entry is yielded. Directories that are not accepted may still be entered. */
  accept(state: S, name: string, kind: FileKind): boolean
  /** About how many microseconds a question may take, so that the walk gives way in time. Default 1. */
  readonly cost?: number
}

export interface WalkOptions {
  readonly filter?: WalkFilter
  /** Entries whose names begin with a dot, and everything below them; default true. */
  readonly hidden?: boolean
  /** Leave out what `.gitignore` files name, `.git` and the runtime's own spill folder; default true. */
  readonly ignore?: boolean
  /** 1 = the entries of the start directory only. Default unlimited. */
  readonly maxDepth?: number
  readonly signal?: AbortSignal
  /**
   * Told of each directory below the start that could not be listed, of FIFOs, sockets and devices that the filter accepts as files
   * (ENOTSUP), and of what `usable` passes over; the walk goes on. Default: those, and one that is gone meanwhile, are passed over, for
   * any other directory the walk rejects. The start itself always has to be readable.
   */
  readonly onError?: (path: string, error: unknown) => void
  /**
   * Pass over entries whose names no input path can hold (a backslash, a path that is too long), with everything below, and tell
   * `onError`. Default false.
   */
  readonly usable?: boolean
  /** Start behind this path (virtual, below the start directory): the last one of an earlier page. */
  readonly after?: string
}

/** Access for one call: who is asked when a path rule says `ask`, and what stops it. */
export interface WorkspaceScope {
  readonly approve?: (request: { readonly path: string; readonly access: Access; readonly reason?: string }) => Promise<boolean>
}

/**
 * The tree that every tool touches: path rules, links, text, locks, versions, quotas and policy over one `FsAdapter`.
 *
 * Input paths are absolute or relative to `cwd`. Everything returned or printed is a virtual path: absolute, beginning with `root`.
 * Methods reject with `FsError`, `WorkspaceError`, `InputError` or `PolicyError`, always with virtual paths.
 */
export interface Workspace {
  readonly fs: FsAdapter
  readonly host: Host
  /** Virtual path of the adapter's root. */
  readonly root: string
  readonly cwd: string
  readonly readOnly: boolean

  /** Input path to virtual path, by its text alone: no link is followed. @throws WorkspaceError */
  resolve(path: string): string
  /** The virtual path with every link resolved; the last component may be missing. `op`: as for `stat`. @throws WorkspaceError symlink_escape, FsError */
  realpath(path: string, op?: string): Promise<string>
  /** Virtual path relative to the root (`''` for the root itself). */
  relative(path: string): string
  /** Follows links. `op` is the verb of error messages, default `stat`. */
  stat(path: string, op?: string): Promise<FsStat>
  /** The entry itself. `op`: as for `stat`. */
  lstat(path: string, op?: string): Promise<FsStat>
  /** False for missing; rejects for a path that is refused. */
  exists(path: string, op?: string): Promise<boolean>
  readlink(path: string): Promise<string>
  /** Sorted by code unit; without FIFOs, sockets and devices. */
  list(path: string): Promise<FsEntry[]>
  /**
   * Everything below a directory in sorted depth-first order (each directory's names by code unit, a directory before its content), in
   * runs of some hundred entries. Links are reported, never followed.
   */
  walk(path: string, options?: WalkOptions): AsyncIterable<readonly WalkEntry[]>
  readBytes(path: string, options?: { readonly offset?: number; readonly length?: number }): Promise<BytesFile>
  /** @throws WorkspaceError binary_file when it is not UTF-8 text. */
  readText(path: string, options?: ReadTextOptions): Promise<TextFile>
  /** The array must stay as it is until the promise settles: it is copied once, by the storage. */
  writeBytes(path: string, bytes: Uint8Array, options?: WriteFileOptions): Promise<Written>
  /** @throws InputError for a lone surrogate, which no encoding can keep. */
  writeText(path: string, text: string, options?: WriteFileOptions): Promise<Written>
  /** @throws EEXIST when a file is there; with `parents: false` also for a directory, and ENOENT for a missing parent */
  mkdir(path: string, options?: { readonly parents?: boolean }): Promise<{ readonly path: string; readonly created: boolean }>
  /** @throws ENOTSUP where the storage keeps no such thing */
  setMeta(path: string, meta: { readonly mode?: number; readonly mtimeMs?: number }): Promise<void>
  symlink(target: string, path: string): Promise<void>
  /** A link is removed, not its target. @throws ENOTEMPTY without `recursive`; EBUSY for the root */
  remove(path: string, options?: { readonly recursive?: boolean }): Promise<{ readonly path: string; readonly kind: FileKind }>
  /** A link is moved, not its target. @throws EEXIST unless `overwrite` */
  move(from: string, to: string, options?: PairOptions): Promise<Moved>
  /** A file, a link, or a directory with everything below it. @throws EEXIST unless `overwrite` (files only) */
  copy(from: string, to: string, options?: PairOptions): Promise<{ readonly from: string; readonly to: string }>
  /** Every file by its path relative to the root: text where it is UTF-8, else bytes. */
  files(): Promise<Record<string, string | Uint8Array>>
  /**
   * Keeps the tree as it is now, and gives its name. Waits until no call changes anything; within `locked`, where it cannot wait for the
   * others, what they are just doing may be in it by half. Storages that last keep it for the next workspace on them.
   *
   * @throws {FsError} EROFS: nothing can change; ENOSPC: there is no room for what it needs
   */
  checkpoint(options?: CheckpointOptions): Promise<Checkpoint>
  /** Those that are kept, the oldest first. */
  checkpoints(): Promise<readonly Checkpoint[]>
  /** What differs from one checkpoint to another, or to now (`now`, the default). @throws {InputError} `no_match`: there is no such one */
  diff(from: string, to?: string): Promise<TreeDiff>
  /**
   * Makes the tree what it was. What it was just before is kept as a checkpoint, so this can be undone. All of it or nothing: rules and
   * quotas are asked before anything is touched. Modification times are not put back.
   *
   * @throws {InputError} `no_match`; {FsError} EROFS EACCES ENOSPC; ENOENT for one of `paths` that is neither there nor was
   */
  restore(id: string, options?: RestoreOptions): Promise<Restored>
  /**
   * Holds the locks of these paths (exclusive, and shared on their parents) while the body runs with a workspace that may use them.
   * Paths are taken in sorted order, so two calls cannot block each other.
   */
  locked<T>(paths: readonly string[], body: (workspace: Workspace) => Promise<T>): Promise<T>
  /** The same tree with the approvals of one call. */
  scope(scope: WorkspaceScope): Workspace
  flush(): Promise<void>
  close(): Promise<void>
}
