import type { Environment } from '../../shared/process/checks.js'

/** Nobody is there to answer: what would page prints at once. */
const UNATTENDED: Environment = { TERM: 'dumb', PAGER: 'cat' }
const ON_A_TERMINAL: Environment = { TERM: 'xterm-256color' }

/** What a command begins with; the container adds what it sets itself. */
export function environment(path: unknown, hasTerminal: boolean, ...over: readonly (Environment | undefined)[]): Environment {
  const base = hasTerminal ? ON_A_TERMINAL : UNATTENDED
  return Object.assign({}, typeof path === 'string' && path !== '' ? { PATH: path } : {}, base, ...over)
}
