import type { ShellCommandResult } from '../../../src/types/shell.js'
import { headOid, type Repository } from '../repository.js'
import { withRepositoryLock } from '../repository-lock.js'
import { authorOf } from './config.js'
import { parse } from './options.js'
import { appendLog, NO_COMMIT, previousName, removeLog, renameLog } from './reflog-file.js'
import { branchOids, findCommit, readCommitOf } from './revisions.js'
import type { RepoSession } from './session.js'

type Verb = (session: RepoSession, args: readonly string[]) => Promise<ShellCommandResult>

/** A snapshot of the refs. */
interface Refs {
  readonly branch: string | undefined
  readonly head: string | undefined
  readonly branches: ReadonlyMap<string, string>
}

/** Messages that a command which moves refs writes to the log. */
interface Words {
  readonly head: string
  readonly created: string
  readonly moved: string
  /** Whether to write an entry for HEAD even if it has not changed. */
  readonly always?: boolean
}

/**
 * Records the reflog, because the library does not. Compares the refs before and after a command that moves them. In one repository, such
 * commands run one after the other.
 */
export const logged =
  (name: string, verb: Verb): Verb =>
  (session, args) =>
    withRepositoryLock(session.workspace.fs, `${session.dir}/.git/logs`, async () => {
      const before = await session.use(async (repository) => ({
        refs: await refsOf(repository),
        target: await targetOf(repository, name, args),
      }))
      const result = await verb(session, args)
      try {
        await note(session, before.refs, (repository, after) =>
          wordsFor(repository, { name, args, before: before.refs, after, target: before.target }),
        )
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        return { ...result, stderr: `${result.stderr ?? ''}warning: the reflog could not be written: ${why}\n` }
      }
      return result
    })

/** Writes the first log entries, after a clone. */
export async function logClone(session: RepoSession, url: string): Promise<void> {
  const words = `clone: from ${url}`
  const nothing: Refs = { branch: undefined, head: undefined, branches: new Map() }
  await note(session, nothing, async () => ({ head: words, created: words, moved: words }))
}

async function refsOf(repository: Repository): Promise<Refs> {
  const { git, repo } = repository
  const branches = await branchOids(repository)
  return { branch: (await git.currentBranch(repo)) ?? undefined, head: await headOid(repository), branches }
}

type Wording = (repository: Repository, after: Refs) => Promise<Words>

async function note(session: RepoSession, before: Refs, wording: Wording): Promise<void> {
  const person = await authorOf(session, 'COMMITTER')
  await session.use(async (repository) => {
    const after = await refsOf(repository)
    const words = await wording(repository, after)
    const seconds = person.timestamp ?? Math.floor(repository.workspace.host.now() / 1000)
    const who = `${plain(person.name)} <${plain(person.email)}> ${seconds} ${zoneOf(person.timezoneOffset ?? 0)}`
    const renamed = renaming(before, after)
    if (renamed) return noteRenaming(repository, who, { ...renamed, isCurrent: after.branch === renamed.to, head: after.head })
    for (const [name, oid] of after.branches) {
      const old = before.branches.get(name)
      if (old === oid) continue
      const message = old === undefined ? words.created : words.moved
      await appendLog(repository, `refs/heads/${name}`, who, [{ before: old ?? NO_COMMIT, after: oid, message }])
    }
    for (const name of before.branches.keys()) if (!after.branches.has(name)) await removeLog(repository, `refs/heads/${name}`)
    const isMoved = before.head !== after.head || before.branch !== after.branch
    if (after.head !== undefined && (isMoved || words.always)) {
      await appendLog(repository, 'HEAD', who, [{ before: before.head ?? NO_COMMIT, after: after.head, message: words.head }])
    }
  })
}

interface Renaming {
  readonly from: string
  readonly to: string
  readonly oid: string
}

/** Detects the renaming of a branch: one name was replaced by another with the same commit. */
function renaming(before: Refs, after: Refs): Renaming | undefined {
  const gone = [...before.branches].filter(([name]) => !after.branches.has(name))
  const come = [...after.branches].filter(([name]) => !before.branches.has(name))
  const [[from, oid] = [], [to, now] = []] = [gone[0], come[0]]
  const isOne = gone.length === 1 && come.length === 1 && oid === now
  return isOne && from !== undefined && to !== undefined && oid !== undefined ? { from, to, oid } : undefined
}

interface Noted extends Renaming {
  readonly isCurrent: boolean
  readonly head: string | undefined
}

async function noteRenaming(repository: Repository, who: string, { from, to, oid, isCurrent, head }: Noted): Promise<void> {
  const [old, ref] = [`refs/heads/${from}`, `refs/heads/${to}`]
  const message = `Branch: renamed ${old} to ${ref}`
  await renameLog(repository, old, ref)
  await appendLog(repository, ref, who, [{ before: oid, after: oid, message }])
  if (!isCurrent || head === undefined) return
  const entries = [
    { before: head, after: NO_COMMIT, message },
    { before: NO_COMMIT, after: head, message },
  ]
  await appendLog(repository, 'HEAD', who, entries)
}

/** Returns the target of a checkout for the log. `-` becomes the name of the previous branch. */
async function targetOf(repository: Repository, name: string, args: readonly string[]): Promise<string | undefined> {
  if (name !== 'checkout' && name !== 'switch') return undefined
  const [first = given(name, args)?.has('d') ? 'HEAD' : undefined] = operandsOf(name, args)
  if (first === '-') return previousName(repository, 1)
  const [, number] = /^@\{-(\d+)\}$/.exec(first ?? '') ?? []
  return number === undefined ? first : previousName(repository, Number(number))
}

interface Told {
  readonly name: string
  readonly args: readonly string[]
  readonly before: Refs
  readonly after: Refs
  readonly target: string | undefined
}

async function wordsFor(repository: Repository, { name, args, before, after, target }: Told): Promise<Words> {
  const same = (words: string, always?: boolean): Words => ({ head: words, created: words, moved: words, ...(always && { always }) })
  if (name === 'commit') {
    const kind = before.head === undefined ? ' (initial)' : args.includes('--amend') ? ' (amend)' : ''
    const [title] = after.head === undefined ? [] : (await readCommitOf(repository, after.head)).commit.message.split('\n', 1)
    return same(`commit${kind}: ${title ?? ''}`)
  }
  if (name === 'reset') {
    const [goal = 'HEAD', ...more] = operandsOf(name, args)
    const isWhole = more.length === 0 && !args.includes('--') && (await findCommit(repository, goal)) !== undefined
    return same(`reset: moving to ${goal}`, isWhole)
  }
  if (name === 'branch') {
    const start = operandsOf(name, args)[1] ?? before.branch ?? 'HEAD'
    const moved = `branch: Reset to ${start}`
    return { head: moved, created: `branch: Created from ${start}`, moved }
  }
  const isNew = newBranch(name, args)
  const remote = isNew || target === undefined ? undefined : `refs/remotes/origin/${target}`
  const start = isNew ? (operandsOf(name, args)[0] ?? 'HEAD') : (remote ?? 'HEAD')
  const [from, to] = [before.branch ?? before.head ?? '', after.branch ?? target ?? after.head ?? '']
  const isSame = !isNew && target !== undefined && target === before.branch && operandsOf(name, args).length === 1 && !args.includes('--')
  const head = `checkout: moving from ${from} to ${to}`
  return { head, created: `branch: Created from ${start}`, moved: `branch: Reset to ${start}`, always: isSame }
}

/** Options of the commands, which are needed to find the operands. The commands themselves have already rejected unknown options. */
const SPECS: Readonly<Record<string, string>> = {
  checkout: 'b= B= f|force q|quiet d|detach t|track no-track',
  switch: 'c|create= C|force-create= f|force|discard-changes q|quiet d|detach t|track no-track',
  reset: 'hard soft mixed q|quiet N|intent-to-add',
  branch:
    'a|all r|remotes l|list d|delete D m|move M f|force v|verbose vv show-current no-color color=? q|quiet contains= merged=? no-merged=?',
}

function given(name: string, args: readonly string[]): ReturnType<typeof parse> | undefined {
  try {
    return parse(name, args, SPECS[name] ?? '')
  } catch {
    return undefined
  }
}

const operandsOf = (name: string, args: readonly string[]): readonly string[] => given(name, args)?.operands ?? []

const newBranch = (name: string, args: readonly string[]): boolean =>
  (name === 'checkout' ? ['b', 'B'] : ['c', 'C']).some((id) => given(name, args)?.has(id))

/** Removes characters that would end a name, an email address or a line of the log. */
const plain = (text: string): string => text.replaceAll(/[<>\r\n\0]/g, '').trim()

/** Formats a time zone like git: zones behind UTC are `-`. */
function zoneOf(offset: number): string {
  const minutes = Math.abs(offset)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return `${offset > 0 ? '-' : '+'}${String(hours).padStart(2, '0')}${String(rest).padStart(2, '0')}`
}
