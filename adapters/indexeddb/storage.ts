import { databaseFault } from '../shared/database.js'
import { Fault, toFsError, type Where } from '../shared/fault.js'
import type { FirstFiles } from '../shared/first-files.js'
import { answer } from '../shared/idb-requests.js'
import { Change } from './change.js'
import { write } from './contents.js'
import { mkdir } from './entries.js'
import type { JournalRecord } from './nodes.js'
import { piecesOf } from './parts.js'
import { JOURNAL, openDatabase, PARTS } from './schema.js'
import { Notices } from './tab-notices.js'
import { Connection, type ConnectionOptions, type View } from './transactions.js'
import { Tree } from './tree.js'

interface Look {
  readonly kind: 'look'
  run(source: Connection | Reader): void
  fail(cause: unknown): void
}

interface Write {
  readonly kind: 'write'
  /** Number of bytes that the call holds in memory. */
  readonly weight: number
  apply(change: Change): void
  done(): void
  fail(cause: unknown): void
}

/** Maximum number of calls per transaction. A transaction also takes no more calls once they hold BATCH_BYTES bytes. */
const BATCH_CALLS = 1000
const BATCH_BYTES = 16 * 1024 * 1024

/**
 * Runs calls in order. Combines waiting changes into one transaction, and resolves their calls when the transaction is complete. A read
 * waits for earlier transactions, so that it never sees data that may be rolled back.
 */
export class Storage {
  readonly #options: () => ConnectionOptions
  readonly #queue: (Look | Write)[] = []
  /** The initial files, until they were written or turned out not to be needed. */
  #first: FirstFiles | undefined
  #source: Connection | Reader | undefined
  #working: Promise<void> | undefined
  #closing: Promise<void> | undefined

  /**
   * @param options called when the storage opens
   * @param first initial files, written before anything else if the storage is empty
   */
  constructor(options: () => ConnectionOptions, first: FirstFiles | undefined) {
    this.#options = options
    this.#first = first
  }

  /** Whether the storage is open in read-only mode. */
  get isReadOnly(): boolean {
    return this.#source?.isReadOnly ?? false
  }

  /** @throws {FsError} for any error of `work` */
  async look<T>(where: Where, work: (view: View) => T | Promise<T>): Promise<T> {
    try {
      if (this.#source && !this.#working) return await this.#usable(this.#source).look(work)
      return await new Promise<T>((resolve, fail) => {
        const run = (source: Connection | Reader): void => {
          try {
            resolve(source.look(work))
          } catch (cause) {
            fail(cause)
          }
        }
        this.#enqueue({ kind: 'look', run, fail })
      })
    } catch (cause) {
      throw toFsError(cause, where, databaseFault)
    }
  }

  /** @throws {FsError} for any error of `apply`, and if the transaction fails, which changes nothing */
  async change(where: Where, apply: (change: Change) => void, weight = 0): Promise<void> {
    try {
      await new Promise<void>((done, fail) => this.#enqueue({ kind: 'write', weight, apply, done, fail }))
    } catch (cause) {
      throw toFsError(cause, where, databaseFault)
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#working
    try {
      if (this.#source && !this.#source.isReadOnly && !this.#source.lost) await this.#source.sync()
    } catch (cause) {
      throw toFsError(cause, { op: 'close', path: '/' }, databaseFault)
    } finally {
      await this.#source?.close()
      this.#source = undefined
    }
  }

  #enqueue(call: Look | Write): void {
    if (this.#closing) throw new Fault('EIO', 'the storage is closed')
    this.#queue.push(call)
    this.#working ??= this.#work()
  }

  /** Runs the waiting calls until there are none. Never rejects. */
  async #work(): Promise<void> {
    try {
      // Wait first, so that calls of the same tick join one transaction, and `#working` is set before the work can end.
      await undefined
      this.#source ??= await this.#open()
      while (this.#queue.length > 0) await this.#next(this.#usable(this.#source))
    } catch (cause) {
      for (const call of this.#queue.splice(0)) call.fail(cause)
    } finally {
      this.#working = undefined
    }
  }

  async #open(): Promise<Connection | Reader> {
    const source = await open(this.#options())
    const first = this.#first
    if (!first || source.isReadOnly) return source
    try {
      await new Promise<void>((done, fail) => {
        void commit(source, [{ kind: 'write', weight: 0, apply: (change) => addFirst(change, first), done, fail }])
      })
    } catch (cause) {
      await source.close()
      throw cause
    }
    this.#first = undefined
    return source
  }

  #usable(source: Connection | Reader): Connection | Reader {
    if (this.#closing && !this.#working) throw new Fault('EIO', 'the storage is closed')
    if (source.lost) throw source.lost
    return source
  }

  #next(source: Connection | Reader): Promise<void> | undefined {
    let looks = 0
    while (this.#queue[looks]?.kind === 'look') looks++
    if (looks > 0) {
      for (const call of this.#queue.splice(0, looks)) if (call.kind === 'look') call.run(source)
      return undefined
    }
    const batch: Write[] = []
    let weight = 0
    for (const call of this.#queue) {
      if (call.kind === 'look' || batch.length === BATCH_CALLS || weight >= BATCH_BYTES) break
      batch.push(call)
      weight += call.weight
    }
    this.#queue.splice(0, batch.length)
    if (!source.isReadOnly) return commit(source, batch)
    for (const call of batch) call.fail(new Fault('EROFS', 'it is open for writing in another tab, or in this one'))
    return undefined
  }
}

async function open(options: ConnectionOptions): Promise<Connection | Reader> {
  try {
    return await Connection.open(options)
  } catch (cause) {
    if (!(options.whenBusy === 'read-only' && cause instanceof Fault && cause.code === 'EBUSY')) throw cause
    return Reader.open(options)
  }
}

async function commit(connection: Connection, batch: readonly Write[]): Promise<void> {
  const changes: Change[] = []
  const settle: (() => void)[] = []
  for (const call of batch) {
    const change = new Change(connection.tree)
    try {
      call.apply(change)
      if (!change.isEmpty) changes.push(change)
      settle.push(call.done)
    } catch (cause) {
      change.undo()
      settle.push(() => call.fail(cause))
    }
  }
  try {
    if (changes.length > 0) await connection.store(changes)
  } catch (cause) {
    for (const change of changes.reverse()) change.undo()
    // Retry the calls one by one, so that a call that does not fit does not make the others fail.
    if (batch.length > 1) for (const call of batch) await commit(connection, [call])
    else for (const call of batch) call.fail(cause)
    return
  }
  for (const each of settle) each()
}

/** Writes the initial files into an empty storage, all or none. */
function addFirst(change: Change, { dirs, files }: FirstFiles): void {
  if (change.tree.root.entries.size > 0) return
  for (const path of dirs) mkdir(change, path)
  for (const { path, bytes } of files) write(change, path, piecesOf(bytes), 'always')
}

/** The index after a record of the journal. `last`: the key of that record. */
interface Moment {
  readonly last: IDBValidKey | undefined
  readonly tree: Tree
}

/**
 * Reads a store that another tab writes. Each read is one transaction over index and content, so it sees a consistent state: the state
 * after complete calls of the writer, never older than what an earlier read saw.
 */
class Reader {
  readonly isReadOnly = true
  lost: Fault | undefined
  readonly #options: ConnectionOptions
  readonly #db: IDBDatabase
  readonly #notices: Notices
  #newest: Moment | undefined

  /** @throws {Fault} */
  static async open(options: ConnectionOptions): Promise<Reader> {
    return new Reader(options, await openDatabase(options))
  }

  private constructor(options: ConnectionOptions, db: IDBDatabase) {
    this.#options = options
    this.#db = db
    this.#notices = new Notices(options.name, () => {
      if (!this.lost) options.onChange()
    })
    db.onversionchange = () => this.#lose('another page deletes it or brings it up to date')
    db.onclose = () => this.#lose('the browser took it away')
  }

  #lose(why: string): void {
    this.lost ??= new Fault('EIO', why)
    this.#db.close()
    this.#notices.close()
  }

  async look<T>(work: (view: View) => T | Promise<T>): Promise<T> {
    const transaction = this.#db.transaction([PARTS, JOURNAL])
    const tree = await this.#treeIn(transaction.objectStore(JOURNAL))
    return work({ tree, parts: () => transaction.objectStore(PARTS), sync: async () => undefined })
  }

  /**
   * Returns the index as this transaction sees it. Overlapping transactions may see different states, so an older index must not replace a
   * newer one in the cache.
   */
  async #treeIn(journal: IDBObjectStore): Promise<Tree> {
    const last = (await answer(journal.openKeyCursor(null, 'prev')))?.key
    if (this.#newest && this.#newest.last === last) return this.#newest.tree
    const records: JournalRecord[] = await answer(journal.getAll())
    const tree = new Tree(records, this.#options.now)
    if (!this.#newest || Number(this.#newest.last) < Number(last)) this.#newest = { last, tree }
    return tree
  }

  async close(): Promise<void> {
    this.#db.close()
    this.#notices.close()
  }
}
