import type { FileKind, FsStat } from '../../types/fs.js'

interface KindMethods {
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
  isBlockDevice(): boolean
  isCharacterDevice(): boolean
  isFIFO(): boolean
  isSocket(): boolean
}

/** Node's `Stats`, as `stat` of the Node facade returns it. Storages keep one time only. Fields without meaning here are constant. */
export interface NodeStats extends KindMethods {
  readonly size: number
  /** Includes the type bits (`0o100644`). */
  readonly mode: number
  readonly atimeMs: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly birthtimeMs: number
  readonly atime: Date
  readonly mtime: Date
  readonly ctime: Date
  readonly birthtime: Date
  /** A hash of the path, never 0. The same path always has the same number. */
  readonly ino: number
  readonly dev: number
  readonly rdev: number
  readonly nlink: number
  readonly uid: number
  readonly gid: number
  readonly blksize: number
  /** Blocks of 512 bytes. */
  readonly blocks: number
}

/** Node's `Dirent`, as `readdir` of the Node facade returns it with `withFileTypes`. */
export interface NodeDirent extends KindMethods {
  readonly name: string | Uint8Array
  /** The directory, as the caller named it. */
  readonly parentPath: string
  readonly path: string
}

const TYPE_BITS: Readonly<Record<FileKind, number>> = { file: 0o100000, dir: 0o040000, symlink: 0o120000 }
/** The modes to report if the storage stores none. */
export const USUAL_MODE: Readonly<Record<FileKind, number>> = { file: 0o644, dir: 0o755, symlink: 0o777 }
const never = (): boolean => false

export function kindMethods(kind: FileKind): KindMethods {
  return {
    isFile: () => kind === 'file',
    isDirectory: () => kind === 'dir',
    isSymbolicLink: () => kind === 'symlink',
    isBlockDevice: never,
    isCharacterDevice: never,
    isFIFO: never,
    isSocket: never,
  }
}

export function toStats(path: string, { kind, size, mtimeMs, mode }: FsStat): NodeStats {
  const time = new Date(mtimeMs)
  return {
    size,
    mode: TYPE_BITS[kind] | (mode ?? USUAL_MODE[kind]),
    atimeMs: mtimeMs,
    mtimeMs,
    ctimeMs: mtimeMs,
    birthtimeMs: mtimeMs,
    atime: time,
    mtime: time,
    ctime: time,
    birthtime: time,
    ino: pathNumber(path),
    dev: 1,
    rdev: 0,
    nlink: 1,
    uid: 0,
    gid: 0,
    blksize: 4096,
    blocks: Math.ceil(size / 512),
    ...kindMethods(kind),
  }
}

/** FNV-1a of the path, 31 bits, never 0: clients compare inode numbers to detect whether a file is the same. */
function pathNumber(path: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < path.length; i++) hash = Math.imul(hash ^ path.charCodeAt(i), 0x01000193)
  return hash & 0x7fffffff || 1
}
