import { Fault, toFsError } from './faults.js'
import { createQueries, type Queries } from './queries.js'
import { migrate } from './schema.js'
import type { DurableSqlLike, DurableStorageLike, SqlRow, SqlValue } from './storage-like.js'

export interface DatabaseOptions {
  readonly storage: DurableStorageLike
  readonly prefix: string
  readonly now: () => number
  /** Called in the transaction that creates the tables. */
  readonly onCreate: (db: Database) => void
}

/**
 * The tables in a Durable Object's storage. Each call is synchronous, and each change is one transaction. So other code of the object never
 * sees a partial change, and a call that throws an error changes nothing.
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

  /** Runs a call that changes something, in a transaction. @throws {FsError} for any error of `work` */
  change<T>(op: string, path: string, work: () => T, dest?: string): T {
    return this.read(op, path, () => this.#options.storage.transactionSync(work), dest)
  }

  /**
   * Opens the storage if needed, then runs a read-only call. This needs no transaction, because no other code of the object runs until the
   * call returns.
   * @throws {FsError} for any error of `work`
   */
  read<T>(op: string, path: string, work: () => T, dest?: string): T {
    try {
      if (this.#closed) throw new Fault('EIO', 'the storage is closed')
      this.#open()
      try {
        return work()
      } catch (cause) {
        // The tables are missing if `deleteAll()` removed them, or if an outer transaction that included their creation was rolled back.
        // In that case, create them again and retry.
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

  /** Runs a statement whose result is not needed. */
  exec(query: string, ...bindings: (SqlValue | Uint8Array)[]): void {
    this.#sql?.exec(query, ...bindings)
  }

  rows(query: string, ...bindings: SqlValue[]): SqlRow[] {
    return this.#sql?.exec(query, ...bindings).toArray() ?? []
  }

  /**
   * Returns the values of the first row, without column names, which costs half as much as a row with column names. Reads all rows, because
   * a cursor that is not read to its end stays open.
   */
  first(query: string, ...bindings: SqlValue[]): SqlValue[] {
    const rows = this.#sql ? [...this.#sql.exec(query, ...bindings).raw()] : []
    return rows[0] ?? []
  }

  /**
   * Returns a unique version for a file's content. Versions are random instead of counted in the database: a stored counter could repeat
   * values after a rollback of the transaction, or after the object is restored to an earlier time.
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
