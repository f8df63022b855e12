import { FsError, type FsErrorCode } from '../../src/errors/index.js'

/** A refusal, before it is known which call it is for. */
export class Fault extends Error {
  readonly code: FsErrorCode
  readonly detail: string | undefined

  constructor(code: FsErrorCode, detail?: string, cause?: unknown) {
    super(detail ?? code, cause === undefined ? undefined : { cause })
    this.code = code
    this.detail = detail
  }
}

/** What the container answered, against what was just seen in it. */
export class ContainerFault extends Fault {}

export interface Where {
  readonly op: string
  readonly path: string
  readonly dest?: string
}

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

export function toFsError(error: unknown, where: Where): FsError {
  if (FsError.is(error)) return error
  const { code, detail, cause } = error instanceof Fault ? error : containerFault(error)
  return new FsError({ ...where, code, ...(detail && { detail }), ...(cause === undefined ? {} : { cause }) })
}
