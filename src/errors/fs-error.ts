import { visibleName } from './visible-name.js'

const MEANING = {
  ENOENT: 'no such file or directory',
  EEXIST: 'it already exists',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of the path is not a directory',
  ENOTEMPTY: 'the directory is not empty',
  EINVAL: 'the operation is not valid for this path',
  ENAMETOOLONG: 'the name or the path is too long',
  EACCES: 'permission denied',
  EROFS: 'the workspace is read-only',
  ENOTSUP: 'the storage does not support this operation',
  ENOSPC: 'no space left',
  EFBIG: 'the file is too large',
  ELOOP: 'a symbolic link is in the way',
  EXDEV: 'the paths are on different storages',
  EBUSY: 'it is in use',
  ESTALE: 'it changed since it was read: read it again',
  EIO: 'input/output error',
} as const

/** The POSIX codes of file errors. docs/errors.md explains each code. */
export type FsErrorCode = keyof typeof MEANING

export interface FsErrorOptions {
  readonly code: FsErrorCode
  /** The attempted operation as a verb, such as `read` or `remove`. */
  readonly op: string
  /** In adapters, an adapter path; in the workspace and above, a virtual path. Never a path of the machine. */
  readonly path: string
  /** The second path of rename, copy and link. */
  readonly dest?: string
  /** Replaces the default explanation of the code. */
  readonly detail?: string
  readonly cause?: unknown
}

/** A failed file operation with a POSIX code. The message begins with the code: `ENOENT: Cannot read "/a": ...`. */
export class FsError extends Error {
  override readonly name = 'FsError'
  readonly code: FsErrorCode
  readonly op: string
  readonly path: string
  readonly dest?: string
  readonly detail?: string

  constructor({ code, op, path, dest, detail, cause }: FsErrorOptions) {
    const to = dest === undefined ? '' : ` to "${dest}"`
    super(visibleName(`${code}: Cannot ${op} "${path}"${to}: ${detail ?? MEANING[code]}`), cause === undefined ? undefined : { cause })
    this.code = code
    this.op = op
    this.path = path
    if (dest !== undefined) this.dest = dest
    if (detail !== undefined) this.detail = detail
  }

  /** Works across realms and duplicate copies of the package, unlike `instanceof`. */
  static is(value: unknown): value is FsError {
    return typeof value === 'object' && value !== null && 'name' in value && value.name === 'FsError'
  }

  static isCode(code: string): code is FsErrorCode {
    return Object.hasOwn(MEANING, code)
  }
}

/** True for an `FsError` with one of these codes. */
export function hasCode(value: unknown, ...codes: FsErrorCode[]): value is FsError {
  return FsError.is(value) && codes.includes(value.code)
}

/** Returns a handler for `catch`: it turns an `FsError` with one of these codes into undefined, and rethrows all other errors. */
export function ignoreCodes(...codes: FsErrorCode[]): (error: unknown) => undefined {
  return (error) => {
    if (!hasCode(error, ...codes)) throw error
  }
}
