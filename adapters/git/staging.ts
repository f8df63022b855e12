import { joinPath } from '../../src/workspace/paths.js'
import { inputError } from './faults.js'
import { LINK } from './git-fs.js'
import { pruneParents } from './prune.js'
import { isBelow, repoPaths } from './repo-path.js'
import { checkUnlocked, headOid, type Repository } from './repository.js'
import { type Row, SUBMODULE, same, survey } from './survey.js'
import type { GitAdded, GitAddOptions, GitRemoveOptions } from './types.js'

/** Number of files per call of the library. */
const BATCH = 200

export async function add(repository: Repository, { paths, force = false }: GitAddOptions): Promise<GitAdded> {
  const { git, repo, workspace, dir, conversion } = repository
  const wanted = checkPaths(repository, 'add', paths)
  const rows = await survey(repository, { commits: [], paths: wanted, ignored: force })
  for (const root of wanted) {
    if (root === '' || rows.some(({ path }) => isBelow(path, [root]))) continue
    const there = await workspace.lstat(joinPath(dir, root)).catch(() => undefined)
    if (there?.kind === 'file' || there?.kind === 'symlink')
      throw inputError('add', `"${root}" is ignored, set "force" to add it all the same`)
    if (!there) throw inputError('add', `there is no "${root}", neither as a file nor in the index`)
  }
  const conflicts = await repository.supported.conflicts()
  // Adding resolves a conflict, even if the file equals one of its sides.
  const changed = rows.filter(({ path, index, work }) => index?.mode !== SUBMODULE && (conflicts.has(path) || !same(index, work)))
  const removed = changed.filter(({ work }) => !work).map(({ path }) => path)
  const added = changed.filter(({ work }) => work).map(({ path }) => path)
  await conversion.check(changed.flatMap(({ path, work }) => (work && work.mode !== LINK ? [path] : [])))
  // Remove first, so that a file can replace a directory, or a directory a file.
  if (removed.length > 0) await git.remove({ ...repo, filepath: removed })
  for (let from = 0; from < added.length; from += BATCH) {
    await git.add({ ...repo, filepath: added.slice(from, from + BATCH), force: true })
  }
  return { added, removed }
}

export async function remove(
  repository: Repository,
  { paths, keepFiles = false, force = false }: GitRemoveOptions,
): Promise<{ readonly removed: readonly string[] }> {
  const { git, repo, workspace, dir } = repository
  const wanted = checkPaths(repository, 'remove', paths)
  const rows = (await survey(repository, { commits: [await headOid(repository)], paths: wanted })).filter(({ index }) => index)
  const missing = wanted.find((root) => !rows.some(({ path }) => isBelow(path, [root])))
  if (missing !== undefined) throw inputError('remove', `"${missing || '.'}" is not in the index: remove it as any other file`)
  const unsaved = force ? undefined : rows.find((row) => holdsUnsaved(row, keepFiles))
  if (unsaved) throw inputError('remove', `"${unsaved.path}" has changes that no commit has: commit them, set "keepFiles", or set "force"`)
  if (!keepFiles) {
    for (const { path, work } of rows) if (work) await workspace.remove(joinPath(dir, path))
    await pruneParents(
      workspace,
      dir,
      rows.map(({ path }) => path),
    )
  }
  const removed = rows.map(({ path }) => path)
  await git.remove({ ...repo, filepath: removed })
  return { removed }
}

/**
 * Whether removing the path would lose content. With `keepFiles`, only content of the index can be lost: if neither the commit nor the file
 * has it.
 */
function holdsUnsaved({ commits, index, work }: Row, keepFiles: boolean): boolean {
  if (keepFiles) return !same(index, commits[0]) && !same(index, work)
  return (work !== undefined && !same(work, index)) || !same(index, commits[0])
}

function checkPaths(repository: Repository, verb: string, paths: readonly string[]): string[] {
  const { workspace, dir } = repository
  checkUnlocked(repository, `${verb} files in`)
  const wanted = repoPaths(workspace, dir, verb, paths) ?? []
  if (wanted.length === 0) throw inputError(verb, 'name at least one path, "." is everything')
  return wanted
}
