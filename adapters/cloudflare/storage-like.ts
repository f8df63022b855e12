import { meansNoSqlite } from './faults.js'

/** A value of SQLite. Numbers are doubles. */
export type SqlValue = ArrayBuffer | string | number | null

/** One result row: maps column names to values. */
export type SqlRow = Record<string, SqlValue>

/** The part of `ctx.storage.sql` that Toolport uses. */
export interface DurableSqlLike {
  exec(query: string, ...bindings: (SqlValue | Uint8Array)[]): { toArray(): SqlRow[]; raw(): Iterable<SqlValue[]> }
}

/** The part of `ctx.storage` that Toolport uses. The Durable Object must have SQLite. */
export interface DurableStorageLike {
  /** The methods of `sql` throw if the object's class uses the older key-value storage. */
  readonly sql: DurableSqlLike
  transactionSync<T>(closure: () => T): T
  /** Resolves when all writes so far are durable. */
  sync(): Promise<void>
}

/** Returns whether the object has SQLite. Call this function inside the object. */
export function hasSqlite(storage: DurableStorageLike): boolean {
  try {
    storage.sql.exec('SELECT 1').toArray()
    return true
  } catch (cause) {
    // Any other error counts as SQLite, and the first call reports it. Otherwise, an empty workspace elsewhere would replace a workspace
    // that is temporarily unreachable.
    return !meansNoSqlite(cause)
  }
}
