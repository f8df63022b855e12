import {
  type BigIntStats,
  closeSync,
  fstatSync,
  lstat as lstatCb,
  lstatSync,
  type PathLike,
  realpath as realpathCb,
  realpathSync,
  statSync,
} from 'node:fs'
import { sep } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startOnce } from '../../src/ops/start-once.js'
import { type Access, blame, type Pin } from './access.js'
import { Fault, MovedFault, toFsError } from './faults.js'
import { textOf, toNative } from './names.js'
import { absolute, checkPath, parentOf, toHost } from './paths.js'
import { createProcAccess, hasProcAccess } from './proc-access.js'
import { O_NOFOLLOW, O_NONBLOCK, open } from './syscalls.js'

const realpath = promisify(realpathCb.native)

/**
 * Limits concurrent operations of all adapters together, because they share the descriptors of the process. An operation holds at most
 * three or four descriptors, so 32 operations fit the smallest usual limit (256 on macOS). The thread pool runs far fewer operations at
 * once.
 */
const gate = createGate(32)

/** The opened root directory: runs operations on it and tracks its lifetime. */
interface Storage {
  readonly raceSafe: boolean
  /** Real path of the root. Undefined while the directory does not exist. */
  readonly root: string | undefined
  hostPath(path: string): string
  open(): Promise<void>
  /** Runs one operation on open storage. Every rejection is an `FsError` about `path` (and `dest`). */
  run<T>(op: string, path: string, work: (access: Access) => Promise<T>, dest?: string): Promise<T>
  /** Waits for running operations, then runs `last` and releases the root. */
  close(last: (access: Access) => Promise<void>): Promise<void>
}

export function createStorage(rootOption: string, raceSafeOption: 'auto' | false): Storage {
  const given = absolute(rootOption)
  const raceSafe = raceSafeOption !== false && hasProcAccess()
  let root = realDirectory(given)
  let access: Access | undefined
  let closing: Promise<void> | undefined
  let active = 0
  let idle: () => void = () => {}

  // After a failure, the next call retries, because the directory may be created later.
  const openRoot = startOnce(async (): Promise<Access> => {
    const real = await realpath(given)
    if (!statSync(real).isDirectory()) throw new Fault('ENOTDIR', 'the root is not a directory')
    // Fail if the root has moved, because host paths that start with its earlier real path may already be in use.
    if (root !== undefined && real !== root) throw new Fault('EIO', 'the root directory was moved or removed')
    root = real
    access = raceSafe ? createProcAccess(real) : createPathAccess(real)
    return access
  })

  async function opened(): Promise<Access> {
    try {
      return await openRoot()
    } catch (cause) {
      throw toFsError(cause, 'open', '/')
    }
  }

  async function tracked<T>(work: () => Promise<T>): Promise<T> {
    if (closing) throw new Fault('EIO', 'the storage is closed')
    active++
    try {
      return await gate.run(work)
    } finally {
      if (--active === 0) idle()
    }
  }

  return {
    raceSafe,
    get root() {
      return root
    },
    hostPath: (path) => toHost(root ?? given, path),
    async open() {
      try {
        await tracked(opened)
      } catch (cause) {
        throw toFsError(cause, 'open', '/')
      }
    },
    async run(op, path, work, dest) {
      try {
        checkPath(path)
        if (dest !== undefined) checkPath(dest)
        return await tracked(async () => persistently(work, access ?? (await opened())))
      } catch (cause) {
        throw toFsError(cause, op, path, dest)
      }
    },
    close(last) {
      closing ??= (async () => {
        if (active > 0) await new Promise<void>((resolve) => (idle = resolve))
        if (!access) return
        try {
          await last(access)
        } catch (cause) {
          throw toFsError(cause, 'close', '/')
        } finally {
          access.close()
        }
      })()
      return closing
    },
  }
}

/** Milliseconds to wait before each further attempt. */
const PAUSES = [0, 0, 0, 0, 1, 2, 4, 8, 16]

/**
 * Retries if the entry was replaced in the meantime. The number of attempts is limited: an entry that is swapped again and again fails with
 * EBUSY.
 */
async function persistently<T>(work: (access: Access) => Promise<T>, access: Access): Promise<T> {
  for (const pause of PAUSES) {
    try {
      return await work(access)
    } catch (cause) {
      if (!(cause instanceof MovedFault)) throw cause
    }
    if (pause > 0) await setTimeout(pause)
  }
  return work(access)
}

function realDirectory(path: string): string | undefined {
  try {
    const real = realpathSync.native(path)
    return statSync(real).isDirectory() ? real : undefined
  } catch {
    // `open` reports the error. The factory does not throw, because the directory may be created before the first call.
    return undefined
  }
}

/** Limits concurrent operations. Waiting operations start in order. */
interface Gate {
  run<T>(work: () => Promise<T>): Promise<T>
}

export function createGate(limit: number): Gate {
  let running = 0
  const waiting: (() => void)[] = []
  let next = 0

  function release(): void {
    const wake = waiting[next]
    if (!wake) {
      running--
      return
    }
    next++
    // `shift` would copy the whole queue each time.
    if (next * 2 > waiting.length) {
      waiting.splice(0, next)
      next = 0
    }
    // Pass the slot directly to the next operation, so that no later call overtakes it.
    wake()
  }

  return {
    async run(work) {
      if (running < limit) running++
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}

const lstat = promisify(lstatCb)

const realBytes = promisify((path: PathLike, done: (error: Error | null, real: Buffer) => void) => realpathCb.native(path, 'buffer', done))
// On case-insensitive systems, `realpath` returns the spelling that is on the disk.
const exact = process.platform !== 'darwin' && process.platform !== 'win32'
const fold = (path: string): string => (exact ? path : path.normalize('NFC').toLowerCase())

async function realPath(host: string): Promise<string> {
  const native = toNative(host)
  return typeof native === 'string' ? realpath(native) : textOf(await realBytes(native))
}

const sameEntry = (a: BigIntStats, b: BigIntStats): boolean => a.ino === b.ino && a.dev === b.dev

/**
 * Access by path, for systems that do not report the path of a descriptor. Checks every directory of the path before use, and the entry
 * again after opening it. This stops existing symlinks. It does not stop a process that swaps in a symlink at the right moment.
 */
function createPathAccess(root: string): Access {
  const pinned = lstatSync(root, { bigint: true })

  async function look(path: string): Promise<BigIntStats> {
    const host = toHost(root, path)
    const parent = path === '/' ? host : toHost(root, parentOf(path))
    const [real, stat, top] = await Promise.all([realPath(parent), lstat(toNative(host), { bigint: true }), lstat(root, { bigint: true })])
    if (!sameEntry(top, pinned)) throw new Fault('EIO', 'the root directory was moved or removed', '/')
    if (fold(real) !== fold(parent)) throw blame(root, path, new MovedFault())
    return stat
  }

  async function explained(path: string): Promise<BigIntStats> {
    try {
      return await look(path)
    } catch (cause) {
      const top = lstatSync(root, { bigint: true, throwIfNoEntry: false })
      if (!top || !sameEntry(top, pinned)) throw new Fault('EIO', 'the root directory was moved or removed', '/')
      throw cause instanceof Fault ? cause : blame(root, path, cause)
    }
  }

  return {
    raceSafe: false,
    async pin(path, freshness): Promise<Pin> {
      const host = toHost(root, path)
      const stat = await explained(path)
      const verify = async (): Promise<void> => {
        if (!sameEntry(await explained(path), stat)) throw new MovedFault()
      }
      return {
        stat,
        path: toNative(host),
        at: (name) => toNative(host.endsWith(sep) ? host + name : host + sep + name),
        async open(flags) {
          const fd = await open(toNative(host), flags | O_NOFOLLOW | O_NONBLOCK)
          try {
            // Do not compare with `stat`: a file that replaced the pinned file is fine, as long as the path still leads to it.
            const opened = fstatSync(fd, { bigint: true })
            if (sameEntry(opened, await explained(path))) return fd
            if (freshness === 'snapshot' && opened.nlink === 0n) return fd
            throw new MovedFault()
          } catch (cause) {
            closeSync(fd)
            throw cause
          }
        },
        verify,
        close: () => {},
      }
    },
    close: () => {},
  }
}
