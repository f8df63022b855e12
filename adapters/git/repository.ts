import { FsError, ignoreCodes } from '../../src/errors/index.js'
import type { Workspace } from '../../src/types/workspace.js'
import { joinPath, relativePath } from '../../src/workspace/paths.js'
import { isTrue } from './config-file.js'
import { Conversion } from './conversion.js'
import { inputError, isMissing } from './faults.js'
import { EXECUTABLE, type GitFsOptions, gitFs, LINK } from './git-fs.js'
import { keptModes } from './kept-modes.js'
import type { GitModule, Repo } from './library.js'
import { checkSupported, type Settings, type Supported } from './supported.js'
import type { GitOptions } from './types.js'

/** The context of one call: the library, its file system, and the workspace with the locks of the call. */
export interface Repository {
  readonly git: GitModule
  readonly repo: Repo
  readonly workspace: Workspace
  readonly dir: string
  readonly signal: AbortSignal | undefined
  /** Converts between worktree files and stored content. */
  readonly conversion: Conversion
  readonly supported: Supported
  /** Whether mode bits of worktree files are reliable: the storage keeps them, and the configuration does not disable them. */
  readonly trustsModes: boolean
}

export interface OpenOptions extends Pick<GitFsOptions, 'workspace' | 'signal' | 'onCreate'>, Pick<GitOptions, 'filters'> {
  readonly settings?: Settings
  readonly git: GitModule
  readonly dir: string
}

export async function openRepository({ git, dir, workspace, signal, onCreate, filters, settings = {} }: OpenOptions): Promise<Repository> {
  const supported = await checkSupported(workspace, dir, settings)
  const asked = (key: string): boolean => isTrue(supported.config.get(key) ?? 'true')
  const keeps = {
    links: workspace.fs.symlink !== undefined && asked('core.symlinks'),
    modes: workspace.fs.can.mode && asked('core.filemode'),
  }
  const kept = keptModes(keeps)
  const stored = (path: string, bytes: Uint8Array): Promise<Uint8Array> => conversion.stored(relativePath(path, dir), bytes)
  const repo: Repo = { dir, cache: {}, fs: gitFs({ workspace, keeps, kept, signal, stored, ...(onCreate && { onCreate }) }) }
  const readBlob = async (oid: string): Promise<Uint8Array> => (await git.readBlob({ ...repo, oid })).blob
  const conversion = new Conversion({ workspace, dir, supported, readBlob, signal, ...(filters && { filters }) })
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
  return { git, repo, workspace, dir, signal, supported, trustsModes: keeps.modes, conversion }
}

/** @throws {InputError} if there is no repository; {FsError} ENOTSUP if `.git` is a file */
export async function checkRepository(workspace: Workspace, dir: string, verb: string): Promise<void> {
  const own = await workspace.lstat(joinPath(dir, '.git')).catch(ignoreCodes('ENOENT', 'ENOTDIR'))
  if (own?.kind === 'file') {
    const detail = 'its ".git" is a file: linked worktrees and submodules are not supported'
    throw new FsError({ code: 'ENOTSUP', op: verb, path: dir, detail })
  }
  const found = own !== undefined && (await workspace.exists(joinPath(dir, '.git/HEAD')))
  if (!found) throw inputError(verb, `there is no git repository at "${dir}", use init or clone first`)
}

/**
 * @throws {FsError} ENOTSUP during an unfinished git operation, such as a merge, which would be lost or left incomplete; EBUSY while
 * another git writes the index
 */
export function checkIdle(repository: Repository, verb: string): void {
  checkUnlocked(repository, verb)
  const {
    dir,
    supported: { underWay },
  } = repository
  if (underWay === undefined) return
  const detail = `${underWay} is under way in it, which only git itself can end: continue or abort it there`
  throw new FsError({ code: 'ENOTSUP', op: verb, path: dir, detail })
}

/** Checks that no other git is writing the index, because it would overwrite our changes. @throws {FsError} EBUSY */
export function checkUnlocked({ supported, dir }: Repository, verb: string): void {
  if (!supported.isLocked) return
  const detail = 'another git is at work in it: wait until it has ended, or remove ".git/index.lock" when none is running'
  throw new FsError({ code: 'EBUSY', op: verb, path: dir, detail })
}

/** @throws {InputError} for a branch that another worktree of the repository has checked out */
export async function checkUnused({ supported, workspace, dir }: Repository, name: string, verb: string): Promise<void> {
  const folder = joinPath(dir, '.git/worktrees')
  for (const { name: tree } of supported.hasWorktrees ? await workspace.list(folder) : []) {
    const head = await workspace.readText(joinPath(folder, `${tree}/HEAD`)).catch(() => undefined)
    if (head?.text.trim() === `ref: refs/heads/${name}`) throw inputError(verb, `the branch "${name}" is checked out in another worktree`)
  }
}

/** Resolves to the commit id of HEAD, or to undefined before the first commit. */
export async function headOid({ git, repo }: Repository): Promise<string | undefined> {
  return await git.resolveRef({ ...repo, ref: 'HEAD' }).catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
}

/** Resolves a branch, a tag or a commit id, which may be abbreviated, to a commit. @throws the library's NotFoundError */
export async function commitOid({ git, repo }: Repository, ref: string): Promise<string> {
  const oid = await git.resolveRef({ ...repo, ref }).catch(async (error: unknown) => {
    if (!isMissing(error) || !/^[0-9a-f]{4,39}$/.test(ref)) throw error
    return git.expandOid({ ...repo, oid: ref })
  })
  return (await git.readCommit({ ...repo, oid })).oid
}
