import type { FsAdapter } from '../../src/types/fs.js'
import { Fault, toFsError, type Where } from '../shared/fault.js'
import { pageFactory } from '../shared/idb-requests.js'
import type { Files } from '../shared/node-like/files.js'
import { type NodeLikeMethods, nodeLikeMethods } from '../shared/node-like/methods.js'
import { checkOpenTimeout } from '../shared/open-timeout.js'
import type { LocksLike } from '../shared/web-lock.js'
import { faultOf } from './database.js'
import { type LightningFsClass, loadLibrary } from './library.js'
import { Reader } from './reader.js'
import { Session } from './session.js'
import type { Source, SourceOptions } from './source.js'

/** Options of `createLightningFs`. */
export interface LightningFsOptions {
  /** Name of the file system in this site, as for `new LightningFS(name)`. Existing databases of the library work unchanged. */
  readonly name: string
  /** The class that `@isomorphic-git/lightning-fs` exports. Default: the adapter imports the package when the storage opens. */
  readonly lightningFs?: LightningFsClass
  /** Returns the time for modification times, in milliseconds since the epoch. Default: the library's own clock. */
  readonly now?: () => number
  /** The factory that opens the database. Default: the global `indexedDB`. */
  readonly indexedDB?: IDBFactory
  /**
   * The locks that ensure a single writer. Default: `navigator.locks`, which only secure pages have (HTTPS or localhost). With `none`, you
   * must ensure a single user at a time yourself: two users would corrupt each other's data.
   */
  readonly locks?: LocksLike | 'none'
  /**
   * Maximum milliseconds to wait for the browser to open the database. After that, the call fails with EIO, and the next call tries again.
   * `Infinity` waits forever. Default: 15,000.
   */
  readonly openTimeoutMs?: number
  /**
   * What happens if another tab has the file system open. `refuse`: opening fails with EBUSY. `read-only`: the storage opens, shows the
   * changes that the other tab has stored, and rejects every write with EROFS until it is closed and opened again. Default: `refuse`.
   */
  readonly whenBusy?: WhenBusy
  /**
   * Called once, with a warning, if there are more than 5,000 files and directories, which make the library slow. Exceptions of this
   * function are ignored. Default: `console.warn`.
   */
  readonly onWarning?: (message: string) => void
}

/** An `FsAdapter` with all optional methods except those that need a real file system. */
export type LightningFs = FsAdapter &
  NodeLikeMethods &
  Required<Pick<FsAdapter, 'open' | 'usage'>> & {
    /** Whether the storage is read-only, because another tab had it open (`whenBusy: 'read-only'`). */
    readonly isReadOnly: boolean
  }

/**
 * Creates a storage in lightning-fs, in a page or a worker, for sites that already have such file systems. For new sites, the indexeddb
 * storage is faster and can hold more.
 *
 * When a change is acknowledged, it is only in memory. `flush()` stores all changes in one transaction. The runtime calls `flush()` at the
 * end of every tool call that may write. Without `flush()`, changes are stored when the page is hidden or left, after half a second without
 * a change, and when 8 MiB or 500 changes are unsaved.
 *
 * Only one page or worker at a time can write to the file system. While one has it open for writing, opening it elsewhere fails with EBUSY
 * at once, or returns a read-only storage (`whenBusy`). Opening fails with ENOTSUP if there is no IndexedDB (and no option `indexedDB`), if
 * there are no Web Locks (and no option `locks`), or if the database belongs to another program. If the stored directory tree is damaged,
 * opening fails with EIO and changes nothing.
 *
 * If the browser's storage is full, `flush()` fails with ENOSPC. A write or an append that would bring the unsaved changes above 8 MiB
 * or 500 also fails with ENOSPC, because the earlier changes cannot be stored first. Other changes still work, because a removal may free
 * space. The unsaved changes stay in memory, and the next `flush()` tries again. If another page deletes the database or steals the lock, every later call fails with EIO.
 *
 * @throws TypeError for an empty name, and an `openTimeoutMs` that is not positive
 */
export function createLightningFs(options: LightningFsOptions): LightningFs {
  const { name, whenBusy = 'refuse' } = { ...options }
  if (typeof name !== 'string' || name === '') throw new TypeError('Cannot make a storage: "name" is empty')
  const openTimeoutMs = checkOpenTimeout(options.openTimeoutMs)
  const storage = new Storage(() => sourceOptions({ ...options, openTimeoutMs }), whenBusy)
  return {
    ...nodeLikeMethods({
      look: (where, work) => storage.look(where, work),
      change: (where, work, bytes) => storage.change(where, work, bytes),
    }),
    name: 'lightning-fs',
    get isReadOnly() {
      return storage.isReadOnly
    },
    can: {
      mode: true,
      atomicReplace: true,
      dirRename: true,
      durableOnAck: false,
      caseSensitive: true,
      raceSafe: true,
      persistence: 'best-effort',
    },
    open: () => storage.use({ op: 'open', path: '/' }, async () => undefined),
    usage: () => storage.use({ op: 'measure', path: '/' }, (source) => source.usage()),
    flush: () => storage.flush(),
    close: () => storage.close(),
  }
}

type Checked = LightningFsOptions & Pick<SourceOptions, 'openTimeoutMs'>

/** Checks what the environment provides. Called on opening, not before, so that the adapter can be created everywhere. */
function sourceOptions({ name, lightningFs, now, indexedDB, openTimeoutMs, locks, onWarning = warn }: Checked): SourceOptions {
  const factory = indexedDB ?? pageFactory()
  if (!factory) throw new Fault('ENOTSUP', 'there is no IndexedDB here')
  const page: { readonly navigator?: { readonly locks?: LocksLike } } = globalThis
  // Check this here, because the library uses `navigator` without checking whether it exists.
  if (!page.navigator) throw new Fault('ENOTSUP', 'this is no page and no worker of one')
  const held = locks ?? page.navigator.locks
  if (!held) throw new Fault('ENOTSUP', 'there are no Web Locks here: serve the page from HTTPS or localhost, or pass "locks"')
  return {
    name,
    factory,
    openTimeoutMs,
    locks: held === 'none' ? undefined : held,
    now,
    load: lightningFs ? async () => lightningFs : loadLibrary,
    onWarning,
  }
}

function warn(message: string): void {
  console.warn(message)
}

type WhenBusy = 'refuse' | 'read-only'

/** Opens the database on the first call, and converts all errors. After a failed opening, the next call retries. */
class Storage {
  readonly #options: () => SourceOptions
  readonly #whenBusy: WhenBusy
  #source: Source | undefined
  #opening: Promise<Source> | undefined
  #closing: Promise<void> | undefined

  /** @param options called when the storage opens */
  constructor(options: () => SourceOptions, whenBusy: WhenBusy) {
    this.#options = options
    this.#whenBusy = whenBusy
  }

  get isReadOnly(): boolean {
    return this.#source?.isReadOnly ?? false
  }

  look<T>(where: Where, work: (files: Files) => Promise<T>): Promise<T> {
    return this.use(where, (source) => source.look(work))
  }

  change(where: Where, work: (files: Files) => Promise<void>, bytes = 0): Promise<void> {
    return this.use(where, (source) => source.change(work, bytes))
  }

  /** @throws {FsError} for any error */
  async use<T>(where: Where, work: (source: Source) => Promise<T>): Promise<T> {
    try {
      if (this.#closing) throw new Fault('EIO', 'the storage is closed')
      return await work(this.#source ?? (await this.#open()))
    } catch (cause) {
      throw toFsError(cause, where, faultOf)
    }
  }

  /** Stores all changes. Before the storage is opened, there is nothing to store. */
  flush(): Promise<void> {
    if (!this.#closing && !this.#source && !this.#opening) return Promise.resolve()
    return this.use({ op: 'flush', path: '/' }, (source) => source.flush())
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#opening?.catch(() => undefined)
    try {
      await this.#source?.close()
    } catch (cause) {
      throw toFsError(cause, { op: 'close', path: '/' }, faultOf)
    }
  }

  #open(): Promise<Source> {
    this.#opening ??= this.#openSource()
    return this.#opening
  }

  async #openSource(): Promise<Source> {
    try {
      this.#source = await this.#openAs()
      return this.#source
    } finally {
      this.#opening = undefined
    }
  }

  async #openAs(): Promise<Source> {
    const options = this.#options()
    try {
      return await Session.open(options)
    } catch (cause) {
      if (this.#whenBusy !== 'read-only' || !(cause instanceof Fault) || cause.code !== 'EBUSY') throw cause
      return Reader.open(options)
    }
  }
}
