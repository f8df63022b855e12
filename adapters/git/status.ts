import { isBelow, repoPaths } from './repo-path.js'
import { headOid, type Repository } from './repository.js'
import { changeOf, type Row, SUBMODULE, survey } from './survey.js'
import type { GitPathsOptions, GitStatusEntry, GitWorktree } from './types.js'

export async function status(repository: Repository, { paths }: GitPathsOptions): Promise<GitStatusEntry[]> {
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
