import { UnsupportedError } from '../../src/errors/index.js'
import type { LibraryFs } from './git-fs.js'
import type { HttpClient } from './http.js'

/** The filesystem and the directory that every call of the library gets. */
export interface Repo {
  readonly fs: LibraryFs
  readonly dir: string
  /** The library's cache of packs and index. Use it only for one call, because it can miss changes by others. */
  readonly cache: object
}

export interface WalkedEntry {
  type(): Promise<'tree' | 'blob' | 'special' | 'commit'>
  mode(): Promise<number>
  oid(): Promise<string | undefined>
}

/** One of the trees of a walk. */
interface Walker {
  // biome-ignore lint/complexity/noBannedTypes: the library's own type
  readonly Symbol: Symbol
}

interface CommitPerson {
  readonly name: string
  readonly email: string
  readonly timestamp: number
  readonly timezoneOffset: number
}

export interface ReadCommit {
  readonly oid: string
  readonly commit: {
    readonly message: string
    readonly tree: string
    readonly parent: readonly string[]
    readonly author: CommitPerson
    readonly committer: CommitPerson
  }
}

/** The part of isomorphic-git 1.44 that the adapter uses. */
export interface GitModule {
  init(options: Repo & { readonly defaultBranch: string }): Promise<void>
  setConfig(options: Repo & { readonly path: string; readonly value: boolean | string }): Promise<void>
  getConfig(options: Repo & { readonly path: string }): Promise<unknown>
  clone(
    options: Repo & {
      readonly http: HttpClient
      readonly url: string
      readonly noCheckout: boolean
      readonly singleBranch: boolean
      readonly ref?: string
      readonly depth?: number
      readonly headers?: Record<string, string>
      readonly onAuth?: (url: string) => Promise<object | undefined>
      readonly onProgress?: (progress: { readonly phase: string; readonly loaded: number; readonly total: number }) => void
    },
  ): Promise<void>
  add(options: Repo & { readonly filepath: string[]; readonly force: boolean }): Promise<unknown>
  remove(options: Repo & { readonly filepath: string[] }): Promise<void>
  updateIndex(
    options: Repo & { readonly filepath: string; readonly oid: string; readonly mode: number; readonly add: boolean },
  ): Promise<unknown>
  commit(
    options: Repo & {
      readonly message: string
      readonly author: CommitPerson
      readonly committer: CommitPerson
      readonly disallowEmpty: boolean
      readonly parent?: string[]
    },
  ): Promise<string>
  log(options: Repo & { readonly ref: string; readonly filepath: string; readonly force: boolean }): Promise<ReadCommit[]>
  readCommit(options: Repo & { readonly oid: string }): Promise<ReadCommit>
  readBlob(options: Repo & { readonly oid: string }): Promise<{ readonly blob: Uint8Array }>
  walk(
    options: Repo & {
      readonly trees: Walker[]
      readonly map: (path: string, entries: (WalkedEntry | null)[]) => Promise<unknown>
    },
  ): Promise<unknown>
  TREE(options: { readonly ref: string }): Walker
  STAGE(): Walker
  WORKDIR(options: { readonly refresh: boolean }): Walker
  isIgnored(options: Repo & { readonly filepath: string }): Promise<boolean>
  resolveRef(options: Repo & { readonly ref: string; readonly depth?: number }): Promise<string>
  expandOid(options: Repo & { readonly oid: string }): Promise<string>
  listBranches(options: Repo & { readonly remote?: string }): Promise<string[]>
  listTags(options: Repo): Promise<string[]>
  listRemotes(options: Repo): Promise<{ readonly remote: string; readonly url: string }[]>
  tag(options: Repo & { readonly ref: string; readonly object?: string; readonly force?: boolean }): Promise<void>
  annotatedTag(
    options: Repo & {
      readonly ref: string
      readonly message: string
      readonly object?: string
      readonly tagger: CommitPerson
      readonly force?: boolean
    },
  ): Promise<void>
  deleteTag(options: Repo & { readonly ref: string }): Promise<void>
  writeRef(
    options: Repo & { readonly ref: string; readonly value: string; readonly force?: boolean; readonly symbolic?: boolean },
  ): Promise<void>
  isDescendent(options: Repo & { readonly oid: string; readonly ancestor: string; readonly depth?: number }): Promise<boolean>
  branch(options: Repo & { readonly ref: string; readonly object?: string; readonly checkout?: boolean }): Promise<void>
  deleteBranch(options: Repo & { readonly ref: string }): Promise<void>
  // biome-ignore lint/suspicious/noConfusingVoidType: the library's own type
  currentBranch(options: Repo & { readonly test?: boolean }): Promise<string | void>
  checkout(
    options: Repo & {
      readonly ref: string
      readonly force: boolean
      readonly filepaths?: string[]
      readonly noUpdateHead?: boolean
    },
  ): Promise<void>
}

/** @throws {UnsupportedError} if the package, or the `Buffer` that it needs, is missing */
export async function loadGit(given: GitModule | undefined): Promise<GitModule> {
  if (typeof Buffer === 'undefined') throw new UnsupportedError('git', NO_BUFFER, 'git')
  if (given) return given
  const module = await import('isomorphic-git').catch(() => {
    throw new UnsupportedError('git', NO_PACKAGE, 'git')
  })
  return module.default as unknown as GitModule
}

const NO_PACKAGE = 'Git is not available: the package "isomorphic-git" is not installed'
const NO_BUFFER = 'Git is not available: isomorphic-git needs the global "Buffer", which is missing here'
