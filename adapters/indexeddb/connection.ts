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
  /** None: the host answers for there being one user only. */
  readonly locks: LocksLike | undefined
  /** Of a store that is in use: refuse it, or look on. */
  readonly whenBusy: 'refuse' | 'read-only'
  /** Told when somebody else has changed what is looked on at. */
  readonly onChange: () => void
}

/** What a look sees: the index, and the content that belongs to it. */
export interface View {
  readonly tree: Tree
  /** The content, in a transaction that is open as long as requests are made of it. */
  parts(): IDBObjectStore
  sync(): Promise<void>
}

/** More rows than the index has twice over are not kept: then it is written anew. Its cost is that of the rows before it. */
const SLACK = 2048
const ROWS_PER_RECORD = 1000

/** The open database, the lock on it, and the index that it holds. */
export class Connection implements View {
  readonly isReadOnly = false
  readonly db: IDBDatabase
  readonly tree: Tree
  /** Why it cannot be used any more. */
  lost: Fault | undefined
  readonly #options: ConnectionOptions
  readonly #release: Release | undefined
  readonly #notices: Notices
  /** In the journal. */
  #rows: number
  /** An earlier page may have left what is not on the disk yet. */
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
      // From the first moment: whoever deletes the database would wait for it for ever.
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

  /** What is under way ends as it will; nothing more begins. */
  lose(why: Fault): void {
    this.lost ??= why
    this.db.close()
    this.#notices.close()
    void this.#release?.()
  }

  /** Stores the changes in one transaction. When it rejects, the store is as it was. */
  async store(changes: readonly Change[]): Promise<void> {
    const steps = changes.flatMap((change) => change.steps)
    const record = recordOf(changes)
    if (this.#rows + record.length <= 2 * this.tree.files + SLACK) return this.#note(steps, record, false)
    try {
      await this.#note(steps, this.tree.rows(), true)
    } catch {
      // The whole index may not fit where a little more does: else nothing could be removed to make room for it.
      await this.#note(steps, record, false)
    }
  }

  /** Does the steps and adds the rows to the journal, in place of all that is in it or behind that. */
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

  /** A browser that is asked to wait for the disk waits for everything that it wrote before, too. */
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
      // There when it was rolled back by itself: then what a request said is only a consequence.
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
    // It was rolled back before.
  }
  await done.catch(() => undefined)
}
