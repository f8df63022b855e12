import { FsError, ShellError } from '../../../src/errors/index.js'
import type { SentFault } from './messages.js'

export function sentFault(error: unknown): SentFault {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), details: {} }
  const details = Object.entries(error).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return { name: error.name, message: error.message, details: Object.fromEntries(details) }
}

/** The error again, as far as the shell looks at it: files that were refused are told by their codes. */
export function receivedFault({ name, message, details }: SentFault): Error {
  const { code = '', op = 'use', path = '', dest, detail } = details
  if (name === 'FsError' && FsError.isCode(code)) {
    return new FsError({ code, op, path, ...(dest !== undefined && { dest }), ...(detail !== undefined && { detail }) })
  }
  if (name === 'ShellError') return new ShellError(code as ShellError['code'], message)
  return Object.assign(new Error(message), { name })
}
