import { Fault } from '../faults.js'
import type { DurableSqlLike } from '../storage-like.js'

/** Characters in one row of output. */
export const CHUNK: number = 16 * 1024

/** Characters of each stream that are kept. */
export const KEPT = 300_000

/**
 * Rows of one stream: it goes round in them, and what is new overwrites what is old. Number n of the stream s (0 or 1) of the session q is
 * the row `(q * 2 + s) * SLOTS + n % SLOTS`. All that is kept, wherever it begins, lies in different ones.
 */
export const SLOTS: number = Math.ceil(KEPT / CHUNK) + 1

const VERSION = 1

export interface Tables {
  readonly sessions: string
  readonly output: string
  readonly schema: string
}

export const tablesOf = (prefix: string): Tables => ({
  sessions: `${prefix}_sessions`,
  output: `${prefix}_session_output`,
  schema: `${prefix}_session_schema`,
})

/** Makes the tables where they are missing, inside a transaction. @throws {Fault} ENOTSUP for tables of a later version of this library */
export function createTables(sql: DurableSqlLike, { sessions, output, schema }: Tables): void {
  const [table] = sql.exec(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`, schema).toArray()
  if (table) checkVersion(Number(sql.exec(`SELECT version FROM ${schema}`).toArray()[0]?.version))
  else addTables(sql, { sessions, output, schema })
}

function addTables(sql: DurableSqlLike, { sessions, output, schema }: Tables): void {
  sql.exec(`CREATE TABLE ${schema} (version INTEGER NOT NULL)`)
  // Facts and standing are JSON: it holds every string there is, also such that are no text to SQLite.
  sql.exec(`CREATE TABLE ${sessions} (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, state TEXT NOT NULL, ended REAL, facts TEXT NOT NULL, standing TEXT NOT NULL,
    stdout_start INTEGER NOT NULL DEFAULT 0, stdout_end INTEGER NOT NULL DEFAULT 0, stdout_cursor INTEGER NOT NULL DEFAULT 0,
    stderr_start INTEGER NOT NULL DEFAULT 0, stderr_end INTEGER NOT NULL DEFAULT 0, stderr_cursor INTEGER NOT NULL DEFAULT 0)`)
  // "at" is the position of the first unit.
  sql.exec(`CREATE TABLE ${output} (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, units BLOB NOT NULL)`)
  sql.exec(`INSERT INTO ${schema} (version) VALUES (?)`, VERSION)
}

function checkVersion(found: number): void {
  if (found === VERSION) return
  throw new Fault('ENOTSUP', `their tables have version ${found}, this version of the library knows ${VERSION}: update it`)
}
