import { databaseFault, endsConnection } from '../shared/database.js'
import { Fault } from '../shared/fault.js'
import { answer, completion } from '../shared/idb-requests.js'
import { type LocksLike, type Release, takeLock } from '../shared/web-lock.js'
import { type Change, type PartStep, recordOf } from './change.js'
import type { JournalRecord } from './nodes.js'
import { doSteps } from './parts.js'
import { JOURNAL, type OpeningOptions, openDatabase, PARTS } from './schema.js'
import { Notices } from './tab-notices.js'
import { Tree } from './tree.js'

export interface ConnectionOptions extends OpeningOptions {
  readonly durability: 'relaxed' | 'strict'
  /** The locks that ensure a single writer. Undefined if the host itself ensures this. */
  readonly locks: LocksLike | undefined
  /** What to do if another tab has the store open: fail, or open the store read-only. */
  readonly whenBusy: 'refuse' | 'read-only'
  /** In read-only mode, called after another tab has changed the store. */
  readonly onChange: () => void
}

/** What a read can use: the index, and the content that matches it. */
export interface View {
  readonly tree: Tree
  /** Returns the content store, in a transaction that stays open while requests are pending. */
  parts(): IDBObjectStore
  sync(): Promise<void>
}

/**
 * `store` rewrites the journal when the journal would have more rows than twice the number of index entries plus this number. So a rewrite
 * costs about as much as the appends since the previous rewrite.
 */
const SLACK = 2048
const ROWS_PER_RECORD = 1000

/** The open database, with its lock and its index. */
export class Connection implements View {
  readonly isReadOnly = false
  readonly db: IDBDatabase
  readonly tree: Tree
  /** The reason why the connection can no longer be used, or undefined while it can be used. */
  lost: Fault | undefined
  readonly #options: ConnectionOptions
  readonly #release: Release | undefined
  readonly #notices: Notices
  /** Number of rows in the journal. */
  #rows: number
  /** Whether all writes are on disk. False at first, because an earlier page may have left writes that are not. */
  #isSynced = false

  /** @throws {Fault} */
  static async open(options: ConnectionOptions): Promise<Connection> {
    let connection: Connection | undefined
    let lost: Fault | undefined
    const lose = (why: string): void => {
      lost ??= new Fault('EIO', why)
      connection?.lose(lost)
    }
    const release = options.locks && (await takeLock(options.locks, options.name, () => lose('another page took it over')))
    let db: IDBDatabase | undefined
    try {
      db = await openDatabase(options)
      // Set this handler at once: without it, another page that deletes the database would wait forever.
      db.onversionchange = () => {
        db?.close()
        lose('another page deletes it or brings it up to date')
      }
      db.onclose = () => lose('the browser took it away')
      const records: JournalRecord[] = await answer(db.transaction(JOURNAL).objectStore(JOURNAL).getAll())
      connection = new Connection(options, db, release, records)
      if (lost !== undefined) connection.lose(lost)
      return connection
    } catch (cause) {
      db?.close()
      await release?.()
      throw cause
    }
  }

  private constructor(options: ConnectionOptions, db: IDBDatabase, release: Release | undefined, records: readonly JournalRecord[]) {
    this.#options = options
    this.#release = release
    this.db = db
    this.tree = new Tree(records, options.now)
    this.#rows = records.reduce((sum, { length }) => sum + length, 0)
    this.#notices = new Notices(options.name)
  }

  look<T>(work: (view: View) => T | Promise<T>): T | Promise<T> {
    return work(this)
  }

  parts(): IDBObjectStore {
    return this.db.transaction(PARTS).objectStore(PARTS)
  }

  /** Closes the connection. Running transactions still finish, later calls fail. */
  lose(why: Fault): void {
    this.lost ??= why
    this.db.close()
    this.#notices.close()
    void this.#release?.()
  }

  /** Stores the changes in one transaction. If the promise rejects, the store is unchanged. */
  async store(changes: readonly Change[]): Promise<void> {
    const steps = changes.flatMap((change) => change.steps)
    const record = recordOf(changes)
    if (this.#rows + record.length <= 2 * this.tree.files + SLACK) return this.#note(steps, record, false)
    try {
      await this.#note(steps, this.tree.rows(), true)
    } catch {
      // Store only the changes if the whole index does not fit: on a full storage, it must still be possible to remove files.
      await this.#note(steps, record, false)
    }
  }

  /** Runs the steps and writes rows to the journal: adds them, or, with `isAnew`, replaces the whole journal with them. */
  async #note(steps: readonly PartStep[], rows: JournalRecord, isAnew: boolean): Promise<void> {
    await this.#write(this.#options.durability, async (parts, journal) => {
      await doSteps(parts, steps)
      if (isAnew) journal.clear()
      for (let at = 0; at < rows.length; at += ROWS_PER_RECORD) journal.add(rows.slice(at, at + ROWS_PER_RECORD))
    })
    this.#rows = isAnew ? rows.length : this.#rows + rows.length
    this.#isSynced = this.#options.durability === 'strict'
    this.#notices.tell()
  }

  /** Waits until all writes are on disk, by means of a strict transaction, which also waits for all earlier writes. */
  async sync(): Promise<void> {
    if (this.#isSynced) return
    await this.#write('strict', async (parts) => void parts.put(new Uint8Array(0), ''))
    this.#isSynced = true
  }

  async #write(
    durability: IDBTransactionDurability,
    work: (parts: IDBObjectStore, journal: IDBObjectStore) => Promise<void>,
  ): Promise<void> {
    if (this.lost) throw this.lost
    const transaction = this.db.transaction([PARTS, JOURNAL], 'readwrite', { durability })
    const done = completion(transaction)
    try {
      await work(transaction.objectStore(PARTS), transaction.objectStore(JOURNAL))
      transaction.commit()
    } catch (cause) {
      await rollBack(transaction, done)
      // If the browser itself rolled back the transaction, `transaction.error` is the actual cause.
      throw this.#failed(transaction.error ?? cause)
    }
    await done.catch((cause) => {
      throw this.#failed(cause)
    })
  }

  #failed(cause: unknown): Fault {
    const fault = databaseFault(cause)
    if (endsConnection(cause)) this.lose(fault)
    return fault
  }

  async close(): Promise<void> {
    this.db.close()
    this.#notices.close()
    await this.#release?.()
  }
}

async function rollBack(transaction: IDBTransaction, done: Promise<void>): Promise<void> {
  try {
    transaction.abort()
  } catch {
    // Ignored: the transaction was already rolled back.
  }
  await done.catch(() => undefined)
}
