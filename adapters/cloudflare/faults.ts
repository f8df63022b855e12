import { FsError, type FsErrorCode } from '../../src/errors/index.js'

/** An error inside a call. The outermost function of the call adds the operation and the paths, and creates the `FsError`. */
export class Fault extends Error {
  readonly code: FsErrorCode
  readonly detail: string | undefined

  constructor(code: FsErrorCode, detail?: string) {
    super(detail ?? code)
    this.code = code
    this.detail = detail
  }
}

/** Matches the error of an object whose class uses the older key-value storage. */
const NO_SQLITE = /SQL is not enabled/i

/** Error codes for errors of the database, which are recognised by their messages because the database reports no codes. */
const REFUSALS: readonly (readonly [RegExp, FsErrorCode, string])[] = [
  [/SQLITE_FULL|database or disk is full/i, 'ENOSPC', "the Durable Object's storage is full"],
  [NO_SQLITE, 'ENOTSUP', 'the Durable Object has no SQLite: name its class in "new_sqlite_classes"'],
  [/SQLITE_TOOBIG|string or blob too big/i, 'EFBIG', 'it is more than a row of the database holds'],
]

export function toFsError(cause: unknown, op: string, path: string, dest?: string): FsError {
  const where = { op, path, ...(dest === undefined ? {} : { dest }) }
  if (FsError.is(cause)) return cause
  if (cause instanceof Fault) return new FsError({ ...where, code: cause.code, ...(cause.detail && { detail: cause.detail }) })
  const message = cause instanceof Error ? cause.message : String(cause)
  for (const [words, code, detail] of REFUSALS) if (words.test(message)) return new FsError({ ...where, code, detail, cause })
  return new FsError({ ...where, code: 'EIO', detail: `the database failed: ${message}`, cause })
}

/** Returns whether an error means that the object has no SQLite. */
export function meansNoSqlite(cause: unknown): boolean {
  return cause instanceof Error && NO_SQLITE.test(cause.message)
}
