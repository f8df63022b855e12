import { FsError, InputError, JsError, ShellError } from '../../../src/errors/index.js'
import type { SentFault } from './messages.js'

export function sentFault(error: unknown): SentFault {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), details: {} }
  const details = Object.entries(error).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const issues = error instanceof InputError ? { issues: error.issues } : {}
  return { name: error.name, message: error.message, details: Object.fromEntries(details), ...issues }
}

/** The error again, as far as anybody looks at it: codes tell more than words. A script that is another one may send anything. */
export function receivedFault({ name = 'Error', message = '', details = {}, issues = [] }: Partial<SentFault>): Error {
  const { code = '', op = 'use', path = '', dest, detail } = details
  if (name === 'FsError' && FsError.isCode(code)) {
    return new FsError({ code, op, path, ...(dest !== undefined && { dest }), ...(detail !== undefined && { detail }) })
  }
  if (name === 'ShellError') return new ShellError(code as ShellError['code'], message)
  if (name === 'JsError') return new JsError(code as JsError['code'], message)
  if (name === 'InputError') return new InputError(code as InputError['code'], message, { issues })
  return Object.assign(new Error(message), { name, ...(code !== '' && { code }) })
}
