import { FsError, type FsErrorCode } from '../../errors/index.js'

const CODES: Readonly<Record<string, FsErrorCode>> = {
  path_outside_workspace: 'EACCES',
  symlink_escape: 'EACCES',
  approval_required: 'EACCES',
  invalid_path: 'EINVAL',
  invalid_input: 'EINVAL',
  binary_file: 'EINVAL',
}

const TOO_LONG = /is longer than \d+ bytes$|^the name or the path is too long$/

const tooLong = (op: string, path: string, cause: unknown): FsError => new FsError({ code: 'ENAMETOOLONG', op, path, cause })

/** Wraps an exception of the caller's own code, so that `withErrno` rethrows it unchanged. */
export class CallersError {
  readonly thrown: unknown

  constructor(thrown: unknown) {
    this.thrown = thrown
  }
}

/**
 * Runs `body` and converts its errors to errors that a client of Node's `fs` understands: they have a `code`, which also begins the
 * message.
 */
export async function withErrno<T>(op: string, path: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body()
  } catch (error) {
    if (error instanceof CallersError) throw error.thrown
    if (FsError.is(error)) throw error.code === 'EINVAL' && TOO_LONG.test(error.detail ?? '') ? tooLong(op, path, error) : error
    const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown }
    // Node's own errors about arguments.
    if (typeof code === 'string' && /^(?:ERR_|ABORT_ERR$)/.test(code)) throw error
    if (code === 'invalid_path' && TOO_LONG.test(String(message))) throw tooLong(op, path, error)
    const known = typeof code === 'string' ? CODES[code] : undefined
    throw new FsError({
      code: known ?? 'EIO',
      op,
      path,
      ...(known !== undefined && typeof message === 'string' && { detail: message }),
      cause: error,
    })
  }
}
