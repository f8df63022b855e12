import { InputError, JsError, PolicyError } from '../../../src/errors/index.js'
import type { JsRunOptions } from '../../../src/types/js.js'
import { checkMemory } from '../../shared/js/check-memory.js'
import { checkEnvironment } from '../../shared/process/checks.js'

/**
 * What is common to all programs.
 *
 * @throws {JsError} unavailable; {InputError}; {PolicyError} read_only: nothing keeps a process from writing
 */
export function checkProgram(options: JsRunOptions, { closed, readOnly }: { closed: boolean; readOnly: boolean }): void {
  if (closed) throw new JsError('unavailable', 'Cannot run the program: the adapter is closed')
  const { code, entry, filename = '', args = [], env = {}, memoryBytes } = options
  if ((code === undefined) === (entry === undefined)) {
    throw unusable(code === undefined ? 'entry' : 'code', 'it needs either code or entry, and not both')
  }
  if (filename.includes('\0')) throw unusable('filename', 'it contains a NUL character')
  const bad = args.findIndex((arg) => typeof arg !== 'string' || arg.includes('\0'))
  if (bad >= 0) throw unusable(`args.${bad}`, 'it is not a string without NUL characters')
  if (memoryBytes !== undefined) checkMemory(memoryBytes)
  checkEnvironment(env)
  if (readOnly) {
    const message = 'Cannot run the program: the workspace is read-only, and Node writes where it likes'
    throw new PolicyError('read_only', message, 'readOnly')
  }
}

function unusable(path: string, why: string): InputError {
  return new InputError('invalid_input', `Cannot run the program: ${path}: ${why}`, { issues: [{ path, message: why }] })
}
