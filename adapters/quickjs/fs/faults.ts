import { failed } from '../answer.js'

const MEANING = {
  ENOENT: [-2, 'no such file or directory'],
  EEXIST: [-17, 'file already exists'],
  EISDIR: [-21, 'illegal operation on a directory'],
  ENOTDIR: [-20, 'not a directory'],
  ENOTEMPTY: [-39, 'directory not empty'],
  EINVAL: [-22, 'invalid argument'],
  EACCES: [-13, 'permission denied'],
  EROFS: [-30, 'read-only file system'],
  ENOSPC: [-28, 'no space left on device'],
  ELOOP: [-40, 'too many symbolic links encountered'],
  ENAMETOOLONG: [-36, 'name too long'],
  EXDEV: [-18, 'cross-device link not permitted'],
  EBUSY: [-16, 'resource busy or locked'],
  ENOMEM: [-12, 'not enough memory'],
  EBADF: [-9, 'bad file descriptor'],
  EAGAIN: [-11, 'resource temporarily unavailable'],
} as const

export type FaultCode = keyof typeof MEANING

/** A failed file operation, with Node's error codes. */
export class FileFault extends Error {
  readonly code: FaultCode
  readonly detail: string | undefined
  /** The system call that failed, if it differs from the requested one. In this case, the error message names no path. */
  readonly syscall: string | undefined

  constructor(code: FaultCode, detail?: string, syscall?: string) {
    super(code)
    this.code = code
    this.detail = detail
    this.syscall = syscall
  }
}

export interface Place {
  readonly syscall: string
  readonly path?: string
  readonly dest?: string
}

/** Encodes a fault for the guest, which throws it as an error. */
export function faultAnswer({ code, detail, syscall: own }: FileFault, place: Place): string {
  const { syscall, path, dest }: Place = own === undefined ? place : { syscall: own }
  const [errno, meaning] = MEANING[code]
  const where = path === undefined ? '' : ` '${path}'${dest === undefined ? '' : ` -> '${dest}'`}`
  const message = `${code}: ${meaning}, ${syscall}${where}${detail === undefined ? '' : ` (${detail})`}`
  return failed({ message, errno, code, syscall, ...(path !== undefined && { path }), ...(dest !== undefined && { dest }) })
}
