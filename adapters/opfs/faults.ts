import { Fault, nameOf } from '../shared/fault.js'

const messageOf = (cause: unknown): string => (cause instanceof Error || cause instanceof DOMException ? cause.message : String(cause))

/** Converts an error of a browser handle. */
export function faultOf(cause: unknown, method: string): Fault {
  if (cause instanceof Fault) return cause
  switch (nameOf(cause)) {
    case 'NotFoundError':
      return new Fault('ENOENT', 'it is gone: something else changed the files of this workspace', cause)
    case 'TypeMismatchError':
      return new Fault(NEED_DIRECTORY.has(method) ? 'ENOTDIR' : 'EISDIR', 'something else changed the files of this workspace', cause)
    case 'InvalidModificationError':
      return new Fault(method === 'rename' ? 'EISDIR' : 'ENOTEMPTY', 'something else changed the files of this workspace', cause)
    case 'NoModificationAllowedError':
      return new Fault('EBUSY', 'another part of this site has the file open', cause)
    case 'QuotaExceededError':
      return noRoom(cause)
    case 'NotReadableError':
      return new Fault('EIO', 'the browser cannot read it', cause)
    case 'TypeError':
      return new Fault('EINVAL', `the browser refuses it: ${messageOf(cause)}`, cause)
    case 'SecurityError':
    case 'NotAllowedError':
      return new Fault('ENOTSUP', 'this page may not use the origin private file system', cause)
    default:
      return new Fault('EIO', `the browser’s file system failed: ${messageOf(cause)}`, cause)
  }
}

const NEED_DIRECTORY: ReadonlySet<string> = new Set(['readdir', 'mkdir', 'rmdir'])

export const noRoom = (cause?: unknown): Fault => new Fault('ENOSPC', 'the browser gives this site no more storage', cause)

/** Returns whether an error of a handle indicates that someone else has changed the files. */
export const isSurprise = (cause: unknown): boolean =>
  ['NotFoundError', 'TypeMismatchError', 'InvalidModificationError'].includes(String(nameOf(cause)))

const FIRST_WAIT_MS = 5
/**
 * Maximum number of waits, each twice as long as the one before. Together they take more than a second, the time that a terminated worker
 * may need to release a file.
 */
const WAITS = 8

/** Retries an action while a file is in use, and once if the file changed while it was read. */
export async function patiently<T>(action: () => Promise<T>): Promise<T> {
  let reread = false
  for (let attempt = 0; ; attempt++) {
    try {
      return await action()
    } catch (cause) {
      const name = nameOf(cause)
      if (name === 'NotReadableError' && !reread) reread = true
      else if (name !== 'NoModificationAllowedError' || attempt >= WAITS) throw cause
      else await new Promise((resolve) => setTimeout(resolve, FIRST_WAIT_MS * 2 ** attempt))
    }
  }
}
