import { meansNoSqlite } from './faults.js'

/** What SQLite gives and takes. Numbers are doubles. */
export type SqlValue = ArrayBuffer | string | number | null

export type SqlRow = Record<string, SqlValue>

/** `ctx.storage.sql`, as far as it is used. */
export interface DurableSqlLike {
  exec(query: string, ...bindings: (SqlValue | Uint8Array)[]): { toArray(): SqlRow[]; raw(): Iterable<SqlValue[]> }
}

/** `ctx.storage` of a Durable Object with SQLite, as far as it is used. */
export interface DurableStorageLike {
  /** Its calls throw in an object whose class keeps its data in the older key-value storage. */
  readonly sql: DurableSqlLike
  transactionSync<T>(closure: () => T): T
  /** Resolves when everything written so far is durable. */
  sync(): Promise<void>
}

/** Whether the object has SQLite. To be asked inside the object. */
export function hasSqlite(storage: DurableStorageLike): boolean {
  try {
    storage.sql.exec('SELECT 1').toArray()
    return true
  } catch (cause) {
    // Any other failure is for the first call to tell: a workspace that is only out of reach must not begin anew elsewhere.
    return !meansNoSqlite(cause)
  }
}
