import { InputError, PolicyError, ShellError } from '../../../src/errors/index.js'

export type Environment = Readonly<Record<string, string>>

/**
 * What is common to all commands of a shell that runs processes.
 *
 * @throws {ShellError} unavailable; {InputError}; {PolicyError} read_only: nothing keeps a process from writing
 */
export function checkStart(command: string, env: Environment, { closed, readOnly }: { closed: boolean; readOnly: boolean }): void {
  if (closed) throw new ShellError('unavailable', 'Cannot run the command: the shell is closed')
  checkCommand(command)
  checkEnvironment(env)
  if (!readOnly) return
  const message = 'Cannot run the command: the workspace is read-only, and a shell writes where it likes'
  throw new PolicyError('read_only', message, 'readOnly')
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

function checkCommand(command: string): void {
  if (!command.includes('\0')) return
  const message = 'it contains a NUL character, which no command can hold'
  throw new InputError('invalid_input', `Cannot run the command: ${message}`, { issues: [{ path: 'command', message }] })
}
