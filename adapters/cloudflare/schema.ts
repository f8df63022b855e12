import { Fault } from './faults.js'
import type { DurableSqlLike } from './storage-like.js'

/**
 * Updates the tables to the next version. There is one migration per version, oldest first. Never change a published migration: add a new
 * one.
 */
export type Migration = (sql: DurableSqlLike, prefix: string, now: number) => void

export const MIGRATIONS: readonly Migration[] = [createTables]

/** The root directory's row. `parent` is the id of no node, and `name` occurs in no path. */
export const ROOT = { parent: 0, name: '', id: 1 } as const

function createTables(sql: DurableSqlLike, prefix: string, now: number): void {
  sql.exec(`CREATE TABLE ${prefix}_fs (schema INTEGER NOT NULL, last_id INTEGER NOT NULL, bytes INTEGER NOT NULL, files INTEGER NOT NULL)`)
  // `version` is set for files, `target` for symlinks.
  sql.exec(`CREATE TABLE ${prefix}_nodes (
    parent INTEGER NOT NULL, name TEXT NOT NULL, id INTEGER NOT NULL, kind TEXT NOT NULL, size INTEGER NOT NULL, mtime REAL NOT NULL,
    mode INTEGER NOT NULL, version TEXT, target TEXT, PRIMARY KEY (parent, name)) WITHOUT ROWID`)
  sql.exec(`CREATE TABLE ${prefix}_chunks (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)`)
  sql.exec(`INSERT INTO ${prefix}_fs (schema, last_id, bytes, files) VALUES (0, ?, 0, 0)`, ROOT.id)
  sql.exec(
    `INSERT INTO ${prefix}_nodes (parent, name, id, kind, size, mtime, mode) VALUES (?, ?, ?, 'dir', 0, ?, ?)`,
    ROOT.parent,
    ROOT.name,
    ROOT.id,
    now,
    0o755,
  )
}

/** Returns the version of the existing tables, or 0 if there are no tables. */
function schemaOf(sql: DurableSqlLike, prefix: string): number {
  const [table] = sql.exec(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`, `${prefix}_fs`).toArray()
  return table ? Number(sql.exec(`SELECT schema FROM ${prefix}_fs`).toArray()[0]?.schema) : 0
}

/**
 * Updates the tables to the current version, inside a transaction. Returns true if this call created the tables.
 *
 * @throws {Fault} ENOTSUP for tables of a later version of this library
 */
export function migrate(sql: DurableSqlLike, prefix: string, now: number, migrations: readonly Migration[] = MIGRATIONS): boolean {
  const found = schemaOf(sql, prefix)
  // This condition also rejects NaN, which `schemaOf` returns for tables of another program.
  if (!(found <= migrations.length)) {
    throw new Fault('ENOTSUP', `its tables have version ${found}, this version of the library knows up to ${migrations.length}: update it`)
  }
  if (found === migrations.length) return false
  for (const migration of migrations.slice(found)) migration(sql, prefix, now)
  sql.exec(`UPDATE ${prefix}_fs SET schema = ?`, migrations.length)
  return found === 0
}
