import { FsError, hasCode } from '../../src/errors/index.js'
import type { Workspace } from '../../src/types/workspace.js'
import { joinPath, relativePath } from '../../src/workspace/paths.js'
import { Conversion } from './conversion.js'
import { inputError, isMissing } from './faults.js'
import { EXECUTABLE, type GitFsOptions, gitFs, LINK } from './git-fs.js'
import { keptModes } from './kept-modes.js'
import type { GitModule, Repo } from './library.js'
import { checkSupported } from './supported.js'
import type { GitOptions } from './types.js'

/** One call's hold on the repository: the library, its filesystem, and the workspace with the locks of the call. */
export interface Repository {
  readonly git: GitModule
  readonly repo: Repo
  readonly workspace: Workspace
  readonly dir: string
  readonly signal: AbortSignal | undefined
  /** Between the files of the worktree and their content in the repository. */
  readonly conversion: Conversion
  /** Mode bits of the worktree's files mean something: the storage keeps them and the config does not say otherwise. */
  readonly trustsModes: () => Promise<boolean>
}

export interface OpenOptions extends Pick<GitFsOptions, 'workspace' | 'signal' | 'onCreate'>, Pick<GitOptions, 'filters'> {
  readonly git: GitModule
  readonly dir: string
}

export async function openRepository({ git, dir, workspace, signal, onCreate, filters }: OpenOptions): Promise<Repository> {
  const supported = await checkSupported(workspace, dir)
  const keeps = { links: workspace.fs.symlink !== undefined, modes: workspace.fs.can.mode }
  const kept = keptModes(keeps)
  const stored = (path: string, bytes: Uint8Array): Promise<Uint8Array> => conversion.stored(relativePath(path, dir), bytes)
  const repo: Repo = { dir, cache: {}, fs: gitFs({ workspace, kept, signal, stored, ...(onCreate && { onCreate }) }) }
  const readBlob = async (oid: string): Promise<Uint8Array> => (await git.readBlob({ ...repo, oid })).blob
  const conversion = new Conversion({ workspace, dir, supported, readBlob, ...(filters && { filters }) })
  if (!keeps.links || !keeps.modes) {
    await git.walk({
      ...repo,
      trees: [git.STAGE()],
      map: async (path, [entry]) => {
        const mode = await entry?.mode()
        if (mode === LINK || mode === EXECUTABLE) kept.set(joinPath(dir, path), mode)
      },
    })
  }
  const trustsModes = async (): Promise<boolean> => {
    const filemode = await git.getConfig({ ...repo, path: 'core.filemode' })
    return keeps.modes && filemode !== false && filemode !== 'false'
  }
  return { git, repo, workspace, dir, signal, trustsModes, conversion }
}

/** @throws {InputError} where there is no repository; {FsError} ENOTSUP where it is elsewhere */
export async function checkRepository(workspace: Workspace, dir: string, verb: string): Promise<void> {
  const own = await workspace.lstat(joinPath(dir, '.git')).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error
  })
  if (own?.kind === 'file') {
    const detail = 'its ".git" is a file: linked worktrees and submodules are not supported'
    throw new FsError({ code: 'ENOTSUP', op: verb, path: dir, detail })
  }
  const found = own !== undefined && (await workspace.exists(joinPath(dir, '.git/HEAD')))
  if (!found) throw inputError(verb, `there is no git repository at "${dir}", use init or clone first`)
}

/** The id of the commit that HEAD is at; undefined before the first. */
export async function headOid({ git, repo }: Repository): Promise<string | undefined> {
  return await git.resolveRef({ ...repo, ref: 'HEAD' }).catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
}

/** The commit of a branch, a tag or an id, also an abbreviated one. @throws the library's NotFoundError */
export async function commitOid({ git, repo }: Repository, ref: string): Promise<string> {
  const oid = await git.resolveRef({ ...repo, ref }).catch(async (error: unknown) => {
    if (!isMissing(error) || !/^[0-9a-f]{4,39}$/.test(ref)) throw error
    return git.expandOid({ ...repo, oid: ref })
  })
  return (await git.readCommit({ ...repo, oid })).oid
}
