import type { Environment } from '../../shared/process/checks.js'

/** Without a terminal no user can answer, so pagers print at once. */
const UNATTENDED: Environment = { TERM: 'dumb', PAGER: 'cat' }
const ON_A_TERMINAL: Environment = { TERM: 'xterm-256color' }

/** The initial environment of a command; the container adds its own variables. */
export function environment(path: unknown, hasTerminal: boolean, ...over: readonly (Environment | undefined)[]): Environment {
  const base = hasTerminal ? ON_A_TERMINAL : UNATTENDED
  return Object.assign({}, typeof path === 'string' && path !== '' ? { PATH: path } : {}, base, ...over)
}
