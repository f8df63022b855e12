import { closeSync, constants, copyFile as copyFileCb, fstatSync } from 'node:fs'
import { promisify } from 'node:util'
import type { ReadOptions, WriteOptions } from '../../src/types/fs.js'
import { type Access, type Pin, withDirectory, withFile } from './access.js'
import { Fault } from './faults.js'
import { changeInPlace, openedFile, overwrite } from './in-place.js'
import { nameOf, parentOf } from './paths.js'
import { createLike, keepOwner, replaceFile } from './replace.js'
import { close, fsync, ftruncate, MAX_TRANSFER, open, readFully, writeFully } from './syscalls.js'

/** Number of bytes to read at once after the reported size of a file. */
const READ_ON = 64 * 1024

const copyFileOf = promisify(copyFileCb)

export interface WriteRules {
  readonly refuseHardLinks: boolean
  readonly fsync: boolean
}

export function readFile(
  access: Access,
  path: string,
  { offset = 0, length = Number.POSITIVE_INFINITY }: ReadOptions,
): Promise<Uint8Array> {
  checkCount('offset', offset)
  if (length !== Number.POSITIVE_INFINITY) checkCount('length', length)
  return withFile(access, path, (pin) => contentOf(pin, offset, length), 'snapshot')
}

async function contentOf(pin: Pin, offset: number, length: number): Promise<Uint8Array> {
  const fd = await pin.open(constants.O_RDONLY)
  try {
    const size = Math.max(0, Math.min(openedFile(fd).size - offset, length))
    if (size > MAX_TRANSFER) throw new Fault('EFBIG', 'more than 2 GiB cannot be read at once: read it in ranges')
    const bytes = new Uint8Array(size)
    const count = await readFully(fd, bytes, offset)
    // Another process has truncated the file since `fstat`.
    if (count < size) return bytes.slice(0, count)
    // The file is growing, or it reports no size, as in /proc.
    const grown = size < length && (size === 0 || fstatSync(fd).size > offset + size)
    return grown ? await readOn(fd, bytes, offset, length) : bytes
  } finally {
    closeSync(fd)
  }
}

/** Continues to read after `begun`, up to the end of the file or to `length` bytes in total. */
async function readOn(fd: number, begun: Uint8Array, offset: number, length: number): Promise<Uint8Array> {
  const parts = [begun]
  let total = begun.length
  while (total < length) {
    const part = new Uint8Array(Math.min(READ_ON, length - total))
    const count = await readFully(fd, part, offset + total)
    parts.push(part.subarray(0, count))
    total += count
    if (count < part.length) break
    if (total > MAX_TRANSFER) throw new Fault('EFBIG', 'more than 2 GiB cannot be read at once: read it in ranges')
  }
  return new Uint8Array(Buffer.concat(parts))
}

function checkCount(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) throw new Fault('EINVAL', `${name} ${value} is not a count of bytes`)
}

export function writeFile(access: Access, path: string, bytes: Uint8Array, options: WriteOptions, rules: WriteRules): Promise<void> {
  return inParent(access, path, (parent, name) => {
    const target = { parent, name, create: options.create ?? 'always', expect: options.expect, refuseHardLinks: rules.refuseHardLinks }
    return replaceFile(target, {
      fill: async (temp, old) => {
        const fd = await createLike(temp, old)
        try {
          await writeFully(fd, bytes)
          if (rules.fsync) await fsync(fd)
        } catch (cause) {
          closeSync(fd)
          throw cause
        }
        // Network file systems may report a failed write only on close.
        await close(fd)
      },
      overwrite: () => overwrite(target, bytes, rules),
    })
  })
}

export function copyFile(access: Access, from: string, to: string, rules: WriteRules): Promise<void> {
  const copyPinned = (source: Pin): Promise<void> =>
    inParent(access, to, (parent, name) => {
      const target = { parent, name, create: 'always', refuseHardLinks: rules.refuseHardLinks } as const
      return replaceFile(target, {
        fill: async (temp, old) => {
          await copyFileOf(source.path, temp, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
          await source.verify()
          if (!rules.fsync && !old) return
          const fd = await open(temp, constants.O_RDONLY)
          try {
            if (old) await keepOwner(fd, old)
            if (rules.fsync) await fsync(fd)
          } finally {
            closeSync(fd)
          }
        },
        overwrite: async () =>
          overwrite(target, await contentOf(source, 0, Number.POSITIVE_INFINITY), rules, Number(source.stat.mode) & 0o777),
      })
    })
  return withFile(access, from, copyPinned, 'snapshot')
}

function inParent(access: Access, path: string, work: (parent: Pin, name: string) => Promise<void>): Promise<void> {
  if (path === '/') throw new Fault('EISDIR')
  return withDirectory(access, parentOf(path), (parent) => work(parent, nameOf(path)))
}

export function appendFile(access: Access, path: string, bytes: Uint8Array, rules: WriteRules): Promise<void> {
  return inParent(access, path, (parent, name) =>
    changeInPlace({ parent, name, refuseHardLinks: rules.refuseHardLinks }, constants.O_WRONLY | constants.O_APPEND, (fd) =>
      appendOrUndo(fd, bytes),
    ),
  )
}

/** Appends bytes. Removes a partial append, for example on a full disk, unless another process has appended in the meantime. */
async function appendOrUndo(fd: number, bytes: Uint8Array): Promise<void> {
  const before = fstatSync(fd).size
  let written = 0
  try {
    await writeFully(fd, bytes, (count) => {
      written += count
    })
  } catch (cause) {
    if (written > 0 && fstatSync(fd).size === before + written) await ftruncate(fd, before)
    throw cause
  }
}
