import { FsError, type FsErrorCode } from '../../src/errors/index.js'
import { Fault, toFsError as toError, type Where } from '../shared/fault.js'

/** An error reported by the container itself. The checks before a call throw a plain `Fault`. */
export class ContainerFault extends Fault {}

/** Error codes of the container for which the storage reports another code. */
const SAME = new Map<string, FsErrorCode>([
  ['EPERM', 'EACCES'],
  ['ENAMETOOLONG', 'EINVAL'],
  ['EMFILE', 'EBUSY'],
  ['EDQUOT', 'ENOSPC'],
])

/**
 * Reads the error code from the message, because the client passes on only the message: `ENOENT: no such file or directory, open '...'`.
 */
export function containerFault(cause: unknown): ContainerFault {
  const message = messageOf(cause)
  const [word = ''] = /^E[A-Z0-9]+(?=:)/.exec(message) ?? []
  const code = SAME.get(word) ?? (FsError.isCode(word) ? word : undefined)
  return code ? new ContainerFault(code, undefined, cause) : new ContainerFault('EIO', `the container failed: ${message}`, cause)
}

export function messageOf(cause: unknown): string {
  return typeof cause === 'object' && cause !== null && 'message' in cause ? String(cause.message) : String(cause)
}

export const toFsError = (error: unknown, where: Where): FsError => toError(error, where, containerFault)
