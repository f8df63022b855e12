import { hasCode } from '../../src/errors/index.js'
import type { Workspace } from '../../src/types/workspace.js'
import { joinPath } from '../../src/workspace/paths.js'
import { firstCheckout } from './checkout.js'
import { inputError } from './faults.js'
import { httpClient } from './http.js'
import type { GitModule } from './library.js'
import { headOid, openRepository, type Repository } from './repository.js'
import type { GitCloned, GitCloneOptions, GitCredentials, GitOptions } from './types.js'

const MIB = 1024 * 1024

/** @throws {InputError} for an unusable URL; the message contains no credentials */
export function checkUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw inputError('clone', 'the address is no https:// or http:// URL')
  if (url.username || url.password) {
    throw inputError('clone', 'the address has a user or a password in it, pass them as "credentials": an address is stored')
  }
  return url
}

/** Returns the URL for messages, without credentials and query. */
export const remoteLabel = ({ origin, pathname }: URL): string => `"${`${origin}${pathname}`.slice(0, 200)}"`

export interface CloneParts {
  readonly git: GitModule
  readonly workspace: Workspace
  readonly dir: string
  readonly options: GitCloneOptions
  readonly settings: GitOptions & { readonly fetch: NonNullable<GitOptions['fetch']> }
  readonly remote: string
}

/** Clones. During the transfer, locks only `.git`, so that tools keep working. The checkout locks the whole directory. */
export async function clone(parts: CloneParts): Promise<GitCloned> {
  const { git, workspace, dir, options, settings } = parts
  const { signal } = options
  const made: { path: string; kind: 'file' | 'dir' }[] = []
  const open = (view: Workspace): Promise<Repository> =>
    openRepository({ git, dir, workspace: view, signal, filters: settings.filters, onCreate: (path, kind) => made.push({ path, kind }) })
  const isNew = await workspace.locked([dir], (view) => checkEmpty(view, dir))
  try {
    await workspace.locked([joinPath(dir, '.git')], async (view) => transfer(parts, await open(view)))
    return await workspace.locked([dir], async (view) => {
      const repository = await open(view)
      const oid = await headOid(repository)
      if (oid === undefined) return { branch: undefined, oid, files: 0 }
      const { branch, written } = await firstCheckout(repository, oid)
      return { branch, oid, files: written }
    })
  } catch (error) {
    await workspace.locked([dir], (view) => undo(view, { dir, made, isNew }))
    throw error
  }
}

/** Creates the directory if it is missing. Returns whether it was missing. @throws {InputError} if the directory is not empty */
async function checkEmpty(workspace: Workspace, dir: string): Promise<boolean> {
  const { created } = await workspace.mkdir(dir)
  if ((await workspace.list(dir)).length > 0) {
    throw inputError('clone', `"${dir}" is not empty. Empty it, or clone into another directory`)
  }
  return created
}

async function transfer({ options, settings, remote }: CloneParts, { git, repo, workspace }: Repository): Promise<void> {
  const { url, ref, depth, singleBranch = depth !== undefined, signal, onProgress } = options
  const { fetch, corsProxy, credentials, onAuth, maxBytes = 100 * MIB } = settings
  await configure({ git, repo, workspace }, 'main')
  await git.clone({
    ...repo,
    http: httpClient({ fetch, corsProxy, maxBytes, remote, signal }),
    url,
    noCheckout: true,
    singleBranch,
    ...(ref !== undefined && { ref }),
    ...(depth !== undefined && { depth }),
    onAuth: async (address) => authOf(credentials ?? (await onAuth?.(address))),
    ...(onProgress && { onProgress }),
  })
}

const authOf = (given: GitCredentials | undefined): object | undefined => given && { ...given }

/** Creates an empty repository. Its configuration describes the storage, like the one that native git would detect. */
export async function configure(
  { git, repo, workspace }: Pick<Repository, 'git' | 'repo' | 'workspace'>,
  defaultBranch: string,
): Promise<void> {
  await git.init({ ...repo, defaultBranch })
  // After an interrupted `init` the config already exists, and the library then writes no HEAD.
  const head = joinPath(repo.dir, '.git/HEAD')
  if (!(await workspace.exists(head))) await workspace.writeText(head, `ref: refs/heads/${defaultBranch}\n`)
  const { can, symlink } = workspace.fs
  const config = { 'core.filemode': can.mode, 'core.symlinks': symlink !== undefined, 'core.ignorecase': !can.caseSensitive }
  for (const [path, value] of Object.entries(config)) await git.setConfig({ ...repo, path, value })
}

interface Made {
  readonly dir: string
  readonly made: readonly { readonly path: string; readonly kind: 'file' | 'dir' }[]
  readonly isNew: boolean
}

/** Removes only entries that the clone created, because tools may have written others. */
async function undo(workspace: Workspace, { dir, made, isNew }: Made): Promise<void> {
  const gone = (error: unknown): void => {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ENOTEMPTY')) throw error
  }
  const gitDir = joinPath(dir, '.git')
  for (const { path } of [...made].reverse()) {
    if (path !== gitDir && !path.startsWith(`${gitDir}/`)) await workspace.remove(path).catch(gone)
  }
  await workspace.remove(gitDir, { recursive: true }).catch(gone)
  if (isNew) await workspace.remove(dir).catch(gone)
}
