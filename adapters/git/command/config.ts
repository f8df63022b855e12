import type { ShellCommandResult } from '../../../src/types/shell.js'
import { parseConfig } from '../config-file.js'
import type { GitPerson } from '../types.js'
import { GitFault } from './fault.js'
import { parse } from './options.js'
import type { RepoSession, Session } from './session.js'
import { readGlobal, writeGlobal } from './user-config.js'

const SPECS = 'global local system worktree get get-all unset unset-all add l|list bool int type= z|null replace-all show-origin'

export async function config(session: Session, open: () => Promise<RepoSession>, args: readonly string[]): Promise<ShellCommandResult> {
  const given = parse('config', args, SPECS)
  const [key, value, ...more] = given.operands
  if (given.has('system')) throw new GitFault('fatal: there is no system-wide configuration here: use --global or --local')
  if (given.has('l')) return list(session, given.has('global') ? undefined : await open().catch(() => undefined), given.has('local'))
  if (key === undefined || more.length > 0) throw new GitFault('error: wrong number of arguments, should be from 1 to 2', 129)
  if (!/^[A-Za-z][\w-]*\.(?:.*\.)?[A-Za-z][\w-]*$/.test(key)) {
    throw new GitFault(key.includes('.') ? `error: invalid key: ${key}` : `error: key does not contain a section: ${key}`, 1)
  }
  const isGlobal = given.has('global')
  if (given.has('unset') || given.has('unset-all')) return unset(session, isGlobal ? undefined : await open(), key)
  if (value === undefined) {
    const repo = isGlobal ? undefined : await open().catch(() => undefined)
    const found = await configured(session, repo, key, given.has('local'))
    return found === undefined ? { exitCode: 1 } : { stdout: `${found}\n` }
  }
  if (isGlobal) {
    const values = await readGlobal(session.context)
    await writeGlobal(session.context, values.set(key.toLowerCase(), value))
    return {}
  }
  await (await open()).use(({ git, repo }) => git.setConfig({ ...repo, path: key, value }))
  return {}
}

/** Returns the value of a setting. The repository's value overrides the user's value. */
async function configured(session: Session, repo: RepoSession | undefined, key: string, localOnly = false): Promise<string | undefined> {
  const own = await repo?.use((repository) => repository.git.getConfig({ ...repository.repo, path: key }))
  if (own !== undefined && own !== null) return String(own)
  return localOnly ? undefined : (await readGlobal(session.context)).get(key.toLowerCase())
}

async function unset(session: Session, repo: RepoSession | undefined, key: string): Promise<ShellCommandResult> {
  if (repo) {
    const there = (await configured(session, repo, key, true)) !== undefined
    // An undefined value makes the library remove the setting.
    if (there) await repo.use(({ git, repo: at }) => git.setConfig({ ...at, path: key, value: undefined as unknown as string }))
    return { exitCode: there ? 0 : 5 }
  }
  const values = await readGlobal(session.context)
  const there = values.delete(key.toLowerCase())
  if (there) await writeGlobal(session.context, values)
  return { exitCode: there ? 0 : 5 }
}

async function list(session: Session, repo: RepoSession | undefined, localOnly: boolean): Promise<ShellCommandResult> {
  const lines = localOnly ? [] : [...(await readGlobal(session.context))].map(([key, value]) => `${key}=${value}\n`)
  const own = await repo?.context.fs.readFileBuffer(`${repo.dir}/.git/config`).catch(() => undefined)
  lines.push(...parseConfig(new TextDecoder().decode(own)).map(([key, value]) => `${key}=${value}\n`))
  return { stdout: lines.join('') }
}

export interface Author extends GitPerson {
  /** Whether name or email is a default. In this case, the output of `git commit` mentions this. */
  readonly guessed: boolean
}

/**
 * Returns the author or the committer. Takes each part from the first of these that has it: environment, configuration, options, user of
 * the shell.
 */
export async function authorOf(session: RepoSession, role: 'AUTHOR' | 'COMMITTER'): Promise<Author> {
  const { env } = session.context
  const standard = session.options.author
  const name = env[`GIT_${role}_NAME`] ?? (await configured(session, session, 'user.name')) ?? standard?.name
  const email = env[`GIT_${role}_EMAIL`] ?? (await configured(session, session, 'user.email')) ?? standard?.email
  const user = env.USER || 'user'
  const date = env[`GIT_${role}_DATE`]
  return {
    name: name ?? user,
    email: email ?? `${user}@localhost`,
    ...(standard?.timestamp !== undefined && { timestamp: standard.timestamp }),
    ...(standard?.timezoneOffset !== undefined && { timezoneOffset: standard.timezoneOffset }),
    ...(date !== undefined && readDate(date)),
    guessed: name === undefined || email === undefined,
  }
}

/** @throws {GitFault} */
export function readDate(text: string): { timestamp: number; timezoneOffset: number } {
  const [, seconds, zone] = /^@?(\d{5,})(?:\s+([+-]\d{4}))?$/.exec(text) ?? []
  const ms =
    seconds === undefined ? Date.parse(/(?:[zZ]|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text.replace(' ', 'T')}Z`) : Number(seconds) * 1000
  const parsed = Number.isNaN(ms) ? Date.parse(text) : ms
  if (Number.isNaN(parsed)) throw new GitFault(`fatal: invalid date format: ${text}`)
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)$/.exec(zone ?? (seconds === undefined ? text : '')) ?? []
  const ahead = (sign && /[T ].*:/.test(text)) || zone ? (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? 1 : -1) : 0
  return { timestamp: Math.floor(parsed / 1000), timezoneOffset: ahead === 0 ? 0 : ahead }
}
