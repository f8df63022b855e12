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
  // A library's own ESTALE is no conflict of ours.
  ESTALE: new Fault('EIO'),
}

/** What a library threw. Its message may name paths of the machine, so it is only the cause. */
export function libraryFault(cause: unknown): Fault {
  const code = codeOf(cause)
  const meaning = MEANINGS[code]
  if (meaning) return new Fault(meaning.code, meaning.detail, cause)
  if (FsError.isCode(code)) return new Fault(code, undefined, cause)
  return new Fault('EIO', 'the file system library failed', cause)
}

/** The errno, from the code or, where a library has it there only, from the beginning of the message; `''` for what is none. */
export function codeOf(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null) return ''
  if ('code' in cause && typeof cause.code === 'string') return cause.code
  const message = 'message' in cause && typeof cause.message === 'string' ? cause.message : ''
  return /^E[A-Z]{2,}\b/.exec(message)?.[0] ?? ''
}
