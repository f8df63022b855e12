import { FsError, type FsErrorCode } from '../../src/errors/index.js'

/** An error of the adapter itself. `toFsError` adds the operation and the path. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: FsErrorCode
  readonly detail: string | undefined
  /** The path that failed, if it differs from the path of the call. */
  readonly at: string | undefined

  constructor(code: FsErrorCode, detail?: string, at?: string) {
    super(detail ?? code)
    this.code = code
    this.detail = detail
    this.at = at
  }
}

/**
 * Thrown if the entry was replaced or moved between two steps of a check, most often by another write. The operation has not changed
 * anything yet, so it can be retried.
 */
export class MovedFault extends Fault {
  constructor() {
    super('EBUSY', 'it was moved in the meantime')
  }
}

interface Meaning {
  readonly code: FsErrorCode
  readonly detail?: string
}

/** Maps system error codes to `FsError` codes where they differ. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  EPERM: { code: 'EACCES' },
  ENAMETOOLONG: { code: 'EINVAL', detail: 'the name or the path is too long' },
  EILSEQ: { code: 'EINVAL', detail: 'the storage does not accept this name' },
  ERR_INVALID_ARG_VALUE: { code: 'EINVAL' },
  ERR_OUT_OF_RANGE: { code: 'EINVAL' },
  EDQUOT: { code: 'ENOSPC', detail: 'the disk quota is used up' },
  EMLINK: { code: 'ENOSPC', detail: 'the directory holds too many entries' },
  EOVERFLOW: { code: 'EFBIG' },
  EOPNOTSUPP: { code: 'ENOTSUP' },
  ENOSYS: { code: 'ENOTSUP' },
  ENXIO: { code: 'ENOTSUP', detail: 'it is not a regular file' },
  ENODEV: { code: 'ENOTSUP', detail: 'it is not a regular file' },
  ETXTBSY: { code: 'EBUSY', detail: 'it is a program that is running' },
  EBUSY: { code: 'EBUSY', detail: 'it is a mount point, or in use' },
  EAGAIN: { code: 'EBUSY' },
  EMFILE: { code: 'EBUSY', detail: 'too many files are open' },
  ENFILE: { code: 'EBUSY', detail: 'too many files are open' },
  // The system reports ESTALE for a lost network handle. Our ESTALE means that the content has changed since it was read.
  ESTALE: { code: 'EIO', detail: 'the file server lost track of it' },
}

/**
 * Converts a system error to an `FsError`. No other code may do this. The original error, which may contain host paths, is only the
 * `cause`.
 */
export function toFsError(cause: unknown, op: string, path: string, dest?: string): FsError {
  if (cause instanceof FsError) return cause
  if (cause instanceof Fault) {
    const own = cause.at === undefined ? { path, dest } : { path: cause.at, dest: undefined }
    return build({ code: cause.code, ...(cause.detail === undefined ? {} : { detail: cause.detail }) }, op, own.path, own.dest)
  }
  return build(meaningOf(errnoOf(cause)), op, path, dest, cause)
}

function build({ code, detail }: Meaning, op: string, path: string, dest: string | undefined, cause?: unknown): FsError {
  return new FsError({ code, op, path, ...(dest === undefined ? {} : { dest }), ...(detail === undefined ? {} : { detail }), cause })
}

function meaningOf(errno: string): Meaning {
  return MEANINGS[errno] ?? { code: FsError.isCode(errno) ? errno : 'EIO' }
}

/** Returns the system error code, or `''` if `cause` is not a system error. */
export function errnoOf(cause: unknown): string {
  return typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
}
