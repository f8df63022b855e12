import type { ShellCommandContext } from '../../../src/types/shell.js'
import type { Workspace } from '../../../src/types/workspace.js'
import { isWithin, joinPath, parentPath } from '../../../src/workspace/paths.js'
import { createGit } from '../create-git.js'
import { toOurError } from '../faults.js'
import { stored } from '../flush-after.js'
import { loadGit } from '../library.js'
import { openRepository, type Repository } from '../repository.js'
import { withRepositoryLock } from '../repository-lock.js'
import type { Git, GitOptions } from '../types.js'
import { fatal, GitFault } from './fault.js'
import { readGlobal } from './user-config.js'

/** Options of `createGit`, without the repository: the command uses the one of its working directory. */
export type GitCommandOptions = Omit<GitOptions, 'workspace' | 'dir'>

/** One run of the command. */
export interface Session {
  readonly options: GitCommandOptions
  readonly workspace: Workspace
  readonly context: ShellCommandContext
  /** Absolute path of the working directory. */
  readonly cwd: string
  /** Settings from options `-c`. */
  readonly settings: ReadonlyMap<string, string>
}

/** A run of the command in a repository. */
export interface RepoSession extends Session {
  readonly dir: string
  readonly git: Git
  /** Runs the body with the locks of the repository. */
  use<T>(body: (repository: Repository) => Promise<T>): Promise<T>
}

/** Opens the repository that contains the working directory. @throws {GitFault} */
export async function openSession(session: Session): Promise<RepoSession> {
  const { options, workspace, context, cwd, settings: above } = session
  const dir = await findRepository(workspace, cwd)
  if (dir === undefined) throw fatal('not a git repository (or any of the parent directories): .git')
  const { signal } = context
  return {
    ...session,
    dir,
    git: createGit({ ...options, workspace, dir }),
    use: (body) =>
      withRepositoryLock(workspace.fs, dir, async () => {
        const git = await loadGit(options.git)
        const settings = { below: await readGlobal(context), above }
        try {
          signal.throwIfAborted()
          const work = workspace.locked([dir], async (view) =>
            body(await openRepository({ git, dir, workspace: view, signal, filters: options.filters, settings })),
          )
          return await stored(workspace, work)
        } catch (error) {
          if (error instanceof GitFault) throw error
          throw signal.aborted ? signal.reason : toOurError(error, { verb: 'use the repository', dir })
        }
      }),
  }
}

async function findRepository(workspace: Workspace, cwd: string): Promise<string | undefined> {
  for (let at = cwd; isWithin(at, workspace.root); at = parentPath(at)) {
    if (await workspace.exists(joinPath(at, '.git/HEAD')).catch(() => false)) return at
    if (at === workspace.root) break
  }
  return undefined
}
