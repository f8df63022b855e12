import type { FsErrorCode } from '../../../../src/errors/index.js'

/** Error messages of the C library, as printed by bash and GNU programs. */
export const ERROR_WORDS: Readonly<Partial<Record<FsErrorCode, string>>> = {
  ENOENT: 'No such file or directory',
  EEXIST: 'File exists',
  EISDIR: 'Is a directory',
  ENOTDIR: 'Not a directory',
  ENOTEMPTY: 'Directory not empty',
  EINVAL: 'Invalid argument',
  ENAMETOOLONG: 'File name too long',
  EACCES: 'Permission denied',
  EROFS: 'Read-only file system',
  ENOTSUP: 'Operation not supported',
  ENOSPC: 'No space left on device',
  EFBIG: 'File too large',
  ELOOP: 'Too many levels of symbolic links',
  EXDEV: 'Invalid cross-device link',
  EBUSY: 'Device or resource busy',
  EIO: 'Input/output error',
}

/** Returns the message for an error. Checks the code instead of the class, because the error may come from another thread. */
export function errorWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? (error.code as FsErrorCode) : undefined
  return (code !== undefined && Object.hasOwn(ERROR_WORDS, code) && ERROR_WORDS[code]) || error.message
}

export const hasErrno = (error: unknown, ...codes: readonly FsErrorCode[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(error.code as FsErrorCode)
