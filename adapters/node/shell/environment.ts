import { checkEnvironment, type Environment } from '../../shared/process/checks.js'

/** Variables that commands need. Any other variable of this process may contain a secret. */
const PASSED = new Set(['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'TZ', 'TMPDIR'])
const LOCALE = /^LC_/
/** Variables that are never passed, not even with `ALL`. They change how a shell starts, or each shell sets them itself. */
const NEVER = new Set(['BASH_ENV', 'ENV', 'SHELLOPTS', 'BASHOPTS', 'SHLVL', '_', 'PWD', 'OLDPWD'])

/** Variables for commands without a terminal, where no user can answer. Pagers print at once, and prompts fail at once. */
const UNATTENDED = { TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0' }
/** Variables for commands on a terminal. */
const ATTENDED = { TERM: 'xterm-256color' }
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin'

export interface EnvironmentOptions {
  readonly env?: Environment
  readonly inherit?: readonly string[] | 'ALL'
}

/** The initial environments of commands without and with a terminal. */
export interface BaseEnvironments {
  readonly plain: Environment
  readonly terminal: Environment
}

/**
 * Reads the environment once, in this order: `PASSED`, then `UNATTENDED` or `ATTENDED`, then `inherit`, then `env`. Later entries override
 * earlier ones.
 *
 * @throws {InputError} for an invalid variable
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

/**
 * Removes the `UNATTENDED` variables. Callers pass the final environment of a previous command, which may have run without a terminal.
 */
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

/**
 * Returns variables that ask programs to write UTF-8, because their output is decoded as UTF-8. Linux always has this locale. Other systems
 * may lack it.
 */
function utf8(passed: Environment): Environment {
  const chosen = 'LANG' in passed || 'LC_ALL' in passed || 'LC_CTYPE' in passed
  return chosen || process.platform !== 'linux' ? {} : { LANG: 'C.UTF-8' }
}
