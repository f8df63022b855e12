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

export interface Where {
  readonly op: string
  readonly path: string
  readonly dest?: string
}

export function toFsError(error: unknown, where: Where): FsError {
  if (FsError.is(error)) return error
  const { code, detail, cause } = error instanceof Fault ? error : faultOf(error)
  return new FsError({ ...where, code, ...(detail && { detail }), ...(cause === undefined ? {} : { cause }) })
}

function faultOf(cause: unknown): Fault {
  if (nameOf(cause) === 'QuotaExceededError') return new Fault('ENOSPC', 'the browser gives this site no more storage', cause)
  return new Fault('EIO', `the database failed: ${cause instanceof Error ? cause.message : String(cause)}`, cause)
}

/** A DOMException is known by its name. */
export function nameOf(cause: unknown): unknown {
  return typeof cause === 'object' && cause !== null && 'name' in cause ? cause.name : undefined
}
