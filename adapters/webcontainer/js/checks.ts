import { InputError, JsError, PolicyError, UnsupportedError } from '../../../src/errors/index.js'
import type { JsProgram } from '../../../src/types/js.js'
import { checkEnvironment } from '../../shared/process/checks.js'

/** @throws {JsError} unavailable; {InputError}; {PolicyError} read_only; {UnsupportedError}: nothing keeps a program from writing */
export function checkProgram(program: JsProgram, { closed, readOnly }: { closed: boolean; readOnly: boolean }): void {
  if (closed) throw new JsError('unavailable', 'Cannot run the program: the adapter is closed')
  const { code, entry, filename = '', args = [], env = {}, grants } = program
  if ((code === undefined) === (entry === undefined)) {
    throw unusable(code === undefined ? 'entry' : 'code', 'it needs either code or entry, and not both')
  }
  if (filename.includes('\0')) throw unusable('filename', 'it contains a NUL character')
  const bad = args.findIndex((arg) => typeof arg !== 'string' || arg.includes('\0'))
  if (bad >= 0) throw unusable(`args.${bad}`, 'it is not a string without NUL characters')
  checkEnvironment(env)
  if (readOnly) {
    const message = 'Cannot run the program: the workspace is read-only, and a program of the container writes where it likes'
    throw new PolicyError('read_only', message, 'readOnly')
  }
  if (grants?.fs === undefined || grants.fs === 'write') return
  const message = `Cannot run the program with grants.fs "${grants.fs}": one of the container reads and writes all of its files, grant "write", or use the guest engine (quickjs)`
  throw new UnsupportedError('js', message, 'webcontainer')
}

function unusable(path: string, why: string): InputError {
  return new InputError('invalid_input', `Cannot run the program: ${path}: ${why}`, { issues: [{ path, message: why }] })
}
