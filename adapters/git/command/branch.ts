import type { ShellCommandResult } from '../../../src/types/shell.js'
import { checkout as checkOut } from '../checkout.js'
import { isMissing } from '../faults.js'
import { checkUnused, headOid, type Repository } from '../repository.js'
import { fatal, GitFault } from './fault.js'
import { type Given, parse } from './options.js'
import { previousName, removeEmptyFolders } from './reflog-file.js'
import { restorePaths } from './restore.js'
import { branchOids, commitNamed, findCommit, readCommitOf, short, subject } from './revisions.js'
import type { RepoSession } from './session.js'

export async function branch(session: RepoSession, args: readonly string[]): Promise<ShellCommandResult> {
  const given = parse(
    'branch',
    args,
    'a|all r|remotes l|list d|delete D m|move M f|force v|verbose vv show-current no-color color=? q|quiet contains= merged=? no-merged=?',
  )
  for (const id of ['contains', 'merged', 'no-merged']) if (given.has(id)) throw fatal(`--${id} is not available here: use git log`)
  const { operands } = given
  return session.use(async (repository) => {
    const { git, repo } = repository
    if (given.has('show-current')) return { stdout: `${(await git.currentBranch(repo)) ?? ''}\n`.replace(/^\n$/, '') }
    if (given.has('d') || given.has('D'))
      return deleted(repository, operands, { force: given.has('D') || given.has('f'), quiet: given.has('q') })
    if (given.has('m') || given.has('M')) return renamed(repository, operands, given.has('M') || given.has('f'))
    const [name, start = 'HEAD'] = operands
    if (name === undefined || given.has('l')) return { stdout: await listing(repository, given) }
    await create(repository, name, { start, force: given.has('f') })
    return {}
  })
}

async function create(repository: Repository, name: string, { start, force }: { start: string; force: boolean }): Promise<void> {
  const { git, repo } = repository
  checkName(name)
  const exists = (await git.listBranches(repo)).includes(name)
  if (exists && !force) throw fatal(`a branch named '${name}' already exists`)
  if (exists) await checkLeft(repository, name)
  const oid = await findCommit(repository, start)
  if (oid === undefined) throw fatal(`not a valid object name: '${start === 'HEAD' ? ((await git.currentBranch(repo)) ?? start) : start}'`)
  await git.writeRef({ ...repo, ref: `refs/heads/${name}`, value: oid, force: true })
}

/** @throws {GitFault} if the branch is checked out */
async function checkLeft({ git, repo, dir }: Repository, name: string): Promise<void> {
  if ((await git.currentBranch(repo)) === name) throw fatal(`cannot force update the branch '${name}' checked out at '${dir}'`)
}

function checkName(name: string): void {
  const isBad = /[\s~^:?*[\\\x7f]|\.\.|@\{|\/\/|\.$|^[-/.]|\/$|\.lock$|\/\./.test(name) || name === '@' || name === 'HEAD'
  if (isBad) throw fatal(`'${name}' is not a valid branch name`)
}

async function listing({ git, repo, ...rest }: Repository, given: Given): Promise<string> {
  const repository: Repository = { git, repo, ...rest }
  const current = (await git.currentBranch(repo)) ?? undefined
  const head = await headOid(repository)
  const entries: { name: string; oid: string; isCurrent: boolean }[] = []
  if (!given.has('r')) {
    if (current === undefined && head !== undefined) entries.push({ name: `(HEAD detached at ${short(head)})`, oid: head, isCurrent: true })
    for (const [name, oid] of await branchOids(repository)) entries.push({ name, oid, isCurrent: name === current })
  }
  if (given.has('a') || given.has('r')) {
    for (const { remote } of await git.listRemotes(repo)) {
      for (const name of (await git.listBranches({ ...repo, remote })).sort()) {
        const oid = await git.resolveRef({ ...repo, ref: `refs/remotes/${remote}/${name}` })
        entries.push({ name: `${given.has('r') ? '' : 'remotes/'}${remote}/${name}`, oid, isCurrent: false })
      }
    }
  }
  const width = Math.max(0, ...entries.map(({ name }) => name.length))
  let text = ''
  for (const { name, oid, isCurrent } of entries) {
    const more = given.has('v') || given.has('vv') ? ` ${short(oid)} ${subject((await readCommitOf(repository, oid)).commit.message)}` : ''
    text += `${isCurrent ? '*' : ' '} ${more === '' ? name : name.padEnd(width)}${more}\n`
  }
  return text
}

interface Deleting {
  readonly force: boolean
  readonly quiet: boolean
}

async function deleted(repository: Repository, names: readonly string[], { force, quiet }: Deleting): Promise<ShellCommandResult> {
  const { git, repo, dir } = repository
  if (names.length === 0) throw fatal('branch name required')
  let stdout = ''
  let stderr = ''
  const head = await headOid(repository)
  for (const name of names) {
    const oid = await git.resolveRef({ ...repo, ref: `refs/heads/${name}` }).catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    })
    if (oid === undefined) stderr += `error: branch '${name}' not found.\n`
    else if ((await git.currentBranch(repo)) === name) stderr += `error: Cannot delete branch '${name}' checked out at '${dir}'\n`
    else if (!force && !(await isMerged(repository, oid, head))) {
      stderr += `error: The branch '${name}' is not fully merged.\nIf you are sure you want to delete it, run 'git branch -D ${name}'.\n`
    } else {
      await checkUnused(repository, name, `delete the branch '${name}'`)
      await git.deleteBranch({ ...repo, ref: name })
      await removeEmptyFolders(repository, `.git/refs/heads/${name}`)
      if (!quiet) stdout += `Deleted branch ${name} (was ${short(oid)}).\n`
    }
  }
  return { stdout, stderr, exitCode: stderr === '' ? 0 : 1 }
}

async function isMerged({ git, repo }: Repository, oid: string, head: string | undefined): Promise<boolean> {
  if (head === undefined || oid === head) return oid === head
  return git.isDescendent({ ...repo, oid: head, ancestor: oid, depth: -1 })
}

async function renamed(repository: Repository, names: readonly string[], force: boolean): Promise<ShellCommandResult> {
  const { git, repo } = repository
  const current = (await git.currentBranch(repo)) ?? undefined
  const [from, to] = names.length === 1 ? [current, names[0]] : names
  if (from === undefined || to === undefined) throw fatal('branch name required')
  checkName(to)
  const all = await git.listBranches(repo)
  if (!all.includes(from)) throw fatal(`no branch named '${from}'`)
  if (from === to) return {}
  if (all.includes(to)) {
    if (!force) throw fatal(`a branch named '${to}' already exists`)
    await checkLeft(repository, to)
  }
  await moveBranch(repository, { from, to, isCurrent: from === current, isThere: all.includes(to) })
  await removeEmptyFolders(repository, `.git/refs/heads/${from}`)
  return {}
}

interface MovingBranch {
  readonly from: string
  readonly to: string
  readonly isCurrent: boolean
  /** Whether a branch with the new name exists, which is overwritten. */
  readonly isThere: boolean
}

/** Renames a branch. Removes the old name last, so that HEAD always points to an existing branch, even after a failure. */
async function moveBranch({ git, repo }: Repository, { from, to, isCurrent, isThere }: MovingBranch): Promise<void> {
  const [old, ref] = [`refs/heads/${from}`, `refs/heads/${to}`]
  const replaced = isThere ? await git.resolveRef({ ...repo, ref }) : undefined
  const point = (value: string): Promise<void> => git.writeRef({ ...repo, ref: 'HEAD', value, symbolic: true, force: true })
  await git.writeRef({ ...repo, ref, value: await git.resolveRef({ ...repo, ref: old }), force: true })
  let isPointed = false
  try {
    if (isCurrent) await point(ref)
    isPointed = isCurrent
    await git.deleteBranch({ ...repo, ref: from })
  } catch (error) {
    // If this fails too, report only the first error.
    try {
      if (isPointed) await point(old)
      if (replaced === undefined) await git.deleteBranch({ ...repo, ref: to })
      else await git.writeRef({ ...repo, ref, value: replaced, force: true })
    } catch {
      // Ignored: both names remain.
    }
    throw error
  }
}

/** Whether the log has the checkout that `-` or `@{-2}` refers to. */
async function wasThere(repository: Repository, text: string): Promise<boolean> {
  return (await previousName(repository, previousNumber(text) as number)) !== undefined
}

/** Resolves `-` and `@{-1}` to the previous branch. @throws {GitFault} if the log has no such checkout */
async function named(repository: Repository, asked: string): Promise<string> {
  const number = previousNumber(asked)
  if (number === undefined) return asked
  const name = await previousName(repository, number)
  if (name === undefined) throw fatal(`invalid reference: ${asked}`)
  return name
}

/** Returns the number of checkouts to go back, or undefined if the text is a name. */
function previousNumber(text: string): number | undefined {
  const [, digits] = text === '-' ? ['', '1'] : (/^@\{-(\d+)\}$/.exec(text) ?? [])
  return digits === undefined ? undefined : Number(digits)
}

const isPrevious = (text: string): boolean => previousNumber(text) !== undefined

export async function checkout(session: RepoSession, args: readonly string[]): Promise<ShellCommandResult> {
  const given = parse('checkout', args, 'b= B= f|force q|quiet d|detach t|track no-track')
  const name = given.value('b') ?? given.value('B')
  const [first = given.has('d') ? 'HEAD' : undefined, ...rest] = given.operands
  if (name !== undefined) return switchTo(session, given, { name, start: first, isNew: true })
  if (given.paths) {
    if (rest.length > 0) throw fatal('only one reference expected')
    return session.use((repository) => restorePaths(repository, session, { from: first, names: given.paths ?? [], quiet: true }))
  }
  if (first === undefined) {
    if (given.has('f')) await session.use((repository) => go(repository, { ref: 'HEAD', force: true }))
    return {}
  }
  const isCommit = await session.use((repository) => (isPrevious(first) ? wasThere(repository, first) : isReachable(repository, first)))
  if (isCommit && rest.length === 0) return switchTo(session, given, { name: first, start: undefined, isNew: false })
  // Without a revision, all operands are paths.
  return session.use((repository) =>
    restorePaths(repository, session, {
      from: isCommit ? first : undefined,
      names: isCommit ? rest : given.operands,
      quiet: given.has('q'),
    }),
  )
}

/** Whether a name is a commit, or a branch that only a remote has. */
async function isReachable(repository: Repository, name: string): Promise<boolean> {
  if ((await findCommit(repository, name)) !== undefined || (await findCommit(repository, `refs/remotes/origin/${name}`)) !== undefined)
    return true
  return (await repository.git.currentBranch(repository.repo)) === name
}

export async function switchBranch(session: RepoSession, args: readonly string[]): Promise<ShellCommandResult> {
  const given = parse('switch', args, 'c|create= C|force-create= f|force|discard-changes q|quiet d|detach t|track no-track')
  const name = given.value('c') ?? given.value('C')
  const [first = given.has('d') ? 'HEAD' : undefined] = given.operands
  if (name !== undefined) return switchTo(session, given, { name, start: first, isNew: true })
  if (first === undefined) throw fatal('missing branch or commit argument')
  const known = isPrevious(first) || (await session.use((repository) => isReachable(repository, first)))
  if (!known) throw fatal(`invalid reference: ${first}`)
  const isBranch = isPrevious(first) || (await session.use(({ git, repo }) => git.listBranches(repo))).includes(first)
  const isRemote = await session.use(async (repository) => (await findCommit(repository, `refs/remotes/origin/${first}`)) !== undefined)
  if (!given.has('d') && !isBranch && !isRemote && (await session.use(({ git, repo }) => git.currentBranch(repo))) !== first) {
    throw fatal(
      `a branch is expected, got commit '${first}'\nhint: If you want to detach HEAD at the commit, try again with the --detach option.`,
    )
  }
  return switchTo(session, given, { name: first, start: undefined, isNew: false })
}

interface Target {
  readonly name: string
  readonly start: string | undefined
  readonly isNew: boolean
}

async function switchTo(session: RepoSession, given: Given, { name: asked, start, isNew }: Target): Promise<ShellCommandResult> {
  return session.use(async (repository) => {
    const { git, repo } = repository
    const current = (await git.currentBranch(repo)) ?? undefined
    const head = await headOid(repository)
    const name = isNew ? asked : await named(repository, asked)
    const quiet = given.has('q')
    if (isNew) {
      checkName(name)
      const force = given.has('B') || given.has('C')
      const exists = (await git.listBranches(repo)).includes(name)
      if (exists && !force) throw fatal(`a branch named '${name}' already exists`)
      const from = start === undefined ? undefined : await findCommit(repository, start)
      if (start !== undefined && from === undefined)
        throw fatal(`'${start}' is not a commit and a branch '${name}' cannot be created from it`)
      if (exists) await goAfresh(repository, { name, oid: from ?? (head as string), force: given.has('f') })
      else await go(repository, { ref: name, create: true, ...(from !== undefined && { from }), force: given.has('f') })
      if (name === current) return { stderr: quiet ? '' : `Reset branch '${name}'\n` }
      return { stderr: quiet ? '' : `Switched to ${exists ? 'and reset branch' : 'a new branch'} '${name}'\n` }
    }
    // `HEAD` as the target leaves HEAD where it is.
    if (name === 'HEAD' && !given.has('d')) {
      if (given.has('f')) await go(repository, { ref: 'HEAD', force: true })
      return {}
    }
    if (name === current && !given.has('d')) {
      if (given.has('f')) await go(repository, { ref: 'HEAD', force: true })
      return { stderr: quiet ? '' : `Already on '${name}'\n` }
    }
    const isBranch = (await git.listBranches(repo)).includes(name)
    const isRemote = !isBranch && (await findCommit(repository, name)) === undefined
    const goal = isBranch || isRemote ? undefined : await commitNamed(repository, name)
    const detached = given.has('d') ? await commitNamed(repository, name) : goal
    const previous =
      current === undefined && head !== undefined && head !== (await findCommit(repository, name))
        ? `Previous HEAD position was ${await titled(repository, head)}\n`
        : ''
    await go(repository, { ref: detached ?? name, force: given.has('f') })
    if (quiet) return {}
    if (detached === undefined) {
      const tracked = isRemote ? `branch '${name}' set up to track 'origin/${name}'.\n` : ''
      return { stdout: tracked, stderr: `${previous}Switched to ${isRemote ? 'a new ' : ''}branch '${name}'\n` }
    }
    const note = current === undefined || given.has('d') ? '' : detachedNote(name)
    return { stderr: `${previous}${note}HEAD is now at ${await titled(repository, detached)}\n` }
  })
}

interface Afresh {
  readonly name: string
  readonly oid: string
  readonly force: boolean
}

/** Resets an existing branch to a commit. Moves the branch after the checkout, so that a failed checkout changes nothing. */
async function goAfresh(repository: Repository, { name, oid, force }: Afresh): Promise<void> {
  const { git, repo } = repository
  const ref = `refs/heads/${name}`
  await go(repository, { ref: oid, force })
  await git.writeRef({ ...repo, ref, value: oid, force: true })
  await git.writeRef({ ...repo, ref: 'HEAD', value: ref, symbolic: true, force: true })
}

async function go(repository: Repository, options: Parameters<typeof checkOut>[1]): Promise<void> {
  try {
    await checkOut(repository, options)
  } catch (error) {
    const conflicts = (error as { details?: { conflicts?: readonly string[] } }).details?.conflicts
    if (!conflicts) throw error
    throw new GitFault(
      `error: Your local changes to the following files would be overwritten by checkout:\n${conflicts.map((path) => `\t${path}\n`).join('')}` +
        `Please commit your changes or stash them before you switch branches.\nAborting`,
      1,
    )
  }
}

export async function titled(repository: Repository, oid: string): Promise<string> {
  return `${short(oid)} ${subject((await readCommitOf(repository, oid)).commit.message)}`
}

const detachedNote = (name: string): string => `Note: switching to '${name}'.

You are in 'detached HEAD' state. You can look around, make experimental
changes and commit them, and you can discard any commits you make in this
state without impacting any branches by switching back to a branch.

If you want to create a new branch to retain commits you create, you may
do so (now or later) by using -c with the switch command. Example:

  git switch -c <new-branch-name>

Or undo this operation with:

  git switch -

Turn off this advice by setting config variable advice.detachedHead to false

`
