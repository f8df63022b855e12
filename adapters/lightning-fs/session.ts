import type { FsUsage } from '../../src/types/fs.js'
import { databaseFault, endsConnection } from '../shared/database.js'
import { Fault } from '../shared/fault.js'
import { Files } from '../shared/node-like/files.js'
import { Versions } from '../shared/node-like/versions.js'
import { ReadWriteLock } from '../shared/read-write-lock.js'
import { type Release, takeLock } from '../shared/web-lock.js'
import { loadTree, openDatabase, storeOf } from './database.js'
import { lockOf, startLibrary } from './library.js'
import type { Source, SourceOptions } from './source.js'
import { Store } from './store.js'
import { countOf } from './superblock.js'

/** When the unsaved changes in memory would exceed these bytes, or reach this number, they are stored without a call of `flush`. */
const MOST_BYTES = 8 * 1024 * 1024
const MOST_CHANGES = 500
/** Number of entries above which the storage warns, because for every new entry the library searches its whole tree. */
const MANY = 5000

/** The names of the storages that are open in this page, so that a second opening fails even with `locks: 'none'`. */
const open = new WeakMap<IDBFactory, Set<string>>()

/** @throws {Fault} EBUSY */
function claim(factory: IDBFactory, name: string): () => void {
  const names = open.get(factory) ?? new Set()
  open.set(factory, names)
  if (names.has(name)) throw new Fault('EBUSY', 'it is open already in this page: close the other one, or share it')
  names.add(name)
  return () => void names.delete(name)
}

/** The database and the library that uses it. Only one session at a time can use a database. */
export class Session implements Source {
  readonly isReadOnly = false
  lost: Fault | undefined
  readonly #options: SourceOptions
  readonly #db: IDBDatabase
  readonly #store: Store
  readonly #files: Files
  readonly #letGo: Release
  readonly #lock = new ReadWriteLock()
  readonly #forget: () => void
  #isClosed = false
  /** Number of entries or more, kept only until the warning was issued. */
  #entries: number
  #isWarned = false

  /** @throws {Fault} EBUSY at once if it is already open; ENOTSUP, EIO */
  static async open(options: SourceOptions): Promise<Session> {
    const { factory, name, locks, now = Date.now } = options
    let session: Session | undefined
    let lost: Fault | undefined
    const lose = (why: string): void => {
      lost ??= new Fault('EIO', why)
      if (session) session.#lose(lost)
    }
    const unclaim = claim(factory, name)
    let release: Release | undefined
    let db: IDBDatabase | undefined
    let gone: Promise<void> | undefined
    const letGo = (): Promise<void> => {
      // Release the lock only once: later, another user may hold it.
      gone ??= (async () => {
        db?.close()
        unclaim()
        await release?.()
      })()
      return gone
    }
    try {
      // Take the library's own lock, to exclude also pages that use the library without this adapter.
      if (locks) release = await takeLock(locks, lockOf(name), () => lose('another page took it over'))
      const LightningFs = await options.load()
      db = await openDatabase(options)
      db.onversionchange = () => {
        db?.close()
        lose('another page deletes the database')
      }
      db.onclose = () => lose('the browser took it away')
      const tree = await loadTree(db.transaction(storeOf(name)).objectStore(storeOf(name)), now)
      const store = new Store(db, storeOf(name), tree, () => {
        if (session) session.#save()
      })
      await store.dropOrphans()
      const promises = await startLibrary(LightningFs, store, name)
      const files = new Files({ promises, root: '/', now: options.now, versions: new Versions(), keepsModes: true })
      session = new Session(options, db, store, files, letGo)
      if (lost !== undefined) session.#lose(lost)
      return session
    } catch (cause) {
      await letGo()
      throw cause
    }
  }

  private constructor(options: SourceOptions, db: IDBDatabase, store: Store, files: Files, letGo: Release) {
    this.#options = options
    this.#db = db
    this.#store = store
    this.#files = files
    this.#letGo = letGo
    this.#entries = countOf(store.tree).files
    this.#forget = onLeaving(() => this.#save())
    this.#warn()
  }

  look<T>(work: (files: Files) => Promise<T>): Promise<T> {
    return this.#lock.shared(() => {
      this.#checkUsable()
      return work(this.#files)
    })
  }

  change(work: (files: Files) => Promise<void>, bytes: number): Promise<void> {
    return this.#lock.alone(async () => {
      this.#checkUsable()
      await this.#makeRoom(bytes)
      this.#store.willChange()
      this.#entries++
      try {
        await work(this.#files)
      } finally {
        this.#warn()
      }
    })
  }

  usage(): Promise<FsUsage> {
    return this.look(async () => countOf(this.#store.tree))
  }

  flush(): Promise<void> {
    return this.#lock.alone(async () => {
      this.#checkUsable()
      await this.#commit('strict')
    })
  }

  close(): Promise<void> {
    return this.#lock.alone(async () => {
      try {
        if (!this.lost) await this.#commit('strict')
      } finally {
        this.#end()
        await this.#letGo()
      }
    })
  }

  async #commit(durability: 'relaxed' | 'strict'): Promise<void> {
    try {
      await this.#store.commit(durability)
    } catch (cause) {
      if (endsConnection(cause)) this.#lose(databaseFault(cause))
      throw cause
    }
  }

  /** Stores the changes. Ignores failures: the changes stay in memory, and the next `flush` reports the error. */
  #save(): void {
    if (this.#isClosed) return
    this.#lock
      .alone(async () => {
        if (!this.#isClosed) await this.#commit('relaxed')
      })
      .catch(() => undefined)
  }

  /**
   * Stores the waiting changes if there are too many. If that fails, they stay in memory. In this case, only changes that need no more
   * memory continue, because a removal may free space.
   */
  async #makeRoom(bytes: number): Promise<void> {
    const { waiting } = this.#store
    if (waiting.changes < MOST_CHANGES && (waiting.changes === 0 || waiting.bytes + bytes <= MOST_BYTES)) return
    try {
      await this.#commit('relaxed')
    } catch (cause) {
      if (bytes > 0) throw cause
    }
  }

  #warn(): void {
    if (this.#isWarned || this.#entries <= MANY) return
    this.#entries = countOf(this.#store.tree).files
    if (this.#entries <= MANY) return
    this.#isWarned = true
    try {
      this.#options.onWarning(
        `The lightning-fs storage "${this.#options.name}" holds more than ${MANY} files and directories: each one that is made takes longer than the one before. Use the indexeddb storage for as many.`,
      )
    } catch {
      // An exception in the listener must not fail the change.
    }
  }

  #checkUsable(): void {
    if (this.lost) throw this.lost
  }

  #lose(why: Fault): void {
    this.lost ??= why
    this.#end()
    void this.#letGo()
  }

  #end(): void {
    this.#isClosed = true
    this.#forget()
    this.#db.close()
  }
}

/** The globals whose events signal that the page ends. A worker has neither of them, and gets no such event. */
interface PageLike {
  readonly document?: EventTarget & { readonly visibilityState: string }
  readonly window?: EventTarget
}

/** Calls `leave` whenever the page is hidden or left, until the returned function is called. */
function onLeaving(leave: () => void): () => void {
  const { document, window }: PageLike = globalThis
  const hidden = (): void => {
    if (document?.visibilityState === 'hidden') leave()
  }
  document?.addEventListener('visibilitychange', hidden)
  window?.addEventListener('pagehide', leave)
  return () => {
    document?.removeEventListener('visibilitychange', hidden)
    window?.removeEventListener('pagehide', leave)
  }
}
