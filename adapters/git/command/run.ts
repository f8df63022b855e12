import type { ShellCommandResult } from '../../../src/types/shell.js'
import { catFile, clone, init, lsFiles, remote, revParse, tag } from './basics.js'
import { branch, checkout, switchBranch } from './branch.js'
import { commit, EmptyAmend } from './commit.js'
import { config } from './config.js'
import { diff } from './diff.js'
import { fatal, GitFault } from './fault.js'
import { log, show } from './log.js'
import { reflog } from './reflog.js'
import { logged } from './reflog-record.js'
import { reset, restore } from './restore.js'
import { openSession, type RepoSession, type Session } from './session.js'
import { add, mv, rm } from './stage.js'
import { status } from './status.js'

type Verb = (session: RepoSession, args: readonly string[]) => Promise<ShellCommandResult>

const VERBS: Readonly<Record<string, Verb>> = {
  add,
  branch: logged('branch', branch),
  'cat-file': catFile,
  checkout: logged('checkout', checkout),
  commit: logged('commit', commit),
  diff,
  log,
  'ls-files': lsFiles,
  mv,
  reflog,
  remote,
  reset: logged('reset', reset),
  restore,
  'rev-parse': revParse,
  rm,
  show,
  stage: add,
  status,
  switch: logged('switch', switchBranch),
  tag,
}
const NAMES = [...Object.keys(VERBS), 'init', 'clone', 'config'].filter((name) => name !== 'stage').sort()

/** Commands of git that are not supported. The values name alternatives. */
const ABSENT: Readonly<Record<string, string>> = {
  stash: 'commit on a branch instead (git switch -c wip, git commit -am wip)',
  merge: 'there is one line of history here: commit on the branch itself',
  rebase: 'there is one line of history here: commit on the branch itself',
  'cherry-pick': 'bring files over with git restore --source=<commit> <path>',
  revert: 'bring files back with git restore --source=<commit> <path>, and commit',
  push: 'this shell sends nothing to servers',
  pull: 'this shell fetches nothing but with git clone',
  fetch: 'this shell fetches nothing but with git clone',
  apply: 'use patch -p1',
  am: 'use patch -p1 and git commit',
  clean: 'use rm',
  grep: 'use grep -r',
  blame: 'use git log -p <path>',
}

const VERSION = '2.39.5'

type Base = Omit<Session, 'cwd' | 'settings'>

export async function runGit(args: readonly string[], base: Base): Promise<ShellCommandResult> {
  try {
    return await dispatch(args, base)
  } catch (error) {
    if (base.context.signal.aborted) return { exitCode: 130 }
    if (error instanceof EmptyAmend) return { stdout: error.stdout, stderr: `${error.message}\n`, exitCode: error.status }
    if (error instanceof GitFault) return { stderr: `${error.message}\n`, exitCode: error.status }
    return { stderr: `fatal: ${error instanceof Error ? error.message : String(error)}\n`, exitCode: 128 }
  }
}

async function dispatch(args: readonly string[], base: Base): Promise<ShellCommandResult> {
  const rest = [...args]
  let env = base.context.env
  let cwd = base.context.cwd
  const settings = new Map<string, string>()
  for (let arg = rest[0]; arg?.startsWith('-'); arg = rest[0]) {
    rest.shift()
    if (arg === '--version' || arg === '-v') return { stdout: `git version ${VERSION}.isomorphic\n` }
    if (arg === '--help' || arg === '-h') return { stdout: `${usage()}\n` }
    if (arg === '-C') cwd = await directory(base, cwd, rest.shift())
    else if (arg === '-c') {
      const setting = rest.shift() ?? ''
      env = { ...env, ...identity(setting) }
      const [, key = '', value = 'true'] = /^([^=]*)(?:=(.*))?$/s.exec(setting) ?? []
      settings.set(key.toLowerCase(), value)
    } else if (!/^(?:--no-pager|-P|--paginate|-p|--no-optional-locks|--literal-pathspecs)$/.test(arg)) {
      throw new GitFault(`unknown option: ${arg}\n${usage()}`, 129)
    }
  }
  const [name, ...more] = rest
  if (name === undefined) return { stdout: `${usage()}\n`, exitCode: 1 }
  if (name === 'version') return { stdout: `git version ${VERSION}.isomorphic\n` }
  if (name === 'help') return { stdout: `${usage()}\n` }
  const session: Session = { ...base, context: Object.create(base.context, { env: { value: env } }), cwd, settings }
  if (name === 'init') return init(session, more)
  if (name === 'clone') return clone(session, more)
  if (name === 'config') return config(session, () => openSession(session), more)
  if (Object.hasOwn(VERBS, name)) return (VERBS[name] as Verb)(await openSession(session), more)
  if (Object.hasOwn(ABSENT, name))
    throw new GitFault(`git: '${name}' is not available in this shell: ${ABSENT[name]}. There is: ${NAMES.join(' ')}`, 1)
  throw new GitFault(`git: '${name}' is not a git command here. There is: ${NAMES.join(' ')}`, 1)
}

const usage = (): string => `usage: git [--version] [-C <path>] [-c <name>=<value>] <command> [<args>]\n\nCommands: ${NAMES.join(' ')}`

async function directory({ context }: Base, cwd: string, name: string | undefined): Promise<string> {
  if (name === undefined) throw new GitFault(`no directory given for '-C'\n${usage()}`, 129)
  const path = context.fs.resolvePath(cwd, name)
  const stat = await context.fs.stat(path).catch(() => undefined)
  if (!stat?.isDirectory) throw fatal(`cannot change to '${name}': ${stat ? 'Not a directory' : 'No such file or directory'}`)
  return path
}

/** Returns environment variables for `-c user.name=...` and `-c user.email=...`. */
function identity(setting: string): Record<string, string> {
  const [, key, value] = /^user\.(name|email)=(.*)$/is.exec(setting) ?? []
  if (key === undefined || value === undefined) return {}
  const name = key.toUpperCase()
  return { [`GIT_AUTHOR_${name}`]: value, [`GIT_COMMITTER_${name}`]: value }
}
