import { InputError, JsError, PolicyError, ShellError } from '../../../src/errors/index.js'
import type { JsProgram } from '../../../src/types/js.js'

export type Environment = Readonly<Record<string, string>>

/**
 * Checks the start of a command, for any shell that runs processes.
 *
 * @throws {ShellError} `unavailable`; {InputError}; {PolicyError} `read_only`, because a process could write anyway
 */
export function checkStart(command: string, env: Environment, { closed, readOnly }: { closed: boolean; readOnly: boolean }): void {
  if (closed) throw new ShellError('unavailable', 'Cannot run the command: the shell is closed')
  checkCommand(command)
  checkEnvironment(env)
  if (!readOnly) return
  const message = 'Cannot run the command: the workspace is read-only, and a shell writes where it likes'
  throw new PolicyError('read_only', message, 'readOnly')
}

/** @throws {InputError} for an invalid variable */
export function checkEnvironment(env: Environment): void {
  for (const [name, value] of Object.entries(env)) {
    if (name === '' || /[=\0]/.test(name)) throw unusableVariable(name, 'its name is empty, or holds "=" or a NUL character')
    if (typeof value !== 'string' || value.includes('\0')) throw unusableVariable(name, 'its value is not a string without NUL characters')
  }
}

function unusableVariable(name: string, why: string): InputError {
  const shown = name.replaceAll('\0', '\\0')
  return new InputError('invalid_input', `Cannot set the variable "${shown}": ${why}`, { issues: [{ path: `env.${shown}`, message: why }] })
}

function checkCommand(command: string): void {
  if (!command.includes('\0')) return
  const message = 'it contains a NUL character, which no command can hold'
  throw new InputError('invalid_input', `Cannot run the command: ${message}`, { issues: [{ path: 'command', message }] })
}

/**
 * Checks the start of a program, for any adapter that runs processes. `writer` is the name for the process in error messages.
 *
 * @throws {JsError} `unavailable`; {InputError}; {PolicyError} `read_only`, because a process could write anyway
 */
export function checkProgram(
  program: JsProgram,
  { closed, readOnly, writer }: { closed: boolean; readOnly: boolean; writer: string },
): void {
  if (closed) throw new JsError('unavailable', 'Cannot run the program: the adapter is closed')
  const { code, entry, filename = '', args = [], env = {} } = program
  if ((code === undefined) === (entry === undefined)) {
    throw unusable(code === undefined ? 'entry' : 'code', 'it needs either code or entry, and not both')
  }
  if (filename.includes('\0')) throw unusable('filename', 'it contains a NUL character')
  const bad = args.findIndex((arg) => typeof arg !== 'string' || arg.includes('\0'))
  if (bad >= 0) throw unusable(`args.${bad}`, 'it is not a string without NUL characters')
  checkEnvironment(env)
  if (!readOnly) return
  throw new PolicyError('read_only', `Cannot run the program: the workspace is read-only, and ${writer} writes where it likes`, 'readOnly')
}

function unusable(path: string, why: string): InputError {
  return new InputError('invalid_input', `Cannot run the program: ${path}: ${why}`, { issues: [{ path, message: why }] })
}
