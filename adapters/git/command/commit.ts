import { quotedName } from '../../../src/ops/diff.js'
import type { ShellCommandResult } from '../../../src/types/shell.js'
import { commit as record } from '../commit.js'
import { diff as compare, EMPTY_TREE } from '../diff.js'
import { checkIdle, headOid, type Repository } from '../repository.js'
import { add as stage } from '../staging.js'
import { same, survey } from '../survey.js'
import { type Author, authorOf, readDate } from './config.js'
import { fatal, GitFault } from './fault.js'
import { type Given, parse } from './options.js'
import { shortStatOf } from './patch-stat.js'
import { fitsAny, pathspecs } from './paths.js'
import { commitNamed, readCommitOf, short, subject } from './revisions.js'
import type { RepoSession } from './session.js'
import { type Change, longStatus, readState } from './status.js'

const SPECS =
  'm|message= a|all q|quiet F|file= C|reuse-message= amend no-edit allow-empty allow-empty-message n|no-verify author= date= v|verbose reset-author no-gpg-sign'

export async function commit(session: RepoSession, args: readonly string[]): Promise<ShellCommandResult> {
  const given = parse('commit', args, SPECS)
  const names = [...given.operands, ...(given.paths ?? [])]
  const [author, committer] = [await whoWrote(session, given), await authorOf(session, 'COMMITTER')]
  const message = await messageOf(session, given)
  return session.use(async (repository) => {
    checkIdle(repository, 'commit in')
    if (given.has('a') || names.length > 0) await stageTracked(repository, session, names)
    const head = await headOid(repository)
    if (given.has('amend') && head === undefined) throw fatal('You have nothing to amend.')
    const old = given.has('amend') ? await readCommitOf(repository, head as string) : undefined
    const text =
      message ??
      (given.has('C')
        ? (await readCommitOf(repository, await commitNamed(repository, given.value('C') as string))).commit.message
        : undefined) ??
      old?.commit.message
    if (text === undefined)
      throw new GitFault(
        'error: there is no editor here: give the message with -m\nPlease supply the message using either -m or -F option.',
        1,
      )
    const state = await readState(repository)
    if (state.staged.length === 0 && !given.has('allow-empty') && !old) return { stdout: longStatus(session, state, true), exitCode: 1 }
    if (old && !given.has('allow-empty')) await checkAmended(repository, old.commit.parent[0], state.branch)
    if (cleaned(text) === '') throw new GitFault('Aborting commit due to empty commit message.', 1)
    const parent = old ? old.commit.parent : head === undefined ? [] : [head]
    const who = old && !given.has('reset-author') && !given.has('author') ? { ...old.commit.author, guessed: false } : author
    const oid = await write(repository, { message: `${cleaned(text)}\n`, author: who, committer, parent, amends: old !== undefined })
    return given.has('q')
      ? {}
      : { stdout: await summary(repository, { oid, parent: parent[0], state, isAmended: old !== undefined, committer }) }
  })
}

/** @throws {GitFault} if the amended commit would be empty */
async function checkAmended(repository: Repository, parent: string | undefined, branch: string | undefined): Promise<void> {
  const rows = await survey(repository, { commits: [parent] })
  if (rows.some(({ commits: [side], index }) => !same(side, index))) return
  throw new EmptyAmend(`${branch === undefined ? 'HEAD detached' : `On branch ${branch}`}\nNo changes\n`)
}

/** Thrown if the amended commit would be empty. Prints to both streams. */
export class EmptyAmend extends GitFault {
  readonly stdout: string

  constructor(stdout: string) {
    super(
      'You asked to amend the most recent commit, but doing so would make\nit empty. You can repeat your command with --allow-empty, or you can\n' +
        'remove the commit entirely with "git reset HEAD^".',
      1,
    )
    this.stdout = stdout
  }
}

/** Removes trailing white space and merges consecutive empty lines into one. */
const cleaned = (message: string): string =>
  message
    .replaceAll(/[ \t\r]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()

async function messageOf({ context, cwd }: RepoSession, given: Given): Promise<string | undefined> {
  if (given.has('m')) return given.values('m').join('\n\n')
  const file = given.value('F')
  if (file === undefined) return undefined
  const bytes = file === '-' ? context.stdin : await context.fs.readFileBuffer(context.fs.resolvePath(cwd, file)).catch(() => undefined)
  if (!bytes) throw fatal(`could not read log file '${file}': No such file or directory`)
  return new TextDecoder().decode(bytes)
}

async function whoWrote(session: RepoSession, given: Given): Promise<Author> {
  const author = await authorOf(session, 'AUTHOR')
  const text = given.value('author')
  const [, name, email] = /^\s*(.*?)\s*<(.*)>\s*$/.exec(text ?? '') ?? []
  if (text !== undefined && (name === undefined || email === undefined)) {
    throw fatal(`--author '${text}' is not 'Name <email>' and matches no existing author`)
  }
  const date = given.value('date')
  return {
    ...author,
    ...(name !== undefined && email !== undefined && { name, email, guessed: false }),
    ...(date !== undefined && readDate(date)),
  }
}

/** Stages the changed tracked files: all of them, or those that the paths match. */
async function stageTracked(repository: Repository, session: RepoSession, names: readonly string[]): Promise<void> {
  const specs = pathspecs(session, names)
  const rows = await survey(repository, { commits: [await headOid(repository)] })
  const staged = rows.filter(({ path, index, commits: [side] }) => !same(index, side) && !fitsAny(specs, path)).map(({ path }) => path)
  if (staged.length > 0)
    throw fatal(
      `these are staged as well, and would go with it: ${staged.join(', ')}. Leave the paths out, or git restore --staged them first`,
    )
  for (const spec of specs)
    if (!rows.some(({ path, index }) => index && fitsAny([spec], path))) {
      throw new GitFault(`error: pathspec '${spec.given}' did not match any file(s) known to git`, 1)
    }
  const paths = rows.filter(
    ({ index, work, path }) => index && (index.oid !== work?.oid || index.mode !== work?.mode) && fitsAny(specs, path),
  )
  if (paths.length > 0) await stage(repository, { paths: paths.map(({ path }) => path), force: true })
}

interface Writing {
  readonly message: string
  readonly author: Author
  readonly committer: Author
  readonly parent: readonly string[]
  readonly amends: boolean
}

async function write(repository: Repository, { message, author, committer, parent, amends }: Writing): Promise<string> {
  const { git, repo } = repository
  if (!amends) return (await record(repository, { message, author, committer, allowEmpty: true }, undefined)).oid
  const now = Math.floor(repository.workspace.host.now() / 1000)
  const complete = (person: Author): { name: string; email: string; timestamp: number; timezoneOffset: number } => ({
    name: person.name,
    email: person.email,
    timestamp: person.timestamp ?? now,
    timezoneOffset: person.timezoneOffset ?? 0,
  })
  return git.commit({
    ...repo,
    message,
    author: complete(author),
    committer: complete(committer),
    disallowEmpty: false,
    parent: [...parent],
  })
}

interface Written {
  readonly oid: string
  readonly parent: string | undefined
  readonly state: { readonly branch: string | undefined; readonly staged: readonly Change[] }
  readonly isAmended: boolean
  readonly committer: Author
}

async function summary(repository: Repository, { oid, parent, state, committer, isAmended }: Written): Promise<string> {
  const { commit: made } = await readCommitOf(repository, oid)
  const result = await compare(repository, { from: parent ?? EMPTY_TREE, to: oid, maxBytes: 16 * 1024 * 1024 })
  const rows = await survey(repository, { commits: [parent, oid] })
  const lines: { path: string; line: string }[] = []
  const gone = rows.filter(({ commits: [a, b] }) => a && !b)
  let renamed = 0
  for (const row of rows) {
    const { path } = row
    const [before, after] = row.commits
    if (!after) continue
    if (before) {
      if (before.mode !== after.mode) lines.push({ path, line: ` mode change ${octal(before)} => ${octal(after)} ${quotedName(path)}\n` })
      continue
    }
    const at = gone.findIndex(({ commits: [a] }) => a?.oid === after.oid)
    const [from] = at < 0 ? [] : gone.splice(at, 1)
    if (from) renamed++
    lines.push({
      path,
      line: from ? ` rename ${renaming(from.path, path)} (100%)\n` : ` create mode ${octal(after)} ${quotedName(path)}\n`,
    })
  }
  for (const row of gone) lines.push({ path: row.path, line: ` delete mode ${octal(row.commits[0])} ${quotedName(row.path)}\n` })
  const modes = lines.sort((a, b) => (a.path < b.path ? -1 : 1)).map(({ line }) => line)
  const where = state.branch ?? 'detached HEAD'
  const root = made.parent.length === 0 ? ' (root-commit)' : ''
  const date = isAmended ? dateLine(made.author) : ''
  const guess = committer.guessed ? guessed(committer) : ''
  return `[${where}${root} ${short(oid)}] ${subject(made.message)}\n${date}${guess}${renamed > 0 ? withoutRenames(result, renamed, repositoryPaths(modes)) : shortStatOf(result)}${modes.join('')}`
}

const octal = (side: { readonly mode: number } | undefined): string => (side?.mode ?? 0).toString(8)

/** Counts lines without the pure renames. */
function withoutRenames(result: Awaited<ReturnType<typeof compare>>, renamed: number, pairs: readonly string[]): string {
  const rest = { ...result, files: result.files.filter(({ path }) => !pairs.includes(path)) }
  const sections = result.text
    .split(/^(?=diff --git )/m)
    .filter((section) => !pairs.some((path) => section.startsWith(`diff --git ${quotedName(`a/${path}`)} `)))
  const line = shortStatOf({ ...rest, text: sections.join('') })
  const count = rest.files.length + renamed
  const tail = line === '' ? ', 0 insertions(+), 0 deletions(-)\n' : line.replace(/^ \d+ files? changed/, '')
  return ` ${count} file${count === 1 ? '' : 's'} changed${tail}`
}

const repositoryPaths = (modes: readonly string[]): string[] => renames(modes).flat()

/** Returns the pairs of old and new paths from the rename lines. */
function renames(modes: readonly string[]): string[][] {
  return modes.flatMap((line) => {
    const [, text] = /^ rename (.*) \(100%\)\n$/.exec(line) ?? []
    const [, lead = '', from, to, tail = ''] = /^(.*?)\{(.*) => (.*)\}(.*)$/.exec(text ?? '') ?? []
    if (from !== undefined) return [[`${lead}${from}${tail}`.replaceAll('//', '/'), `${lead}${to}${tail}`.replaceAll('//', '/')]]
    const pair = text?.split(' => ')
    return pair?.length === 2 ? [pair] : []
  })
}

/** Formats a rename as `src/{a => b}/c`. */
function renaming(from: string, to: string): string {
  const [a, b] = [from.split('/'), to.split('/')]
  let head = 0
  while (head < Math.min(a.length, b.length) - 1 && a[head] === b[head]) head++
  let tail = 0
  while (tail < Math.min(a.length, b.length) - head - 1 && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  if (head === 0 && tail === 0) return `${from} => ${to}`
  const lead = a
    .slice(0, head)
    .map((part) => `${part}/`)
    .join('')
  const end = a
    .slice(a.length - tail)
    .map((part) => `/${part}`)
    .join('')
  return `${lead}{${a.slice(head, a.length - tail).join('/')} => ${b.slice(head, b.length - tail).join('/')}}${end}`
}

function dateLine({ timestamp, timezoneOffset }: { timestamp: number; timezoneOffset: number }): string {
  const local = new Date((timestamp - timezoneOffset * 60) * 1000).toUTCString()
  const [, day, date, month, year, time] = /^(\w+), (\d+) (\w+) (\d+) (\S+)/.exec(local) ?? []
  const ahead = Math.abs(timezoneOffset)
  const zone = `${timezoneOffset > 0 ? '-' : '+'}${String(Math.floor(ahead / 60)).padStart(2, '0')}${String(ahead % 60).padStart(2, '0')}`
  return ` Date: ${day} ${month} ${Number(date)} ${time} ${year} ${zone}\n`
}

const guessed = ({ name, email }: Author): string =>
  ` Committer: ${name} <${email}>\nYour name and email address were configured automatically based\non your username and hostname. Please check that they are accurate.\n` +
  'You can suppress this message by setting them explicitly:\n\n    git config --global user.name "Your Name"\n    git config --global user.email you@example.com\n\n' +
  'After doing this, you may fix the identity used for this commit with:\n\n    git commit --amend --reset-author\n\n'
