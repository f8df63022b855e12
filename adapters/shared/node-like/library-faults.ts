import { FsError } from '../../../src/errors/index.js'
import { Fault } from '../fault.js'

const MEANINGS: Readonly<Record<string, Fault>> = {
  EPERM: new Fault('EACCES'),
  ENAMETOOLONG: new Fault('EINVAL', 'the name or the path is too long'),
  EILSEQ: new Fault('EINVAL', 'the storage does not accept this name'),
  ERR_INVALID_ARG_VALUE: new Fault('EINVAL', 'the storage does not accept this path'),
  EDQUOT: new Fault('ENOSPC'),
  EMFILE: new Fault('EBUSY', 'too many files are open'),
  ENFILE: new Fault('EBUSY', 'too many files are open'),
  ETIMEDOUT: new Fault('EBUSY'),
  ENOSYS: new Fault('ENOTSUP'),
  // A library's ESTALE must not look like a version conflict.
  ESTALE: new Fault('EIO'),
}

/** Converts an error of a library. The library's message may contain host paths, so the fault contains the error only as its cause. */
export function libraryFault(cause: unknown): Fault {
  const code = codeOf(cause)
  const meaning = MEANINGS[code]
  if (meaning) return new Fault(meaning.code, meaning.detail, cause)
  if (FsError.isCode(code)) return new Fault(code, undefined, cause)
  return new Fault('EIO', 'the file system library failed', cause)
}

/** Returns the error code, from `code` or, for some libraries, from the start of the message. Returns `''` if there is no code. */
export function codeOf(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null) return ''
  if ('code' in cause && typeof cause.code === 'string') return cause.code
  const message = 'message' in cause && typeof cause.message === 'string' ? cause.message : ''
  return /^E[A-Z]{2,}\b/.exec(message)?.[0] ?? ''
}
