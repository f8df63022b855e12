import { Fault, toFsError } from './faults.js'
import { createQueries, type Queries } from './queries.js'
import { migrate } from './schema.js'
import type { DurableSqlLike, DurableStorageLike, SqlRow, SqlValue } from './storage-like.js'

export interface DatabaseOptions {
  readonly storage: DurableStorageLike
  readonly prefix: string
  readonly now: () => number
  /** Runs in the transaction that makes the tables. */
  readonly onCreate: (db: Database) => void
}

/**
 * The tables in a Durable Object's storage. A call is one synchronous step, and a change one transaction: nothing else of the object sees
 * it half done, and one that throws has changed nothing.
 */
export class Database {
  readonly queries: Queries
  readonly now: () => number
  readonly #options: DatabaseOptions
  #sql: DurableSqlLike | undefined
  #closed = false
  #origin: string | undefined
  #versions = 0

  constructor(options: DatabaseOptions) {
    this.#options = options
    this.now = options.now
    this.queries = createQueries(options.prefix)
  }

  /** Runs a call that changes something, in a transaction. @throws {FsError} for whatever it throws */
  change<T>(op: string, path: string, work: () => T, dest?: string): T {
    return this.read(op, path, () => this.#options.storage.transactionSync(work), dest)
  }

  /**
   * Runs a call that changes nothing, and opens the storage first. It needs no transaction to see one state: nothing else of the object
   * runs until it returns. @throws {FsError} for whatever it throws
   */
  read<T>(op: string, path: string, work: () => T, dest?: string): T {
    try {
      if (this.#closed) throw new Fault('EIO', 'the storage is closed')
      this.#open()
      try {
        return work()
      } catch (cause) {
        // `deleteAll()` took the tables away, or a transaction around the one that made them was rolled back.
        if (!isMissingTable(cause, this.#options.prefix)) throw cause
        this.#sql = undefined
        this.#open()
        return work()
      }
    } catch (cause) {
      throw toFsError(cause, op, path, dest)
    }
  }

  #open(): void {
    if (this.#sql) return
    const { storage, prefix, onCreate } = this.#options
    const { sql } = storage
    try {
      storage.transactionSync(() => {
        const created = migrate(sql, prefix, this.now())
        this.#sql = sql
        if (created) onCreate(this)
      })
    } catch (cause) {
      this.#sql = undefined
      throw cause
    }
  }

  /** For statements whose answer is of no interest. */
  exec(query: string, ...bindings: (SqlValue | Uint8Array)[]): void {
    this.#sql?.exec(query, ...bindings)
  }

  rows(query: string, ...bindings: SqlValue[]): SqlRow[] {
    return this.#sql?.exec(query, ...bindings).toArray() ?? []
  }

  /** The values of the first row, which cost half of what a row with the names of its columns does. All are taken: else it stays in use. */
  first(query: string, ...bindings: SqlValue[]): SqlValue[] {
    const rows = this.#sql ? [...this.#sql.exec(query, ...bindings).raw()] : []
    return rows[0] ?? []
  }

  /**
   * Another each time, for a file's content. Drawn rather than counted in the storage: one that was handed out must not come back either
   * when a transaction around the call is rolled back, or the object is set back to an earlier time.
   */
  nextVersion(): string {
    this.#origin ??= [...crypto.getRandomValues(new Uint32Array(3))].map((word) => word.toString(36)).join('')
    return `${this.#origin}-${(++this.#versions).toString(36)}`
  }

  async sync(): Promise<void> {
    this.read('flush', '/', () => undefined)
    try {
      await this.#options.storage.sync()
    } catch (cause) {
      throw toFsError(cause, 'flush', '/')
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    const used = this.#sql !== undefined
    this.#closed = true
    this.#sql = undefined
    if (!used) return
    try {
      await this.#options.storage.sync()
    } catch (cause) {
      throw toFsError(cause, 'close', '/')
    }
  }
}

function isMissingTable(cause: unknown, prefix: string): boolean {
  return cause instanceof Error && cause.message.includes(`no such table: ${prefix}_`)
}
