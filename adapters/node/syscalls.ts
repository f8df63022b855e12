import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { errnoOf } from './faults.js'
import { brief } from './short-syscalls.js'

const later = {
  open: promisify(fs.open),
  close: promisify(fs.close),
  access: promisify(fs.access),
  lstat: promisify(fs.lstat),
  read: promisify(fs.read),
  write: promisify(fs.write),
}

// Plain descriptors instead of `fs.promises`: a FileHandle costs two more round trips to the thread pool for every small read.
export const open = (path: fs.PathLike, flags: number, mode?: number): Promise<number> =>
  brief(
    () => fs.openSync(path, flags, mode),
    () => later.open(path, flags, mode),
  )
export const close = (fd: number): Promise<void> =>
  brief(
    () => fs.closeSync(fd),
    () => later.close(fd),
  )
export const access = (path: fs.PathLike, mode: number): Promise<void> =>
  brief(
    () => fs.accessSync(path, mode),
    () => later.access(path, mode),
  )
export const fsync: (fd: number) => Promise<void> = promisify(fs.fsync)
export const fchmod: (fd: number, mode: number) => Promise<void> = promisify(fs.fchmod)
export const fchown: (fd: number, uid: number, gid: number) => Promise<void> = promisify(fs.fchown)
export const ftruncate: (fd: number, length: number) => Promise<void> = promisify(fs.ftruncate)

/** Returns the value of a flag, or 0 on Windows, which lacks it. */
const flag = (name: 'O_NOFOLLOW' | 'O_NONBLOCK' | 'O_DIRECTORY'): number => fs.constants[name] ?? 0

export const O_NOFOLLOW: number = flag('O_NOFOLLOW')
/** Prevents a FIFO without a writer from blocking a pool thread forever. */
export const O_NONBLOCK: number = flag('O_NONBLOCK')
export const O_DIRECTORY: number = flag('O_DIRECTORY')
/** Only for Linux. The number is the same on every processor that Node runs on, but `fs.constants` lacks it. */
export const O_PATH = 0o10000000

/** Maximum number of bytes that one system call of `read` or `write` can transfer. */
export const MAX_TRANSFER = 0x7fff_ffff
/** Large transfers run in steps of this many bytes, so that none of them monopolises a pool thread. */
const STEP = 16 * 1024 * 1024
/** Number of bytes that can be transferred within microseconds. */
export const SMALL_TRANSFER: number = 64 * 1024

/** Fills `into` with the bytes from `position` on. Returns the number of bytes read. */
export async function readFully(fd: number, into: Uint8Array, position: number): Promise<number> {
  let done = 0
  while (done < into.length) {
    const count = await read(fd, into, done, Math.min(STEP, into.length - done), position + done)
    if (count === 0) break
    done += count
  }
  return done
}

/**
 * Writes all of `bytes` at the descriptor's own position. `wrote` gets the size of each written part, for a caller that must undo partial
 * writes.
 */
export async function writeFully(fd: number, bytes: Uint8Array, wrote?: (count: number) => void): Promise<void> {
  await writeSteps(fd, bytes, undefined, wrote)
}

export async function writeAt(fd: number, bytes: Uint8Array, position: number): Promise<void> {
  await writeSteps(fd, bytes, position)
}

async function writeSteps(fd: number, bytes: Uint8Array, position?: number, wrote?: (count: number) => void): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const at = position === undefined ? null : position + done
    const count = await write(fd, bytes, done, Math.min(STEP, bytes.length - done), at)
    done += count
    wrote?.(count)
  }
}

async function read(fd: number, into: Uint8Array, offset: number, length: number, position: number): Promise<number> {
  const inPool = async (): Promise<number> => (await later.read(fd, into, offset, length, position)).bytesRead
  return length > SMALL_TRANSFER ? inPool() : brief(() => fs.readSync(fd, into, offset, length, position), inPool)
}

async function write(fd: number, bytes: Uint8Array, offset: number, length: number, position: number | null): Promise<number> {
  const inPool = async (): Promise<number> => (await later.write(fd, bytes, offset, length, position)).bytesWritten
  return length > SMALL_TRANSFER ? inPool() : brief(() => fs.writeSync(fd, bytes, offset, length, position), inPool)
}

/** Resolves to the attributes of an entry, or to undefined if the path does not exist. Rejects for other failures. */
export function lstatIfAny(path: fs.PathLike): Promise<fs.Stats | undefined> {
  return brief(
    () => fs.lstatSync(path, { throwIfNoEntry: false }),
    async () => {
      try {
        return await later.lstat(path)
      } catch (cause) {
        if (errnoOf(cause) === 'ENOENT') return undefined
        throw cause
      }
    },
  )
}
