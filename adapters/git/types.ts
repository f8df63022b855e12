import type { FetchAdapter } from '../../src/types/ports.js'
import type { Workspace } from '../../src/types/workspace.js'
import type { GitModule } from './library.js'

/** Who made a commit. */
export interface GitPerson {
  readonly name: string
  readonly email: string
  /** Seconds since the epoch; default the workspace's clock. */
  readonly timestamp?: number
  /** Minutes that UTC is ahead of local time (`-60` in Berlin in winter), as `Date` has it; default 0. */
  readonly timezoneOffset?: number
}

/** What a server is shown. `headers` are sent as they are and win over name and password. */
export interface GitCredentials {
  readonly username?: string
  /** A password or a token. */
  readonly password?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface GitOptions {
  readonly workspace: Workspace
  /** The repository's directory, absolute or relative to the workspace's `cwd`. Default the root. */
  readonly dir?: string
  /** The way to the network, for `clone`. Its origins, timeout and size cap hold. */
  readonly fetch?: FetchAdapter
  /** For browsers: a CORS proxy. With a `?` at its end the whole address is put behind it, else the address without `https://`. */
  readonly corsProxy?: string
  /** The author of commits that name none. Without it `user.name` and `user.email` of the repository's config. */
  readonly author?: GitPerson
  /** Sent to the server when it asks (401), and to the CORS proxy if there is one. Never stored and never in a message. */
  readonly credentials?: GitCredentials
  /** Asked for credentials when the server wants some and `credentials` is absent; undefined: there are none. */
  readonly onAuth?: (url: string) => GitCredentials | undefined | Promise<GitCredentials | undefined>
  /** Bytes of one answer of the server; default 100 MiB. The fetch adapter's own cap holds as well. */
  readonly maxBytes?: number
  /**
   * What the attribute `filter` means (Git LFS and others: programs that change content on its way in and out). `refuse`: ENOTSUP where such a
   * file would be read or written. `ignore`: as in git where no such program is configured, content stays as it is (of LFS: its pointers).
   * Default `refuse`.
   */
  readonly filters?: 'refuse' | 'ignore'
  /** The library, as `import * as git from 'isomorphic-git'` gives it. Default: loaded on first use. */
  readonly git?: GitModule
}

export interface GitCallOptions {
  readonly signal?: AbortSignal
}

export interface GitPathsOptions extends GitCallOptions {
  /** Files and directories, relative to the repository, or absolute virtual paths below it. No globs. */
  readonly paths?: readonly string[]
}

export interface GitCloneOptions extends GitCallOptions {
  /** `https://` or `http://`, without a user or password in it. */
  readonly url: string
  /** The branch or tag to check out; default the server's. */
  readonly ref?: string
  /** So many commits of history; default all. */
  readonly depth?: number
  /** Fetch that branch only; default true with `depth`, else false. */
  readonly singleBranch?: boolean
  readonly onProgress?: (progress: { readonly phase: string; readonly loaded: number; readonly total?: number }) => void
}

export interface GitCloned {
  /** Undefined with a tag or an empty repository. */
  readonly branch: string | undefined
  /** Undefined for an empty repository. */
  readonly oid: string | undefined
  readonly files: number
}

export type GitStaged = 'added' | 'modified' | 'deleted' | 'type_changed' | 'unchanged'
export type GitWorktree = 'untracked' | 'modified' | 'deleted' | 'type_changed' | 'conflict' | 'unchanged'

export interface GitStatusEntry {
  /** Relative to the repository. */
  readonly path: string
  /** The index against the last commit: what the next commit would record. */
  readonly staged: GitStaged
  /** The file against the index. `type_changed`: a file became a link, or a link a file. `conflict`: a merge left it unresolved; `staged` is `unchanged`. */
  readonly worktree: GitWorktree
}

export interface GitAddOptions extends GitCallOptions {
  /** As for `status`; `.` is everything. A removed file is staged as removed. */
  readonly paths: readonly string[]
  /** Ignored files too. Default false. */
  readonly force?: boolean
}

export interface GitAdded {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

export interface GitRemoveOptions extends GitCallOptions {
  readonly paths: readonly string[]
  /** Take them out of the index only. Default false. */
  readonly keepFiles?: boolean
  /** Also where content would be lost that no commit has. Default false. */
  readonly force?: boolean
}

export interface GitCommitOptions extends GitCallOptions {
  readonly message: string
  readonly author?: GitPerson
  /** Default the author. */
  readonly committer?: GitPerson
  /** Default false: a commit that changes nothing is refused. */
  readonly allowEmpty?: boolean
}

export interface GitDiffOptions extends GitPathsOptions {
  /** `index` (default), `worktree`, or a commit: a branch, tag, or id, also abbreviated. */
  readonly from?: string
  /** Default `worktree`: its tracked files. */
  readonly to?: string
  /** Unchanged lines around a change; default 3. */
  readonly context?: number
  /** Bytes of text; default 1 MiB. What is beyond is left out, and said. */
  readonly maxBytes?: number
}

export interface GitDiffEntry {
  readonly path: string
  readonly change: Exclude<GitStaged, 'unchanged'>
  readonly binary: boolean
}

export interface GitDiff {
  readonly files: readonly GitDiffEntry[]
  /** A unified diff that `git apply` reads; a binary file is only named. */
  readonly text: string
  /** The text does not hold everything. */
  readonly truncated: boolean
}

export interface GitLogOptions extends GitCallOptions {
  /** Default `HEAD`. */
  readonly ref?: string
  /** Default 50. */
  readonly limit?: number
  /** Only commits that changed this file. */
  readonly path?: string
}

export interface GitLogEntry {
  readonly oid: string
  readonly message: string
  readonly parents: readonly string[]
  readonly author: Required<GitPerson>
  readonly committer: Required<GitPerson>
}

export interface GitBranch {
  readonly name: string
  readonly oid: string
  readonly current: boolean
}

export interface GitBranchOptions extends GitCallOptions {
  readonly name: string
  /** Default `HEAD`. */
  readonly from?: string
}

export interface GitCheckoutOptions extends GitCallOptions {
  /** A branch, a tag or a commit; a branch that only `origin` has is created. `HEAD` with `force` discards all local changes. */
  readonly ref: string
  /** Make this branch first, where `from` is. Default false. */
  readonly create?: boolean
  /** With `create`; default `HEAD`. */
  readonly from?: string
  /** Overwrite local changes, and untracked files that are in the way. Default false. */
  readonly force?: boolean
}

export interface GitCheckedOut {
  /** Undefined: HEAD is at a commit, not at a branch. */
  readonly branch: string | undefined
  readonly oid: string | undefined
  readonly written: number
  readonly removed: number
}

/**
 * A git repository in a workspace. Paths in results are relative to the repository. Methods reject with `InputError`, `FsError`,
 * `WorkspaceError`, `PolicyError`, `NetworkError` or `UnsupportedError`, or with the reason of the signal.
 *
 * Calls on one repository run one after the other, and tools that write below it wait meanwhile; only the transfer of `clone` lets them go on.
 */
export interface Git {
  /** Virtual path of the repository's directory. */
  readonly dir: string
  /** Makes an empty repository; one that is there is left as it is. */
  init(options?: GitCallOptions & { readonly defaultBranch?: string }): Promise<{ readonly created: boolean }>
  /** Into a missing or empty directory. Leaves nothing behind when it fails. */
  clone(options: GitCloneOptions): Promise<GitCloned>
  /** What differs, sorted; empty when all is committed. Ignored files are left out. Writes nothing. */
  status(options?: GitPathsOptions): Promise<readonly GitStatusEntry[]>
  add(options: GitAddOptions): Promise<GitAdded>
  remove(options: GitRemoveOptions): Promise<{ readonly removed: readonly string[] }>
  commit(options: GitCommitOptions): Promise<{ readonly oid: string; readonly branch: string | undefined }>
  diff(options?: GitDiffOptions): Promise<GitDiff>
  /** The newest first; empty before the first commit. */
  log(options?: GitLogOptions): Promise<readonly GitLogEntry[]>
  /** Local branches, sorted by name. */
  branches(options?: GitCallOptions): Promise<readonly GitBranch[]>
  createBranch(options: GitBranchOptions): Promise<GitBranch>
  deleteBranch(options: GitCallOptions & { readonly name: string }): Promise<void>
  /** Undefined when HEAD is at a commit. Before the first commit the branch that it will be on. */
  currentBranch(options?: GitCallOptions): Promise<string | undefined>
  /** Refuses, before it touches anything, where content would be lost that no commit has. */
  checkout(options: GitCheckoutOptions): Promise<GitCheckedOut>
}
