import type { FetchAdapter } from '../../src/types/ports.js'
import type { Workspace } from '../../src/types/workspace.js'
import type { GitModule } from './library.js'

/** The author or committer of a commit. */
export interface GitPerson {
  readonly name: string
  readonly email: string
  /** Seconds since the epoch. Default: the time of the workspace's clock. */
  readonly timestamp?: number
  /** Minutes from local time to UTC (`-60` in Berlin in winter), as `Date.getTimezoneOffset` returns. Default: 0. */
  readonly timezoneOffset?: number
}

/** Credentials for a server. `headers` override name and password. */
export interface GitCredentials {
  readonly username?: string
  /** A password or a token. */
  readonly password?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Options of `createGit`. Only `workspace` is required. */
export interface GitOptions {
  readonly workspace: Workspace
  /** Directory of the repository, absolute or relative to the workspace's `cwd`. Default: the root. */
  readonly dir?: string
  /** The network adapter for `clone`. Its origins, timeout and size limit apply. */
  readonly fetch?: FetchAdapter
  /** A CORS proxy, for browsers. If it ends with `?`, git appends the whole URL, else the URL without `https://`. */
  readonly corsProxy?: string
  /** Default author of commits. Without this option, git uses `user.name` and `user.email` of the repository's configuration. */
  readonly author?: GitPerson
  /**
   * Sent when the server asks for them (401), and to the CORS proxy if there is one. They are never stored, and no message contains them.
   */
  readonly credentials?: GitCredentials
  /** Supplies credentials when the server asks and `credentials` is absent. Return undefined if there are no credentials. */
  readonly onAuth?: (url: string) => GitCredentials | undefined | Promise<GitCredentials | undefined>
  /** Maximum number of bytes in one response of the server. Default: 100 MiB. The fetch adapter's own limit applies too. */
  readonly maxBytes?: number
  /**
   * How to treat files with the attribute `filter` (Git LFS and other programs that convert content). `refuse`: reading or writing such a
   * file fails with ENOTSUP. `ignore`: content stays unconverted (for LFS: its pointers), as in git without such a program. Default
   * `refuse`.
   */
  readonly filters?: 'refuse' | 'ignore'
  /** The library, as imported with `import * as git from 'isomorphic-git'`. Default: loaded on first use. */
  readonly git?: GitModule
}

/** Options that every git call accepts. */
export interface GitCallOptions {
  readonly signal?: AbortSignal
}

/** Restricts a git call to some paths. */
export interface GitPathsOptions extends GitCallOptions {
  /** Files and directories, relative to the repository, or absolute virtual paths below it. No globs. */
  readonly paths?: readonly string[]
}

/** Options of `Git.clone`. */
export interface GitCloneOptions extends GitCallOptions {
  /** `https://` or `http://`, without a user or password. */
  readonly url: string
  /** The branch or tag to check out. Default: the one that the server selects. */
  readonly ref?: string
  /** Number of commits to fetch. Default: the whole history. */
  readonly depth?: number
  /** Whether to fetch only that branch. Default: true with `depth`, else false. */
  readonly singleBranch?: boolean
  readonly onProgress?: (progress: { readonly phase: string; readonly loaded: number; readonly total?: number }) => void
}

/** The result of a clone. */
export interface GitCloned {
  /** The branch that is checked out. Undefined for a tag or an empty repository. */
  readonly branch: string | undefined
  /** The commit that is checked out. Undefined for an empty repository. */
  readonly oid: string | undefined
  /** Number of files written. */
  readonly files: number
}

/** The difference between the last commit and the index. */
export type GitStaged = 'added' | 'modified' | 'deleted' | 'type_changed' | 'unchanged'
/** The difference between the index and the file. */
export type GitWorktree = 'untracked' | 'modified' | 'deleted' | 'type_changed' | 'conflict' | 'unchanged'

/** The status of one file. */
export interface GitStatusEntry {
  /** Path relative to the repository. */
  readonly path: string
  /** The index compared with the last commit. This difference is what the next commit records. */
  readonly staged: GitStaged
  /**
   * The file compared with the index. `type_changed`: a file became a link, or a link a file. `conflict`: an unresolved merge; `staged` is
   * then `unchanged`.
   */
  readonly worktree: GitWorktree
}

/** Options of `Git.add`. */
export interface GitAddOptions extends GitCallOptions {
  /** Same forms as for `status`. `.` adds everything. Missing files are staged as removed. */
  readonly paths: readonly string[]
  /** Whether to add ignored files too. Default: false. */
  readonly force?: boolean
}

/** The paths that `Git.add` staged. */
export interface GitAdded {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** Options of `Git.remove`. */
export interface GitRemoveOptions extends GitCallOptions {
  readonly paths: readonly string[]
  /** Whether to remove the files only from the index. Default: false. */
  readonly keepFiles?: boolean
  /** Whether to remove files even if content that no commit has would be lost. Default: false. */
  readonly force?: boolean
}

/** Options of `Git.commit`. */
export interface GitCommitOptions extends GitCallOptions {
  readonly message: string
  readonly author?: GitPerson
  /** Who commits. Default: the author. */
  readonly committer?: GitPerson
  /** Whether to allow a commit without changes. Default: false. */
  readonly allowEmpty?: boolean
}

/** Options of `Git.diff`. */
export interface GitDiffOptions extends GitPathsOptions {
  /** The old state: `index` (default), `worktree`, or a commit (a branch, a tag, or an id, which may be abbreviated). */
  readonly from?: string
  /** The new state, in the same forms. Default: `worktree`, of which only tracked files are compared. */
  readonly to?: string
  /** Number of unchanged lines around a change. Default: 3. */
  readonly context?: number
  /** Maximum number of bytes in `text`. Default: 1 MiB. A longer diff is truncated, and `truncated` is set. */
  readonly maxBytes?: number
}

/** One file of a diff. */
export interface GitDiffEntry {
  readonly path: string
  readonly change: Exclude<GitStaged, 'unchanged'>
  readonly binary: boolean
}

/** The difference between two states of a repository. */
export interface GitDiff {
  readonly files: readonly GitDiffEntry[]
  /** A unified diff for `git apply`. For binary files, it contains only their names. */
  readonly text: string
  /** Whether `text` is incomplete. */
  readonly truncated: boolean
}

/** Options of `Git.log`. */
export interface GitLogOptions extends GitCallOptions {
  /** Where the log starts. Default: `HEAD`. */
  readonly ref?: string
  /** Maximum number of commits. Default: 50. */
  readonly limit?: number
  /** If given, only commits that changed this file. */
  readonly path?: string
}

/** One commit of the history. */
export interface GitLogEntry {
  readonly oid: string
  readonly message: string
  readonly parents: readonly string[]
  readonly author: Required<GitPerson>
  readonly committer: Required<GitPerson>
}

/** A local branch. */
export interface GitBranch {
  readonly name: string
  readonly oid: string
  /** Whether HEAD is on this branch. */
  readonly current: boolean
}

/** Options of `Git.createBranch`. */
export interface GitBranchOptions extends GitCallOptions {
  readonly name: string
  /** The start of the branch: a branch, a tag or a commit. Default: `HEAD`. */
  readonly from?: string
}

/** Options of `Git.checkout`. */
export interface GitCheckoutOptions extends GitCallOptions {
  /**
   * A branch, a tag or a commit. Checkout creates a local branch for a branch that only `origin` has. `HEAD` with `force` discards all
   * local changes.
   */
  readonly ref: string
  /** Whether to create this branch first, at `from`. Default: false. */
  readonly create?: boolean
  /** Start of the new branch. Default: `HEAD`. */
  readonly from?: string
  /** Whether to overwrite local changes and untracked files. Default: false. */
  readonly force?: boolean
}

/** The result of a checkout. */
export interface GitCheckedOut {
  /** The branch that HEAD is on. Undefined if HEAD is at a commit. */
  readonly branch: string | undefined
  readonly oid: string | undefined
  /** Number of files written. */
  readonly written: number
  /** Number of files removed. */
  readonly removed: number
}

/**
 * A git repository in a workspace. Paths in results are relative to the repository. Methods reject with `InputError`, `FsError`,
 * `WorkspaceError`, `PolicyError`, `NetworkError` or `UnsupportedError`, or with the reason of the signal.
 *
 * Calls on one repository run one after the other. Tools that write below the repository wait for them, except during the transfer of
 * `clone`.
 */
export interface Git {
  /** Virtual path of the repository's directory. */
  readonly dir: string
  /** Creates an empty repository. Keeps an existing one. */
  init(options?: GitCallOptions & { readonly defaultBranch?: string }): Promise<{ readonly created: boolean }>
  /** Clones into a missing or empty directory. If this fails, removes everything that it has created. */
  clone(options: GitCloneOptions): Promise<GitCloned>
  /** Lists the differences, sorted. Empty if everything is committed. Skips ignored files and changes nothing. */
  status(options?: GitPathsOptions): Promise<readonly GitStatusEntry[]>
  add(options: GitAddOptions): Promise<GitAdded>
  remove(options: GitRemoveOptions): Promise<{ readonly removed: readonly string[] }>
  commit(options: GitCommitOptions): Promise<{ readonly oid: string; readonly branch: string | undefined }>
  diff(options?: GitDiffOptions): Promise<GitDiff>
  /** Lists commits, newest first. Empty before the first commit. */
  log(options?: GitLogOptions): Promise<readonly GitLogEntry[]>
  /** Lists the local branches, sorted by name. */
  branches(options?: GitCallOptions): Promise<readonly GitBranch[]>
  createBranch(options: GitBranchOptions): Promise<GitBranch>
  deleteBranch(options: GitCallOptions & { readonly name: string }): Promise<void>
  /** Resolves to the branch that HEAD is on, even if it has no commit yet. Undefined if HEAD is at a commit. */
  currentBranch(options?: GitCallOptions): Promise<string | undefined>
  /** Fails before changing anything if content that no commit has would be lost. */
  checkout(options: GitCheckoutOptions): Promise<GitCheckedOut>
}
