import type { FsAdapter, FsEntry, FsStat, FsUsage } from '../../src/types/fs.js'
import { Fault, toFsError, type Where } from '../shared/fault.js'
import { planFiles } from '../shared/first-files.js'
import { checkOpenTimeout } from '../shared/open-timeout.js'
import { isPersisted, requestPersistence } from '../shared/persistence.js'
import type { LocksLike } from '../shared/web-lock.js'
import { Connection, type ConnectionOptions } from './connection.js'
import { faultOf } from './faults.js'
import type { OpfsOptions } from './options.js'

/**
 * All optional methods except those that need symlinks, modes, settable times or a real file system, which the browser does not support.
 */
export type OpfsFs = FsAdapter &
  Required<Pick<FsAdapter, 'open' | 'append' | 'copy' | 'rmTree' | 'usage'>> & {
    /** Whether the browser promised not to clear this site's data when it needs room. Never rejects. */
    persisted(): Promise<boolean>
  }

/**
 * Creates a storage in the browser's origin private file system, in a page or a dedicated worker. Each file of the workspace is one file of
 * the browser, in a directory that only this storage may use. The files survive a reload, unless the user or the browser clears the site's
 * data.
 *
 * The storage runs in a worker of its own. Replacing the content of a file happens completely or not at all. In browsers that can move
 * files (`can.durableOnAck`), the content is on disk when a call is acknowledged. To rename a directory, the storage moves each file
 * (`can.dirRename` is false). After a crash, the next opening completes the rename.
 *
 * Only one page or worker can use the storage at a time: while the storage is open, opening it elsewhere fails with EBUSY at once. Opening
 * fails with ENOTSUP without this file system, workers or Web Locks, and for files that a later version of this library made. A full
 * storage fails with ENOSPC and changes nothing. If the worker ends or another page steals the lock, running and later calls fail with EIO.
 *
 * @throws TypeError for an empty name, invalid `files`, and an `openTimeoutMs` that is not positive
 */
export function createOpfs(options: OpfsOptions): OpfsFs {
  const { name, files = {}, persist = false } = { ...options }
  if (typeof name !== 'string' || name === '') throw new TypeError('Cannot make a storage: "name" is empty')
  planFiles(files)
  const openTimeoutMs = checkOpenTimeout(options.openTimeoutMs)
  const session = new Session({ ...options, openTimeoutMs }, persist ? requestPersistence : async () => false)
  return {
    name: 'opfs',
    can: {
      mode: false,
      atomicReplace: true,
      dirRename: false,
      // Without `move`, the browser decides when content is written to disk.
      durableOnAck: canMove(),
      caseSensitive: true,
      raceSafe: true,
      persistence: 'best-effort',
    },
    open: () => session.call({ op: 'open', path: '/' }, 'flush', []) as Promise<void>,
    lstat: (path) => session.call({ op: 'stat', path }, 'lstat', [path]) as Promise<FsStat>,
    readdir: (path) => session.call({ op: 'list', path }, 'readdir', [path]) as Promise<FsEntry[]>,
    read: (path, options) => session.call({ op: 'read', path }, 'read', [path, { ...options }]) as Promise<Uint8Array>,
    write: async (path, bytes, { create = 'always' } = {}) => session.send({ op: 'write', path }, 'write', bytes, [create]),
    mkdir: (path) => session.call({ op: 'make directory', path }, 'mkdir', [path]) as Promise<void>,
    unlink: (path) => session.call({ op: 'remove', path }, 'unlink', [path]) as Promise<void>,
    rmdir: (path) => session.call({ op: 'remove', path }, 'rmdir', [path]) as Promise<void>,
    rename: (from, to) => session.call({ op: 'move', path: from, dest: to }, 'rename', [from, to]) as Promise<void>,
    flush: () => session.call({ op: 'flush', path: '/' }, 'flush', []) as Promise<void>,
    close: () => session.close(),
    append: async (path, bytes) => session.send({ op: 'append to', path }, 'append', bytes, []),
    copy: (from, to) => session.call({ op: 'copy', path: from, dest: to }, 'copy', [from, to]) as Promise<void>,
    rmTree: (path) => session.call({ op: 'remove', path }, 'rmTree', [path]) as Promise<void>,
    usage: () => session.call({ op: 'measure', path: '/' }, 'usage', []) as Promise<FsUsage>,
    persisted: isPersisted,
  }
}

type CheckedOptions = OpfsOptions & Pick<ConnectionOptions, 'openTimeoutMs'>

/** A page's use of the storage. The first call opens the storage. After a failure, the next call retries. */
class Session {
  readonly #options: CheckedOptions
  readonly #atOpening: () => Promise<unknown>
  readonly #underWay = new Set<Promise<unknown>>()
  #connection: Promise<Connection> | undefined
  #closing: Promise<void> | undefined

  /** @param atOpening called when the storage has opened, before the first call continues */
  constructor(options: CheckedOptions, atOpening: () => Promise<unknown>) {
    this.#options = options
    this.#atOpening = atOpening
  }

  /** @throws {FsError} for any error */
  async call(where: Where, method: string, args: readonly unknown[], transfer: Transferable[] = []): Promise<unknown> {
    const call = this.#open().then((connection) => connection.call(method, args, transfer))
    this.#underWay.add(call)
    try {
      return await call
    } catch (cause) {
      throw toFsError(cause, where, (other) => faultOf(other, method))
    } finally {
      this.#underWay.delete(call)
    }
  }

  /** Like `call`, with bytes, which are copied before this method returns. */
  async send(where: Where, method: string, bytes: Uint8Array, args: readonly unknown[]): Promise<void> {
    const own = new Uint8Array(bytes)
    await this.call(where, method, [where.path, own, ...args], [own.buffer])
  }

  async #open(): Promise<Connection> {
    if (this.#closing) throw new Fault('EIO', 'the storage is closed')
    if (!this.#connection) {
      const opening = this.#connect()
      this.#connection = opening
      opening.catch(() => {
        if (this.#connection === opening) this.#connection = undefined
      })
    }
    return this.#connection
  }

  async #connect(): Promise<Connection> {
    const connection = await Connection.open(connectionOptions(this.#options))
    await this.#atOpening()
    return connection
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#underWay)
    const connection = await this.#connection?.catch(() => undefined)
    await connection?.close()
  }
}

/** Checks what the environment provides. Called on opening, not before, so that the adapter can be created everywhere. */
function connectionOptions({ name, files = {}, openTimeoutMs, worker, locks }: CheckedOptions): ConnectionOptions {
  const page = checkPage()
  const held = locks ?? page.locks
  if (!held) throw new Fault('ENOTSUP', 'there are no Web Locks here: serve the page from HTTPS or localhost, or pass "locks"')
  if (!worker) page.checkWorker()
  return { name, files, openTimeoutMs, worker: worker ?? startOwnWorker, locks: held === 'none' ? undefined : held }
}

/** The globals that are checked. Any of them may be missing. */
interface Page {
  readonly isSecureContext?: boolean
  readonly Worker?: unknown
  readonly navigator?: { readonly locks?: LocksLike; readonly storage?: { readonly getDirectory?: unknown } }
  readonly FileSystemFileHandle?: { readonly prototype: object }
}

const page = (): Page => globalThis as unknown as Page

/** @throws {Fault} ENOTSUP that names the missing feature */
function checkPage(): { readonly locks: LocksLike | undefined; checkWorker(): void } {
  const { isSecureContext, navigator, FileSystemFileHandle } = page()
  if (isSecureContext === false) {
    throw new Fault('ENOTSUP', 'browsers have the origin private file system on secure pages only: serve it from HTTPS or localhost')
  }
  if (!FileSystemFileHandle || typeof navigator?.storage?.getDirectory !== 'function') {
    throw new Fault('ENOTSUP', 'there is no origin private file system here. It is in browsers only, and not in every private window')
  }
  return { locks: navigator.locks, checkWorker }
}

function checkWorker(): void {
  if (typeof page().Worker !== 'function') throw new Fault('ENOTSUP', 'no dedicated worker can be started here: open it in a page')
}

/** Returns whether the browser can move files. Looks at the prototype, so that no file must be created. */
function canMove(): boolean {
  const prototype = page().FileSystemFileHandle?.prototype
  return prototype !== undefined && 'move' in prototype
}

// Bundlers recognise only exactly this expression.
const startOwnWorker = (): Worker => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
