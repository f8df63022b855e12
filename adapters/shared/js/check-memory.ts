import { InputError } from '../../../src/errors/index.js'

/** @throws {InputError} */
export function checkMemory(bytes: number): void {
  if (bytes > 0) return
  const message = 'it is not a number of bytes above 0'
  throw new InputError('invalid_input', `Cannot run the program: memoryBytes: ${message}`, { issues: [{ path: 'memoryBytes', message }] })
}
