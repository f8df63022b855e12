import type { ShellCommandResult } from '../../../src/types/shell.js'
import { diff as compare, EMPTY_TREE, type SizedDiff } from '../diff.js'
import { headOid, type Repository } from '../repository.js'
import { survey } from '../survey.js'
import { fatal } from './fault.js'
import { type Given, parse } from './options.js'
import { namesOf, numStatOf, shortStatOf, statOf } from './patch-stat.js'
import { fitsAny, type Pathspec, pathspecs } from './paths.js'
import { commitNamed, findCommit, unknownRevision } from './revisions.js'
import type { RepoSession } from './session.js'

export const DIFF_FORMS =
  'stat=? shortstat numstat name-only name-status p|u|patch U|unified= no-color color=? no-ext-diff no-renames M s|no-patch'
const MAX_BYTES = 16 * 1024 * 1024

export interface Ends {
  readonly from: string
  readonly to: string
}

export async function diff(session: RepoSession, args: readonly string[]): Promise<ShellCommandResult> {
  const given = parse('diff', args, `${DIFF_FORMS} cached|staged exit-code q|quiet no-index`)
  if (given.has('no-index')) throw fatal('--no-index is not available here: use diff -u')
  const result = await session.use(async (repository) => {
    const { ends, specs } = await endsOf(repository, session, given)
    return differences(repository, ends, { given, specs })
  })
  const differs = result.files.length > 0
  const exitCode = (given.has('exit-code') || given.has('q')) && differs ? 1 : 0
  return { stdout: given.has('q') ? '' : rendered(result, given), exitCode }
}

/** Splits the operands into revisions and paths. */
async function endsOf(repository: Repository, session: RepoSession, given: Given): Promise<{ ends: Ends; specs: Pathspec[] }> {
  const revisions: string[] = []
  const paths: string[] = [...(given.paths ?? [])]
  for (const operand of given.operands) {
    const found = paths.length === 0 || given.paths ? await revisionsIn(repository, operand) : []
    if (found.length > 0) revisions.push(...found)
    else if (given.paths === undefined && (await isKnownPath(repository, session, operand))) paths.push(operand)
    else throw unknownRevision(operand)
  }
  const [first, second] = revisions
  const cached = given.has('cached')
  // Before the first commit, every file is new.
  const head = (await headOid(repository)) ?? EMPTY_TREE
  const ends: Ends = {
    from: first ?? (cached ? head : 'index'),
    to: second ?? (cached ? 'index' : 'worktree'),
  }
  return { ends, specs: pathspecs(session, paths) }
}

/** Resolves one revision, or the two of `A..B`. Rejects `A...B`. */
async function revisionsIn(repository: Repository, text: string): Promise<string[]> {
  const [, left, dots, right] = /^(.*?)(\.{2,3})(.*)$/.exec(text) ?? []
  if (dots === undefined || left === undefined || right === undefined) {
    const oid = await findCommit(repository, text)
    return oid === undefined ? [] : [oid]
  }
  if (dots === '...') throw fatal(`${text}: three dots are not available here: name the two commits`)
  return [await commitNamed(repository, left || 'HEAD'), await commitNamed(repository, right || 'HEAD')]
}

async function isKnownPath({ workspace, dir }: Repository, session: RepoSession, text: string): Promise<boolean> {
  const [spec] = pathspecs(session, [text])
  return /[*?]/.test(text) || (await workspace.exists(`${dir}/${spec?.path}`).catch(() => false))
}

interface Wanted {
  readonly given: Given
  readonly specs: readonly Pathspec[]
}

export async function differences(repository: Repository, { from, to }: Ends, { given, specs }: Wanted): Promise<SizedDiff> {
  const context = given.value('U')
  const paths = await pathsFor(repository, specs, [from, to])
  if (paths?.length === 0) return { files: [], text: '', truncated: false }
  return compare(repository, {
    from,
    to,
    full: true,
    maxBytes: MAX_BYTES,
    ...(paths && { paths }),
    ...(context !== undefined && { context: Number(context) }),
  })
}

/** Expands patterns to the paths that match. Returns undefined for all paths. */
async function pathsFor(repository: Repository, specs: readonly Pathspec[], ends: readonly string[]): Promise<string[] | undefined> {
  if (specs.length === 0) return undefined
  if (specs.every(({ path }) => !/[*?]/.test(path))) return specs.map(({ path }) => path)
  const commits = ends.filter((end) => /^[0-9a-f]{40}$/.test(end))
  const rows = await survey(repository, { commits })
  return rows.map(({ path }) => path).filter((path) => fitsAny(specs, path))
}

export function rendered(result: SizedDiff, given: Given): string {
  if (given.has('s')) return ''
  const parts: string[] = []
  if (given.has('name-only')) return namesOf(result, false)
  if (given.has('name-status')) return namesOf(result, true)
  if (given.has('numstat')) parts.push(numStatOf(result))
  if (given.has('stat')) parts.push(statOf(result))
  else if (given.has('shortstat')) parts.push(shortStatOf(result))
  const wantsPatch = parts.length === 0 || given.has('p')
  if (wantsPatch) parts.push(`${parts.length > 0 ? '\n' : ''}${result.text}${result.truncated ? TRUNCATED : ''}`)
  return parts.join('')
}

const TRUNCATED = '[the rest is left out: it is more than 16 MiB; name paths, or use --stat]\n'
