import * as fs from 'node:fs'
import { promisify } from 'node:util'

// Plain descriptors instead of `fs.promises`: a FileHandle costs two more trips through the thread pool for every small read.
export const open: (path: fs.PathLike, flags: number, mode?: number) => Promise<number> = promisify(fs.open)
export const close: (fd: number) => Promise<void> = promisify(fs.close)
export const fsync: (fd: number) => Promise<void> = promisify(fs.fsync)
export const access: (path: fs.PathLike, mode: number) => Promise<void> = promisify(fs.access)
export const fchmod: (fd: number, mode: number) => Promise<void> = promisify(fs.fchmod)
export const fchown: (fd: number, uid: number, gid: number) => Promise<void> = promisify(fs.fchown)
export const ftruncate: (fd: number, length: number) => Promise<void> = promisify(fs.ftruncate)

/** Absent on Windows, where 0 is the right neutral value. */
const flag = (name: 'O_NOFOLLOW' | 'O_NONBLOCK' | 'O_DIRECTORY'): number => fs.constants[name] ?? 0

export const O_NOFOLLOW: number = flag('O_NOFOLLOW')
/** A FIFO that nobody writes to must not hold a thread of the pool for ever. */
export const O_NONBLOCK: number = flag('O_NONBLOCK')
export const O_DIRECTORY: number = flag('O_DIRECTORY')
/** Linux only, the same number on every processor that Node runs on, and missing from `fs.constants`. */
export const O_PATH = 0o10000000

/** What one `read` or `write` of the system can move at the most. */
export const MAX_TRANSFER = 0x7fff_ffff
/** Large transfers go in steps, so that one of them does not keep a pool thread from all others. */
const STEP = 16 * 1024 * 1024

/** Fills `into` from `position` on; returns how many bytes there were. */
export async function readFully(fd: number, into: Uint8Array, position: number): Promise<number> {
  let done = 0
  while (done < into.length) {
    const { bytesRead } = await read(fd, into, done, Math.min(STEP, into.length - done), position + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return done
}

/** Writes all of `bytes` at the descriptor's own position. `wrote` hears of every part, for a caller that has to undo them. */
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
    const { bytesWritten } = await write(fd, bytes, done, Math.min(STEP, bytes.length - done), at)
    done += bytesWritten
    wrote?.(bytesWritten)
  }
}

const read = promisify(fs.read)
const write = promisify(fs.write)

/** `undefined` where nothing is. Other failures reject. */
export function lstatIfAny(path: fs.PathLike): Promise<fs.Stats | undefined> {
  return new Promise((resolve, reject) => {
    fs.lstat(path, (error, stat) => {
      if (!error) resolve(stat)
      else if (error.code === 'ENOENT') resolve(undefined)
      else reject(error)
    })
  })
}
