import { checkEnvironment, type Environment } from '../../shared/process/checks.js'

/** What a command needs to find its way. Anything else in the environment of this process may be a secret. */
const PASSED = new Set(['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'TZ', 'TMPDIR'])
const LOCALE = /^LC_/
/** Not even with `ALL`: files and options that a shell starts with, and what each shell counts or sets for itself. */
const NEVER = new Set(['BASH_ENV', 'ENV', 'SHELLOPTS', 'BASHOPTS', 'SHLVL', '_', 'PWD', 'OLDPWD'])

/** Nobody is there to answer: what would page or prompt prints, or fails, at once. */
const UNATTENDED = { TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0' }
/** Somebody is, where there is a terminal. */
const ATTENDED = { TERM: 'xterm-256color' }
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin'

export interface EnvironmentOptions {
  readonly env?: Environment
  readonly inherit?: readonly string[] | 'ALL'
}

/** What commands begin with: those without a terminal, and those with one. */
export interface BaseEnvironments {
  readonly plain: Environment
  readonly terminal: Environment
}

/**
 * Taken once: the passed names of this process, then `UNATTENDED` or `ATTENDED`, then the names in `inherit`, then `env`.
 *
 * @throws {InputError} for a variable that no process can have
 */
export function baseEnvironments({ env = {}, inherit = [] }: EnvironmentOptions): BaseEnvironments {
  checkEnvironment(env)
  const passed = pick((name) => PASSED.has(name) || LOCALE.test(name))
  const asked = pick((name) => !NEVER.has(name) && (inherit === 'ALL' || inherit.includes(name)))
  const between = (situation: Environment): Environment => ({
    PATH: DEFAULT_PATH,
    ...utf8(passed),
    ...passed,
    ...situation,
    ...asked,
    ...env,
  })
  return { plain: between(UNATTENDED), terminal: between(ATTENDED) }
}

/** Without what an earlier command only had because it had no terminal: its environment at the end is what a caller hands on. */
export function attended(env: Environment): Environment {
  const unattended = Object.entries(UNATTENDED)
  return Object.fromEntries(
    Object.entries(env).filter(([name, value]) => !unattended.some(([other, its]) => name === other && value === its)),
  )
}

function pick(wanted: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined && wanted(entry[0])),
  )
}

/** Output is decoded as UTF-8, so that is what programs should write. Every Linux has this locale; elsewhere it may be missing. */
function utf8(passed: Environment): Environment {
  const chosen = 'LANG' in passed || 'LC_ALL' in passed || 'LC_CTYPE' in passed
  return chosen || process.platform !== 'linux' ? {} : { LANG: 'C.UTF-8' }
}
