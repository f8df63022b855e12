import { FsError } from '../../src/errors/index.js'
import { joinPath } from '../../src/workspace/paths.js'
import { LINK } from './git-fs.js'
import type { WalkedEntry } from './library.js'
import { isBelow, leadsTo } from './repo-path.js'
import type { Repository } from './repository.js'

/** The state of a path in a commit, in the index or in the worktree. */
export interface Side {
  readonly mode: number
  readonly oid: string
}

/** A path that is a file, a symlink or a submodule in at least one of the compared states. */
export interface Row {
  readonly path: string
  /** The states in the requested commits, in their order. */
  readonly commits: readonly (Side | undefined)[]
  /** For each commit, whether the path is a directory there. */
  readonly commitDirs: readonly boolean[]
  readonly index: Side | undefined
  /** State in the worktree. `oid` is empty for an untracked file, because such a file needs no comparison. */
  readonly work: Side | undefined
  readonly workDir: boolean
}

export interface SurveyOptions {
  /** Ids of the commits to compare. Undefined stands for an empty tree. */
  readonly commits: readonly (string | undefined)[]
  /** Paths relative to the repository. Default: everything. */
  readonly paths?: readonly string[] | undefined
  /** Whether to include untracked files that are ignored. Default: false. */
  readonly ignored?: boolean
}

export const SUBMODULE = 0o160000

/** Returns all paths, changed or not, sorted. Each row has the states in the commits, the index and the worktree. */
export async function survey(repository: Repository, { commits, paths = [''], ignored = false }: SurveyOptions): Promise<Row[]> {
  const { git, repo, dir, workspace } = repository
  const present = commits.filter((oid) => oid !== undefined)
  const rows: Row[] = []
  await git.walk({
    ...repo,
    trees: [...present.map((ref) => git.TREE({ ref })), git.STAGE(), git.WORKDIR({ refresh: false })],
    map: async (path, entries) => {
      if (path === '.') return undefined
      if (!leadsTo(path, paths)) return null
      const work = entries.at(-1)
      const tracked = entries.slice(0, -1).some((entry) => entry !== null)
      if (tracked) checkTracked(dir, path)
      if (!tracked && work) {
        if (/(^|\/)\.git$/i.test(path)) return null
        if (!ignored && (await git.isIgnored({ ...repo, filepath: path }))) return null
        // Skip nested repositories.
        if ((await work.type()) === 'tree' && (await workspace.exists(`${joinPath(dir, path)}/.git`))) return null
      }
      const row = await rowOf(path, entries, commits)
      if (row && isBelow(path, paths)) rows.push(repository.trustsModes ? row : withIndexMode(row))
      // The files of a submodule belong to another repository.
      return row?.index?.mode === SUBMODULE || row?.commits.some((side) => side?.mode === SUBMODULE) ? null : undefined
    },
  })
  return rows.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Rejects index entries inside `.git`. The library accepts them, and a checkout would write them. @throws {FsError} EIO */
function checkTracked(dir: string, path: string): void {
  if (!/(^|\/)\.git$/i.test(path)) return
  const detail = `the index is damaged: it names "${path}", which is no file of the repository`
  throw new FsError({ code: 'EIO', op: 'read the index in', path: dir, detail })
}

async function rowOf(
  path: string,
  entries: readonly (WalkedEntry | null)[],
  wanted: readonly (string | undefined)[],
): Promise<Row | undefined> {
  const types = await Promise.all(entries.map((entry) => entry?.type()))
  if (types.every((type) => type === undefined || type === 'tree' || type === 'special')) return undefined
  const isTracked = types.slice(0, -1).some((type) => type === 'blob')
  const sides = await Promise.all(
    entries.map(async (entry, at) => {
      if (!entry || (types[at] !== 'blob' && types[at] !== 'commit')) return undefined
      const isUntracked = at === entries.length - 1 && !isTracked
      return { mode: await entry.mode(), oid: isUntracked ? '' : ((await entry.oid()) ?? '') }
    }),
  )
  let next = 0
  const at = wanted.map((oid) => (oid === undefined ? -1 : next++))
  return {
    path,
    commits: at.map((i) => sides[i]),
    commitDirs: at.map((i) => types[i] === 'tree'),
    index: sides.at(-2),
    work: sides.at(-1),
    workDir: types.at(-1) === 'tree',
  }
}

/** Gives a file the mode that the index has, for storages whose modes are not reliable. */
function withIndexMode(row: Row): Row {
  const { index, work } = row
  if (!index || !work || index.mode === LINK || work.mode === LINK || index.mode === SUBMODULE) return row
  return { ...row, work: { ...work, mode: index.mode } }
}

export const same = (a: Side | undefined, b: Side | undefined): boolean => a?.oid === b?.oid && a?.mode === b?.mode

/** Classifies the change from one state to the other. */
export function changeOf(from: Side | undefined, to: Side | undefined): 'added' | 'modified' | 'deleted' | 'type_changed' | 'unchanged' {
  if (same(from, to)) return 'unchanged'
  if (!from) return 'added'
  if (!to) return 'deleted'
  return from.mode >> 12 === to.mode >> 12 ? 'modified' : 'type_changed'
}
