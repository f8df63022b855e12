import { FsError, type FsErrorCode } from '../../src/errors/index.js'

/** An error that adapter code throws. `toFsError` adds the operation and the path. */
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

/** @param faultOf converts an error of the storage */
export function toFsError(error: unknown, where: Where, faultOf: (cause: unknown) => Fault): FsError {
  if (FsError.is(error)) return error
  const { code, detail, cause } = error instanceof Fault ? error : faultOf(error)
  return new FsError({ ...where, code, ...(detail && { detail }), ...(cause === undefined ? {} : { cause }) })
}

/** Returns the name of an error, which identifies a DOMException. */
export function nameOf(cause: unknown): unknown {
  return typeof cause === 'object' && cause !== null && 'name' in cause ? cause.name : undefined
}
