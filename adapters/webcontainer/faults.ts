import { FsError, type FsErrorCode } from '../../src/errors/index.js'
import { Fault, toFsError as toError, type Where } from '../shared/fault.js'

/** What the container answered, against what was just seen in it. */
export class ContainerFault extends Fault {}

/** Codes of the container's that mean another one here. */
const SAME = new Map<string, FsErrorCode>([
  ['EPERM', 'EACCES'],
  ['ENAMETOOLONG', 'EINVAL'],
  ['EMFILE', 'EBUSY'],
  ['EDQUOT', 'ENOSPC'],
])

/** The client hands on an error's message, not its code: `ENOENT: no such file or directory, open '...'`. */
export function containerFault(cause: unknown): ContainerFault {
  const message = messageOf(cause)
  const [word = ''] = /^E[A-Z0-9]+(?=:)/.exec(message) ?? []
  const code = SAME.get(word) ?? (FsError.isCode(word) ? word : undefined)
  return code ? new ContainerFault(code, undefined, cause) : new ContainerFault('EIO', `the container failed: ${message}`, cause)
}

function messageOf(cause: unknown): string {
  return typeof cause === 'object' && cause !== null && 'message' in cause ? String(cause.message) : String(cause)
}

export const toFsError = (error: unknown, where: Where): FsError => toError(error, where, containerFault)
