import { InputError } from '../../../src/errors/index.js'

export type Environment = Readonly<Record<string, string>>

/** Nobody is there to answer: what would page prints at once. */
const UNATTENDED: Environment = { TERM: 'dumb', PAGER: 'cat' }
const ON_A_TERMINAL: Environment = { TERM: 'xterm-256color' }

/** What a command begins with; the container adds what it sets itself. */
export function environment(path: unknown, hasTerminal: boolean, ...over: readonly (Environment | undefined)[]): Environment {
  const base = hasTerminal ? ON_A_TERMINAL : UNATTENDED
  return Object.assign({}, typeof path === 'string' && path !== '' ? { PATH: path } : {}, base, ...over)
}

/** @throws {InputError} for a variable that no process can have */
export function checkEnvironment(env: Environment): void {
  for (const [name, value] of Object.entries(env)) {
    if (name === '' || /[=\0]/.test(name)) throw unusable(name, 'its name is empty, or holds "=" or a NUL character')
    if (typeof value !== 'string' || value.includes('\0')) throw unusable(name, 'its value is not a string without NUL characters')
  }
}

function unusable(name: string, why: string): InputError {
  const shown = name.replaceAll('\0', '\\0')
  return new InputError('invalid_input', `Cannot set the variable "${shown}": ${why}`, { issues: [{ path: `env.${shown}`, message: why }] })
}

/** @throws {InputError} */
export function checkCommand(command: string): void {
  if (!command.includes('\0')) return
  const message = 'it contains a NUL character, which no command can hold'
  throw new InputError('invalid_input', `Cannot run the command: ${message}`, { issues: [{ path: 'command', message }] })
}
