import { quotedName } from '../../../src/ops/diff.js'
import type { ShellCommandResult } from '../../../src/types/shell.js'
import { headOid, type Repository } from '../repository.js'
import { changeOf, type Row, SUBMODULE, survey } from '../survey.js'
import { parse } from './options.js'
import { fitsAny, fromCwd, pathspecs } from './paths.js'
import { short } from './revisions.js'
import type { RepoSession } from './session.js'

export interface Change {
  readonly letter: 'A' | 'M' | 'D' | 'T' | 'R'
  readonly path: string
  /** Old path of a renamed file. */
  readonly from?: string
}

export interface State {
  /** The current branch, or undefined if HEAD is detached. */
  readonly branch: string | undefined
  readonly head: string | undefined
  readonly staged: readonly Change[]
  readonly unstaged: readonly Change[]
  /** Conflicts of a merge. `staged` and `unstaged` do not include them. */
  readonly unmerged: readonly { readonly path: string; readonly code: string }[]
  /** The git operation that is in progress, for example `a merge`. */
  readonly underWay: string | undefined
  /** A directory with only untracked files is listed as one entry that ends in a slash. */
  readonly untracked: readonly string[]
}

const LETTERS = { added: 'A', modified: 'M', deleted: 'D', type_changed: 'T' } as const

export async function readState(repository: Repository, allUntracked = false): Promise<State> {
  const { git, repo } = repository
  const head = await headOid(repository)
  const conflicts = await repository.supported.conflicts()
  const rows = (await survey(repository, { commits: [head] })).filter(({ path }) => !conflicts.has(path))
  return {
    underWay: repository.supported.underWay,
    unmerged: [...conflicts].map(([path, stages]) => ({ path, code: CODES[[...stages].join('')] ?? 'UU' })),
    branch: (await git.currentBranch(repo)) ?? undefined,
    head,
    staged: withRenames(rows),
    unstaged: rows.flatMap((row) => {
      if (!row.index || row.index.mode === SUBMODULE) return []
      const change = changeOf(row.index, row.work)
      return change === 'unchanged' || change === 'added' ? [] : [{ letter: LETTERS[change], path: row.path }]
    }),
    untracked: untrackedOf(rows, new Set(conflicts.keys()), allUntracked),
  }
}

/** Maps the stages in the index to the status code of a conflict. Stages: 1 common ancestor, 2 ours, 3 theirs. */
const CODES: Readonly<Record<string, string>> = { '1': 'DD', '2': 'AU', '3': 'UA', '12': 'UD', '13': 'DU', '23': 'AA', '123': 'UU' }
const CONFLICTS: Readonly<Record<string, string>> = {
  DD: 'both deleted:    ',
  AU: 'added by us:     ',
  UA: 'added by them:   ',
  UD: 'deleted by them: ',
  DU: 'deleted by us:   ',
  AA: 'both added:      ',
  UU: 'both modified:   ',
}

/** Converts a removed and an added file with the same content to one rename. */
function withRenames(rows: readonly Row[]): Change[] {
  const gone = new Map<string, Row[]>()
  for (const row of rows) {
    const [commit] = row.commits
    if (commit && !row.index) gone.set(commit.oid, [...(gone.get(commit.oid) ?? []), row])
  }
  const sources = new Set<Row>()
  const changes: Change[] = []
  for (const row of rows) {
    const change = changeOf(row.commits[0], row.index)
    if (change !== 'added' || !row.index) continue
    const from = gone.get(row.index.oid)?.shift()
    if (from) sources.add(from)
    changes.push(from ? { letter: 'R', path: row.path, from: from.path } : { letter: 'A', path: row.path })
  }
  for (const row of rows) {
    const change = changeOf(row.commits[0], row.index)
    if (change === 'unchanged' || change === 'added' || sources.has(row)) continue
    changes.push({ letter: LETTERS[change], path: row.path })
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function untrackedOf(rows: readonly Row[], unmerged: ReadonlySet<string>, all: boolean): string[] {
  const tracked = new Set([...unmerged].flatMap(parentsOf))
  for (const { path, index } of rows) if (index) for (const parent of parentsOf(path)) tracked.add(parent)
  const names = rows.flatMap(({ path, index, work }) => {
    if (index || !work) return []
    const top = all ? undefined : parentsOf(path).find((parent) => !tracked.has(parent))
    return [top === undefined ? path : `${top}/`]
  })
  return [...new Set(names)]
}

/** Returns the parent directories of a path, outermost first. */
export function parentsOf(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'))
}

export async function status(session: RepoSession, args: readonly string[]): Promise<ShellCommandResult> {
  const given = parse('status', args, 's|short b|branch porcelain=? long u|untracked-files=? ignored z')
  const specs = pathspecs(session, [...given.operands, ...(given.paths ?? [])])
  const mode = given.has('u') ? (given.value('u') ?? 'all') : 'normal'
  const state = await session.use((repository) => readState(repository, mode === 'all'))
  const shown: State = {
    ...state,
    staged: state.staged.filter(({ path }) => fitsAny(specs, path)),
    unstaged: state.unstaged.filter(({ path }) => fitsAny(specs, path)),
    unmerged: state.unmerged.filter(({ path }) => fitsAny(specs, path)),
    untracked: mode === 'no' ? [] : state.untracked.filter((path) => fitsAny(specs, path.replace(/\/$/, ''))),
  }
  const porcelain = given.has('porcelain')
  if (!porcelain && !given.has('s')) return { stdout: longStatus(session, shown) }
  const name = (path: string): string => quotedName(porcelain ? path : fromCwd(session, path))
  return { stdout: `${given.has('b') ? branchLine(shown) : ''}${shortStatus(shown, name, given.has('z') ? '\0' : '\n')}` }
}

function branchLine({ branch, head }: State): string {
  if (branch === undefined) return '## HEAD (no branch)\n'
  return head === undefined ? `## No commits yet on ${branch}\n` : `## ${branch}\n`
}

function shortStatus({ staged, unstaged, unmerged, untracked }: State, name: (path: string) => string, end: string): string {
  const lines = new Map<string, { x: string; y: string; from?: string | undefined }>()
  for (const { letter, path, from } of staged) lines.set(path, { x: letter, y: ' ', from })
  for (const { letter, path } of unstaged) lines.set(path, { ...(lines.get(path) ?? { x: ' ' }), y: letter })
  for (const { path, code } of unmerged) lines.set(path, { x: code.charAt(0), y: code.charAt(1) })
  const tracked = [...lines].sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    ...tracked.map(([path, { x, y, from }]) => `${x}${y} ${from === undefined ? '' : `${name(from)} -> `}${name(path)}`),
    ...untracked.map((path) => `?? ${name(path)}`),
  ]
    .map((line) => `${line}${end}`)
    .join('')
}

const WORDS = { A: 'new file:   ', M: 'modified:   ', D: 'deleted:    ', T: 'typechange: ', R: 'renamed:    ' } as const

/** Formats the long status. `isCommit`: as `git commit` prints it if nothing is staged. */
export function longStatus(session: RepoSession, state: State, isCommit = false): string {
  const { branch, head, staged, unstaged, unmerged, untracked } = state
  const isMerge = state.underWay === 'a merge'
  const name = (path: string): string => quotedName(fromCwd(session, path))
  const parts = [branch === undefined ? `HEAD detached at ${short(head ?? '')}\n` : `On branch ${branch}\n`]
  if (head === undefined) parts.push(isCommit ? '\nInitial commit\n' : '\nNo commits yet\n')
  if (isMerge) {
    parts.push(
      unmerged.length > 0
        ? 'You have unmerged paths.\n  (fix conflicts and run "git commit")\n  (use "git merge --abort" to abort the merge)\n'
        : 'All conflicts fixed but you are still merging.\n  (use "git commit" to conclude merge)\n',
    )
  }
  if (staged.length > 0) {
    const undo = head === undefined ? 'git rm --cached <file>...' : 'git restore --staged <file>...'
    const lines = staged.map(
      ({ letter, path, from }) => `\t${WORDS[letter]}${from === undefined ? '' : `${name(from)} -> `}${name(path)}\n`,
    )
    parts.push(
      `${parts.length > 1 || head === undefined ? '\n' : ''}Changes to be committed:\n${isMerge ? '' : `  (use "${undo}" to unstage)\n`}${lines.join('')}`,
    )
  }
  if (unmerged.length > 0) {
    const undo = isMerge ? '' : '  (use "git restore --staged <file>..." to unstage)\n'
    const isGone = unmerged.some(({ code }) => code.includes('D'))
    const lines = unmerged.map(({ path, code }) => `\t${CONFLICTS[code]}${name(path)}\n`)
    const settle = isGone ? 'add/rm <file>..." as appropriate to mark resolution' : 'add <file>..." to mark resolution'
    parts.push(`${parts.length > 1 ? '\n' : ''}Unmerged paths:\n${undo}  (use "git ${settle})\n${lines.join('')}`)
  }
  if (unstaged.length > 0) {
    const add = unstaged.some(({ letter }) => letter === 'D') ? 'add/rm' : 'add'
    const lines = unstaged.map(({ letter, path }) => `\t${WORDS[letter]}${name(path)}\n`)
    parts.push(
      `${parts.length > 1 || head === undefined ? '\n' : ''}Changes not staged for commit:\n  (use "git ${add} <file>..." to update what will be committed)\n` +
        `  (use "git restore <file>..." to discard changes in working directory)\n${lines.join('')}`,
    )
  }
  if (untracked.length > 0) {
    const lines = untracked.map((path) => `\t${name(path)}\n`)
    parts.push(
      `${parts.length > 1 ? '\n' : ''}Untracked files:\n  (use "git add <file>..." to include in what will be committed)\n${lines.join('')}`,
    )
  }
  return `${parts.join('')}${conclusion(state)}`
}

function conclusion({ head, staged, unstaged, unmerged, untracked }: State): string {
  if (staged.length > 0) return '\n'
  if (unstaged.length + unmerged.length > 0) return '\nno changes added to commit (use "git add" and/or "git commit -a")\n'
  if (untracked.length > 0) return '\nnothing added to commit but untracked files present (use "git add" to track)\n'
  return head === undefined
    ? '\nnothing to commit (create/copy files and use "git add" to track)\n'
    : 'nothing to commit, working tree clean\n'
}
