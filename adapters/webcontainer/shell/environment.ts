import type { Environment } from '../../shared/process/checks.js'

/** Without a terminal, no user can answer a pager, so pagers must print everything at once. */
const UNATTENDED: Environment = { TERM: 'dumb', PAGER: 'cat' }
const ON_A_TERMINAL: Environment = { TERM: 'xterm-256color' }

/** Returns the initial environment of a command. The container adds its own variables. */
export function environment(path: unknown, hasTerminal: boolean, ...over: readonly (Environment | undefined)[]): Environment {
  const base = hasTerminal ? ON_A_TERMINAL : UNATTENDED
  return Object.assign({}, typeof path === 'string' && path !== '' ? { PATH: path } : {}, base, ...over)
}
