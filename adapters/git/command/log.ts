import type { ShellCommandResult } from '../../../src/types/shell.js'
import { EMPTY_TREE } from '../diff.js'
import { log as history } from '../history.js'
import type { ReadCommit } from '../library.js'
import { headOid, type Repository } from '../repository.js'
import { survey } from '../survey.js'
import { DIFF_FORMS, differences, rendered } from './diff.js'
import { fatal } from './fault.js'
import { type Given, parse } from './options.js'
import { fitsAny, type Pathspec, pathspecs } from './paths.js'
import { commitNamed, decorations, findCommit, readCommitOf, short, subject, unknownRevision } from './revisions.js'
import type { RepoSession } from './session.js'

const SPECS = `# n|max-count= oneline pretty=? format= decorate=? no-decorate reverse author= grep= i skip= no-merges merges abbrev-commit date= follow first-parent all no-pager ${DIFF_FORMS}`
const MAX_COMMITS = 100_000

export async function log(session: RepoSession, args: readonly string[]): Promise<ShellCommandResult> {
  const given = parse('log', args, SPECS)
  return session.use(async (repository) => {
    const head = await headOid(repository)
    const { from, without, specs } = await rangeOf(repository, session, given)
    if (head === undefined && from === undefined) {
      const branch = (await repository.git.currentBranch(repository.repo)) ?? 'HEAD'
      throw fatal(`your current branch '${branch}' does not have any commits yet`)
    }
    const commits = await chosen(repository, given, { from: from ?? (head as string), without, specs })
    return { stdout: await listing(repository, given, commits, specs) }
  })
}

interface Range {
  readonly from: string | undefined
  readonly without: string | undefined
  readonly specs: readonly Pathspec[]
}

async function rangeOf(repository: Repository, session: RepoSession, given: Given): Promise<Range> {
  if (given.has('all')) throw fatal('--all is not available here: name a branch')
  const paths = [...(given.paths ?? [])]
  let from: string | undefined
  let without: string | undefined
  for (const operand of given.operands) {
    const [, left, right] = /^(.*?)\.\.(.*)$/.exec(operand) ?? []
    const oid = left === undefined ? await findCommit(repository, operand) : undefined
    if (left !== undefined && right !== undefined) {
      without = await commitNamed(repository, left || 'HEAD')
      from = await commitNamed(repository, right || 'HEAD')
    } else if (oid !== undefined && from === undefined && paths.length === (given.paths ?? []).length) from = oid
    else if (
      oid === undefined &&
      given.paths === undefined &&
      (await repository.workspace.exists(session.context.fs.resolvePath(session.cwd, operand)))
    ) {
      paths.push(operand)
    } else throw unknownRevision(operand)
  }
  return { from, without, specs: pathspecs(session, paths) }
}

async function chosen(repository: Repository, given: Given, { from, without, specs }: Range): Promise<ReadCommit[]> {
  const limit = number(given.value('n') ?? given.value('#'))
  const skip = number(given.value('skip')) ?? 0
  const isFiltered = specs.length > 0 || without !== undefined || ['author', 'grep', 'merges', 'no-merges'].some((id) => given.has(id))
  const most = isFiltered || limit === undefined ? MAX_COMMITS : limit + skip
  if (most === 0) return []
  const excluded = new Set(
    without === undefined ? [] : (await history(repository, { ref: without, limit: MAX_COMMITS })).map(({ oid }) => oid),
  )
  const found: ReadCommit[] = []
  for (const { oid } of await history(repository, { ref: from as string, limit: most })) {
    if (limit !== undefined && found.length >= limit + skip) break
    if (excluded.has(oid)) continue
    const commit = await readCommitOf(repository, oid)
    if (isWanted(given, commit) && (specs.length === 0 || (await touches(repository, commit, specs)))) found.push(commit)
  }
  const kept = found.slice(skip, limit === undefined ? undefined : skip + limit)
  return given.has('reverse') ? kept.reverse() : kept
}

function number(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^-?\d+$/.test(text)) throw fatal(`'${text}': not an integer`)
  return Number(text) < 0 ? undefined : Number(text)
}

function isWanted(given: Given, { commit }: ReadCommit): boolean {
  const fold = (text: string): string => (given.has('i') ? text.toLowerCase() : text)
  const author = given.value('author')
  const grep = given.value('grep')
  if (author !== undefined && !fold(`${commit.author.name} <${commit.author.email}>`).includes(fold(author))) return false
  if (grep !== undefined && !fold(commit.message).includes(fold(grep))) return false
  const isMerge = commit.parent.length > 1
  return !(given.has('no-merges') && isMerge) && !(given.has('merges') && !isMerge)
}

async function touches(repository: Repository, { oid, commit }: ReadCommit, specs: readonly Pathspec[]): Promise<boolean> {
  const parents = commit.parent.length > 0 ? commit.parent : [undefined]
  for (const parent of parents) {
    const rows = await survey(repository, {
      commits: [parent, oid],
      paths: specs.every(({ path }) => !/[*?]/.test(path)) ? specs.map(({ path }) => path) : [''],
    })
    const differs = rows.some(({ path, commits: [a, b] }) => fitsAny(specs, path) && (a?.oid !== b?.oid || a?.mode !== b?.mode))
    if (!differs) return false
  }
  return true
}

const DIFFS = ['stat', 'shortstat', 'numstat', 'name-only', 'name-status', 'p'] as const

async function listing(repository: Repository, given: Given, commits: readonly ReadCommit[], specs: readonly Pathspec[]): Promise<string> {
  const names =
    given.has('decorate') || formatOf(given).includes('%d') || formatOf(given).includes('%D') ? await decorations(repository) : new Map()
  const withDiff = DIFFS.some((id) => given.has(id))
  let text = ''
  for (const [at, commit] of commits.entries()) {
    const style = styleOf(given)
    if (at > 0 && style === 'full') text += '\n'
    if (at > 0 && style === 'separated') text += '\n'
    text += described(commit, given, names.get(commit.oid))
    if (!withDiff) continue
    const [parent] = commit.commit.parent
    const body = rendered(await differences(repository, { from: parent ?? EMPTY_TREE, to: commit.oid }, { given, specs }), given)
    if (body !== '') text += `${gapOf(given)}${body}`
  }
  return text
}

/** Style of the output. `format:` puts line breaks between the commits. `tformat:` (and `--format=`) puts one after each commit. */
function styleOf(given: Given): 'full' | 'line' | 'separated' {
  if (given.has('oneline') || formatOf(given) === 'oneline') return 'line'
  if (given.value('pretty')?.startsWith('format:') && !given.has('format')) return 'separated'
  return formatOf(given).includes('%') ? 'line' : 'full'
}

/** Returns the text between a commit and its diff. */
const gapOf = (given: Given): string => (given.has('oneline') || formatOf(given) === 'oneline' ? '' : '\n')

const formatOf = (given: Given): string => given.value('format') ?? given.value('pretty') ?? ''

export function described(entry: ReadCommit, given: Given, names: readonly string[] = []): string {
  const format = formatOf(given)
  const decorated = given.has('decorate') && !given.has('no-decorate') && names.length > 0 ? ` (${names.join(', ')})` : ''
  if (given.has('oneline') || format === 'oneline') {
    const id = format === 'oneline' && !given.has('abbrev-commit') ? entry.oid : short(entry.oid)
    return `${id}${decorated} ${subject(entry.commit.message)}\n`
  }
  if (format.includes('%')) {
    const text = placeholders(format.replace(/^t?format:/, ''), entry, names, given)
    return styleOf(given) === 'separated' ? text : `${text}\n`
  }
  if (!['', 'medium', 'short', 'full', 'fuller'].includes(format)) throw fatal(`invalid --pretty format: ${format}`)
  const { message, author, parent } = entry.commit
  const merge = parent.length > 1 ? `Merge: ${parent.map(short).join(' ')}\n` : ''
  const date = format === 'short' || format === 'full' ? '' : `Date:   ${dateOf(author, given.value('date'))}\n`
  const committer = format === 'full' ? `Commit: ${entry.commit.committer.name} <${entry.commit.committer.email}>\n` : ''
  const body = (format === 'short' ? subject(message) : message.trimEnd()).split('\n').map((line) => `    ${line}`)
  const id = given.has('abbrev-commit') ? short(entry.oid) : entry.oid
  return `commit ${id}${decorated}\n${merge}Author: ${author.name} <${author.email}>\n${committer}${date}\n${body.join('\n')}\n`
}

function placeholders(format: string, { oid, commit }: ReadCommit, names: readonly string[], given: Given): string {
  const { author, committer, message, parent, tree } = commit
  const date = given.value('date')
  const body = message.replace(/^[\s\S]*?(?:\n\s*\n|$)/, '').trimEnd()
  const values: Readonly<Record<string, string>> = {
    H: oid,
    h: short(oid),
    T: tree,
    t: short(tree),
    P: parent.join(' '),
    p: parent.map(short).join(' '),
    an: author.name,
    ae: author.email,
    ad: dateOf(author, date),
    ai: dateOf(author, 'iso'),
    aI: dateOf(author, 'iso-strict'),
    as: dateOf(author, 'short'),
    at: String(author.timestamp),
    cn: committer.name,
    ce: committer.email,
    cd: dateOf(committer, date),
    ci: dateOf(committer, 'iso'),
    cI: dateOf(committer, 'iso-strict'),
    cs: dateOf(committer, 'short'),
    ct: String(committer.timestamp),
    s: subject(message),
    b: body === '' ? '' : `${body}\n`,
    B: `${message.trimEnd()}\n`,
    d: names.length > 0 ? ` (${names.join(', ')})` : '',
    D: names.join(', '),
    n: '\n',
    '%': '%',
  }
  return format.replace(/%(a[neidIst]|c[neidIst]|C(?:\([^)]*\)|[a-z]+)|x[\da-fA-F]{2}|[A-Za-z%])/g, (all, name: string) => {
    if (name.startsWith('C')) return ''
    if (name.startsWith('x')) return String.fromCharCode(Number.parseInt(name.slice(1), 16))
    if (!Object.hasOwn(values, name))
      throw fatal(`the placeholder ${all} is not available here: there is %${Object.keys(values).join(' %')}`)
    return values[name] as string
  })
}

type Person = ReadCommit['commit']['author']

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function dateOf({ timestamp, timezoneOffset }: Person, style = 'default'): string {
  const local = new Date((timestamp - timezoneOffset * 60) * 1000)
  const two = (value: number): string => String(value).padStart(2, '0')
  const ahead = Math.abs(timezoneOffset)
  const sign = timezoneOffset > 0 ? '-' : '+'
  const zone = `${sign}${two(Math.floor(ahead / 60))}${two(ahead % 60)}`
  const day = `${local.getUTCFullYear()}-${two(local.getUTCMonth() + 1)}-${two(local.getUTCDate())}`
  const time = `${two(local.getUTCHours())}:${two(local.getUTCMinutes())}:${two(local.getUTCSeconds())}`
  switch (style) {
    case 'iso':
    case 'iso8601':
      return `${day} ${time} ${zone}`
    case 'iso-strict':
      return `${day}T${time}${zone === '+0000' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3)}`}`
    case 'short':
      return day
    case 'unix':
      return String(timestamp)
    case 'default':
      return `${DAYS[local.getUTCDay()]} ${MONTHS[local.getUTCMonth()]} ${local.getUTCDate()} ${time} ${local.getUTCFullYear()} ${zone}`
    default:
      throw fatal(`the date format ${style} is not available here: use default, iso, iso-strict, short or unix`)
  }
}

export async function show(session: RepoSession, args: readonly string[]): Promise<ShellCommandResult> {
  const given = parse('show', args, SPECS)
  const [name = 'HEAD', ...more] = given.operands
  if (more.length > 0) throw fatal('one revision at a time here')
  return session.use(async (repository) => {
    const [, revision, path] = /^([^:]*):(.*)$/s.exec(name) ?? []
    if (revision !== undefined && path !== undefined) return { stdout: await contentAt(repository, revision, path) }
    const oid = await commitNamed(repository, name)
    const commit = await readCommitOf(repository, oid)
    const specs = pathspecs(session, given.paths ?? [])
    const head = described(commit, given, given.has('decorate') ? (await decorations(repository)).get(oid) : undefined)
    const [parent] = commit.commit.parent
    // For a merge, git shows only changes that differ from both parents. As there are usually none, show no changes here.
    const result =
      commit.commit.parent.length > 1 ? undefined : await differences(repository, { from: parent ?? EMPTY_TREE, to: oid }, { given, specs })
    const body = result ? rendered(result, given) : ''
    const gap = body === '' ? '' : gapOf(given)
    return { stdout: `${head}${gap}${body}` }
  })
}

async function contentAt(repository: Repository, revision: string, path: string): Promise<Uint8Array> {
  const { git, repo } = repository
  const wanted = path.replace(/^\.\//, '')
  const commits = revision === '' ? [] : [await commitNamed(repository, revision)]
  const [row] = await survey(repository, { commits, paths: [wanted] })
  const side = row?.path === wanted ? (revision === '' ? row.index : row.commits[0]) : undefined
  if (!side) throw fatal(`path '${path}' does not exist in '${revision || 'the index'}'`)
  return (await git.readBlob({ ...repo, oid: side.oid })).blob
}
