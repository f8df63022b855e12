import { ignoreCodes } from '../../../src/errors/index.js'
import type { FileKind } from '../../../src/types/fs.js'
import type { ShellCommandResult } from '../../../src/types/shell.js'
import { joinPath } from '../../../src/workspace/paths.js'
import { changeFiles, goesWhole } from '../change-files.js'
import { LINK } from '../git-fs.js'
import { checkIdle, checkUnlocked, headOid, type Repository } from '../repository.js'
import { type Row, type Side, SUBMODULE, same, survey } from '../survey.js'
import { fatal, GitFault } from './fault.js'
import { parse } from './options.js'
import { fits, fitsAny, fromCwd, pathspecs } from './paths.js'
import { commitNamed, findCommit, readCommitOf, short, subject, unknownRevision } from './revisions.js'
import type { RepoSession } from './session.js'
import { parentsOf, readState } from './status.js'

export interface Restoring {
  /** The revision to restore from. Undefined means the index. */
  readonly from: string | undefined
  readonly names: readonly string[]
  /** Whether to omit the number of updated paths. */
  readonly quiet: boolean
}

export async function restore(session: RepoSession, args: readonly string[]): Promise<ShellCommandResult> {
  const given = parse('restore', args, 's|source= S|staged W|worktree q|quiet')
  const names = [...given.operands, ...(given.paths ?? [])]
  if (names.length === 0) throw fatal('you must specify path(s) to restore')
  const toIndex = given.has('S')
  const toFiles = given.has('W') || !toIndex
  return session.use(async (repository) => {
    const from = given.value('s') ?? (toIndex ? 'HEAD' : undefined)
    const rows = await selected(repository, session, { from, names })
    await bring(repository, rows, { toIndex, toFiles })
    return {}
  })
}

/** Implements `git checkout [<revision>] -- <paths>`. */
export async function restorePaths(
  repository: Repository,
  session: RepoSession,
  { from, names, quiet }: Restoring,
): Promise<ShellCommandResult> {
  const rows = await selected(repository, session, { from, names, onlyGoals: from !== undefined })
  const changed = await bring(repository, from === undefined ? rows : rows.filter(({ goal }) => goal), {
    toIndex: from !== undefined,
    toFiles: true,
  })
  if (quiet) return {}
  const where = from === undefined ? 'the index' : short(await commitNamed(repository, from))
  const count = from === undefined ? changed : rows.filter(({ goal }) => goal).length
  return { stderr: `Updated ${count} path${count === 1 ? '' : 's'} from ${where}\n` }
}

interface Chosen {
  readonly row: Row
  /** The wanted state, or undefined if the path is to be removed. */
  readonly goal: Side | undefined
}

interface Selecting extends Omit<Restoring, 'quiet'> {
  /** Whether to ignore paths that only the index has. */
  readonly onlyGoals?: boolean
}

/** Selects the paths to restore. @throws {GitFault} for a path that neither the source nor the index has, before anything is changed */
async function selected(repository: Repository, session: RepoSession, { from, names, onlyGoals = false }: Selecting): Promise<Chosen[]> {
  const commit = from === undefined ? undefined : await sourceOf(repository, from)
  const specs = pathspecs(session, names)
  const rows = await survey(repository, { commits: [commit] })
  const chosen = rows
    .map((row) => ({ row, goal: from === undefined ? row.index : row.commits[0] }))
    .filter(({ row, goal }) => goal || row.index)
  for (const spec of specs) {
    if (chosen.some(({ row, goal }) => (goal || !onlyGoals) && fits(spec, row.path))) continue
    throw new GitFault(`error: pathspec '${spec.given}' did not match any file(s) known to git`, 1)
  }
  return chosen.filter(({ row }) => fitsAny(specs, row.path))
}

async function sourceOf(repository: Repository, from: string): Promise<string | undefined> {
  const oid = await findCommit(repository, from)
  if (oid === undefined && from !== 'HEAD') throw fatal(`could not resolve ${from}`)
  return oid
}

/** Brings files or index entries to the wanted state. Returns the number of files written or removed. */
async function bring(repository: Repository, chosen: readonly Chosen[], to: { toIndex: boolean; toFiles: boolean }): Promise<number> {
  checkUnlocked(repository, 'restore files in')
  const mine = chosen.filter(({ goal, row: { index } }) => goal?.mode !== SUBMODULE && index?.mode !== SUBMODULE)
  const changed = to.toFiles ? mine.filter(({ row, goal }) => !same(goal, row.work)) : []
  if (to.toFiles) await bringFiles(repository, chosen, changed)
  if (to.toIndex)
    await bringIndex(
      repository,
      mine.filter(({ row, goal }) => !same(goal, row.index)),
    )
  if (to.toFiles) await noteState(repository, new Set(changed.flatMap(({ row, goal }) => (goal ? [row.path] : []))))
  return changed.length
}

/** Updates the stats in the index, so that git need not read the files again. */
async function noteState({ git, repo }: Repository, paths: ReadonlySet<string>): Promise<void> {
  if (paths.size === 0) return
  const folders = new Set([...paths].flatMap((path) => parentsOf(path)))
  await git.walk({
    ...repo,
    trees: [git.WORKDIR({ refresh: true })],
    map: async (path, [entry]) => {
      if (path === '.' || folders.has(path)) return undefined
      if (paths.has(path)) await entry?.oid()
      return null
    },
  })
}

async function bringFiles(repository: Repository, chosen: readonly Chosen[], changed: readonly Chosen[]): Promise<void> {
  const { conversion } = repository
  conversion.expect(
    chosen.flatMap(({ row, goal }) => (goal ? [{ path: row.path, oid: goal.oid }] : [])),
    chosen.flatMap(({ row, goal }) => (goal ? [] : [row.path])),
  )
  await conversion.check(changed.flatMap(({ row, goal }) => (goal && goal.mode !== LINK ? [row.path] : [])))
  const writes = changed.flatMap(({ row: { path, workDir }, goal }) => (goal ? [{ path, target: goal, workDir }] : []))
  const removes = changed.flatMap(({ row: { path, work }, goal }) => (!goal && work ? [path] : []))
  const going = new Set(removes)
  for (const { path, workDir } of writes) {
    if (workDir && !(await goesWhole(repository, path, going))) throw fatal(`'${path}' is a directory: move it away first`)
  }
  for (const folder of new Set(writes.flatMap(({ path }) => parentsOf(path)))) {
    // Reject symlinks too, because the file would be written to the target of the link.
    const kind = going.has(folder) ? undefined : await kindOf(repository, folder)
    if (kind !== undefined && kind !== 'dir') throw fatal(`'${folder}' is a ${kind === 'file' ? 'file' : 'link'}: move it away first`)
  }
  await changeFiles(repository, { writes, removes, gone: changed.flatMap(({ row, goal }) => (goal ? [] : [row.path])) })
}

async function kindOf({ workspace, dir }: Repository, path: string): Promise<FileKind | undefined> {
  return (await workspace.lstat(joinPath(dir, path)).catch(ignoreCodes('ENOENT', 'ENOTDIR')))?.kind
}

async function bringIndex({ git, repo }: Repository, chosen: readonly Chosen[]): Promise<void> {
  const gone = chosen.flatMap(({ row, goal }) => (goal ? [] : [row.path]))
  // Remove first, so that a file can replace a directory.
  if (gone.length > 0) await git.remove({ ...repo, filepath: gone })
  for (const { row, goal } of chosen) {
    if (goal) await git.updateIndex({ ...repo, filepath: row.path, oid: goal.oid, mode: goal.mode, add: true })
  }
}

export async function reset(session: RepoSession, args: readonly string[]): Promise<ShellCommandResult> {
  const given = parse('reset', args, 'hard soft mixed q|quiet')
  const operands = [...given.operands]
  return session.use(async (repository) => {
    checkIdle(repository, 'reset')
    const [first] = operands
    const isCommit = first !== undefined && (await findCommit(repository, first)) !== undefined
    const names = [...(isCommit ? operands.slice(1) : operands), ...(given.paths ?? [])]
    if (names.length > 0) {
      if (first !== undefined && !isCommit && !given.paths && (given.has('hard') || given.has('soft'))) throw unknownRevision(first)
      if (given.has('hard') || given.has('soft')) throw fatal(`Cannot do ${given.has('hard') ? 'hard' : 'soft'} reset with paths.`)
      const chosen = await selected(repository, session, { from: isCommit ? (first as string) : 'HEAD', names }).catch((error: unknown) => {
        throw error instanceof GitFault && first !== undefined && !isCommit && !given.paths ? unknownRevision(first) : error
      })
      await bring(repository, chosen, { toIndex: true, toFiles: false })
      return { stdout: given.has('q') ? '' : await unstaged(repository, session) }
    }
    const head = await headOid(repository)
    const goal = first === undefined ? head : await commitNamed(repository, first)
    if (given.has('hard')) return hard(repository, { goal, quiet: given.has('q') })
    if (goal !== undefined) await moveHead(repository, goal)
    if (given.has('soft')) return {}
    const rows = await survey(repository, { commits: [goal] })
    await bring(
      repository,
      rows.map((row) => ({ row, goal: row.commits[0] })),
      { toIndex: true, toFiles: false },
    )
    return { stdout: given.has('q') ? '' : await unstaged(repository, session) }
  })
}

async function unstaged(repository: Repository, session: RepoSession): Promise<string> {
  const state = await readState(repository)
  if (state.unstaged.length === 0) return ''
  return `Unstaged changes after reset:\n${state.unstaged.map(({ letter, path }) => `${letter}\t${fromCwd(session, path)}\n`).join('')}`
}

interface Hard {
  readonly goal: string | undefined
  readonly quiet: boolean
}

/** Resets tracked files to the commit. Keeps untracked files. */
async function hard(repository: Repository, { goal, quiet }: Hard): Promise<ShellCommandResult> {
  if (goal === undefined) {
    const rows = await survey(repository, { commits: [] })
    await bring(
      repository,
      rows.filter(({ index }) => index).map((row) => ({ row, goal: undefined })),
      { toIndex: true, toFiles: true },
    )
    return {}
  }
  const rows = await survey(repository, { commits: [goal] })
  await bring(
    repository,
    rows.filter(({ index, commits: [side] }) => index || side).map((row) => ({ row, goal: row.commits[0] })),
    { toIndex: true, toFiles: true },
  )
  await moveHead(repository, goal)
  if (quiet) return {}
  const { commit } = await readCommitOf(repository, goal)
  return { stdout: `HEAD is now at ${short(goal)} ${subject(commit.message)}\n` }
}

/** Moves HEAD, and with it the checked-out branch. */
async function moveHead({ git, repo }: Repository, oid: string): Promise<void> {
  const current = (await git.currentBranch(repo)) ?? undefined
  const ref = current === undefined ? 'HEAD' : `refs/heads/${current}`
  await git.writeRef({ ...repo, ref, value: oid, force: true })
}
