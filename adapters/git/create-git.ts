import { InputError, UnsupportedError } from '../../src/errors/index.js'
import { required } from '../../src/errors/required.js'
import { untilBegun } from '../../src/workspace/abortable-wait.js'
import { joinPath } from '../../src/workspace/paths.js'
import { checkout } from './checkout.js'
import { checkUrl, clone, configure, remoteLabel } from './clone.js'
import { commit } from './commit.js'
import { diff } from './diff.js'
import { type Attempt, toOurError } from './faults.js'
import { stored } from './flush-after.js'
import { branches, createBranch, deleteBranch, log } from './history.js'
import { loadGit } from './library.js'
import { isBelow, repoPaths } from './repo-path.js'
import { checkRepository, headOid, openRepository, type Repository } from './repository.js'
import { withRepositoryLock } from './repository-lock.js'
import { add, remove } from './staging.js'
import { changeOf, type Row, SUBMODULE, survey } from './survey.js'
import type { Git, GitCallOptions, GitOptions, GitPathsOptions, GitStatusEntry, GitWorktree } from './types.js'

/**
 * Opens a git repository in a workspace. Uses isomorphic-git, an optional peer that loads on first use. Commits have the same ids on every
 * storage.
 *
 * @throws {WorkspaceError} for a `dir` outside the workspace
 */
export function createGit(settings: GitOptions): Git {
  const workspace = required('createGit', 'the option "workspace"', settings?.workspace, 'resolve')
  const dir = workspace.resolve(settings.dir ?? workspace.root)

  /** Runs one call when the previous calls have ended, and converts its errors. The body must call `begin` when it has its locks. */
  const attempt = <T>(what: Omit<Attempt, 'dir'>, { signal }: GitCallOptions, body: (begin: () => void) => Promise<T>): Promise<T> =>
    untilBegun(signal, (begin) =>
      withRepositoryLock(workspace.fs, dir, async () => {
        try {
          signal?.throwIfAborted()
          return await body(begin)
        } catch (error) {
          if (signal?.aborted) throw signal.reason
          throw toOurError(error, { ...what, dir })
        }
      }),
    )

  /** Runs a call on an existing repository. */
  const run = <T>(verb: string, options: GitCallOptions, body: (repository: Repository) => Promise<T>): Promise<T> =>
    attempt({ verb }, options, async (begin) => {
      const git = await loadGit(settings.git)
      return workspace.locked([dir], async (view) => {
        begin()
        await checkRepository(view, dir, verb)
        return body(await openRepository({ git, dir, workspace: view, signal: options.signal, filters: settings.filters }))
      })
    })

  /** Runs a call that changes the repository. When the call resolves, its changes are durable. */
  const change = <T>(verb: string, options: GitCallOptions, body: (repository: Repository) => Promise<T>): Promise<T> =>
    run(verb, options, (repository) => stored(workspace, body(repository)))

  return {
    dir,
    init: (options = {}) =>
      attempt({ verb: 'make a repository' }, options, async (begin) => {
        const git = await loadGit(settings.git)
        return workspace.locked([dir], async (view) => {
          begin()
          if (await view.exists(joinPath(dir, '.git/HEAD'))) return { created: false }
          await view.mkdir(dir)
          const repository = await openRepository({ git, dir, workspace: view, signal: options.signal })
          await stored(workspace, configure(repository, options.defaultBranch ?? 'main'))
          return { created: true }
        })
      }),
    clone: async (options) => {
      const remote = remoteLabel(checkUrl(options.url))
      checkDepth(options.depth)
      const { fetch } = settings
      if (!fetch) throw new UnsupportedError('fetch', 'Cannot clone: git has no network here, because there is no fetch adapter', 'git')
      return attempt({ verb: 'clone', remote }, options, async (begin) => {
        const git = await loadGit(settings.git)
        begin()
        return stored(workspace, clone({ git, workspace, dir, options, settings: { ...settings, fetch }, remote }))
      })
    },
    status: (options = {}) => run('show the status', options, (repository) => status(repository, options)),
    add: (options) => change('add', options, (repository) => add(repository, options)),
    remove: (options) => change('remove', options, (repository) => remove(repository, options)),
    commit: (options) => change('commit', options, (repository) => commit(repository, options, settings.author)),
    diff: (options = {}) => run('compare', options, (repository) => diff(repository, options)),
    log: (options = {}) => run('show the log', options, (repository) => log(repository, options)),
    branches: (options = {}) => run('list the branches', options, branches),
    createBranch: (options) => change(`create the branch "${options.name}"`, options, (repository) => createBranch(repository, options)),
    deleteBranch: (options) =>
      change(`delete the branch "${options.name}"`, options, (repository) => deleteBranch(repository, options.name)),
    currentBranch: (options = {}) => run('name the branch', options, async ({ git, repo }) => (await git.currentBranch(repo)) ?? undefined),
    checkout: (options) => change(`check out "${options.ref}"`, options, (repository) => checkout(repository, options)),
  }
}

function checkDepth(depth: number | undefined): void {
  if (depth === undefined || (Number.isSafeInteger(depth) && depth > 0)) return
  throw new InputError('invalid_input', 'Cannot clone: "depth" has to be a whole number from 1')
}

async function status(repository: Repository, { paths }: GitPathsOptions): Promise<GitStatusEntry[]> {
  const wanted = repoPaths(repository.workspace, repository.dir, 'show the status', paths)
  const rows = await survey(repository, { commits: [await headOid(repository)], paths: wanted })
  const conflicts = await repository.supported.conflicts()
  const changed = rows
    .filter(({ path }) => !conflicts.has(path))
    .map((row) => ({ path: row.path, staged: changeOf(row.commits[0], row.index), worktree: worktreeOf(row) }))
    .filter(({ staged, worktree }) => staged !== 'unchanged' || worktree !== 'unchanged')
  const unmerged = [...conflicts.keys()].filter((path) => !wanted || isBelow(path, wanted))
  if (unmerged.length === 0) return changed
  const entries = unmerged.map((path) => ({ path, staged: 'unchanged', worktree: 'conflict' }) as const)
  return [...changed, ...entries].sort((a, b) => (a.path < b.path ? -1 : 1))
}

function worktreeOf({ index, work }: Row): GitWorktree {
  if (index?.mode === SUBMODULE) return 'unchanged'
  if (!index) return work ? 'untracked' : 'unchanged'
  const change = changeOf(index, work)
  return change === 'added' ? 'untracked' : change
}
