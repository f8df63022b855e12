import type { SessionState, SessionStream } from '../../../src/types/session.js'
import { Fault, toFsError } from '../faults.js'
import type { DurableSqlLike, DurableStorageLike, SqlRow, SqlValue } from '../storage-like.js'
import { type Bounds, type Facts, type SessionRecord, STREAMS, type Standing, type StreamBounds } from './record.js'

/** Number of characters in one row of output. */
const CHUNK: number = 16 * 1024

/** Number of characters of each stream that are kept. */
const KEPT = 300_000

/**
 * Number of rows of one stream. The rows are a ring buffer: new output overwrites the oldest output. Chunk n of stream s (0 or 1) of
 * session q is the row `(q * 2 + s) * SLOTS + n % SLOTS`. Because of the additional row, KEPT characters always fit, wherever in a chunk
 * they begin.
 */
const SLOTS: number = Math.ceil(KEPT / CHUNK) + 1

const VERSION = 1

interface Tables {
  readonly sessions: string
  readonly output: string
  readonly schema: string
}

const tablesOf = (prefix: string): Tables => ({
  sessions: `${prefix}_sessions`,
  output: `${prefix}_session_output`,
  schema: `${prefix}_session_schema`,
})

/** Creates the tables if they are missing, inside a transaction. @throws {Fault} ENOTSUP for tables of a later version of this library */
function createTables(sql: DurableSqlLike, { sessions, output, schema }: Tables): void {
  const [table] = sql.exec(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`, schema).toArray()
  if (table) checkVersion(Number(sql.exec(`SELECT version FROM ${schema}`).toArray()[0]?.version))
  else addTables(sql, { sessions, output, schema })
}

function addTables(sql: DurableSqlLike, { sessions, output, schema }: Tables): void {
  sql.exec(`CREATE TABLE ${schema} (version INTEGER NOT NULL)`)
  // `facts` and `standing` are JSON, because JSON can encode every string. SQLite would change strings that are not valid Unicode.
  sql.exec(`CREATE TABLE ${sessions} (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, state TEXT NOT NULL, ended REAL, facts TEXT NOT NULL, standing TEXT NOT NULL,
    stdout_start INTEGER NOT NULL DEFAULT 0, stdout_end INTEGER NOT NULL DEFAULT 0, stdout_cursor INTEGER NOT NULL DEFAULT 0,
    stderr_start INTEGER NOT NULL DEFAULT 0, stderr_end INTEGER NOT NULL DEFAULT 0, stderr_cursor INTEGER NOT NULL DEFAULT 0)`)
  // `at` is the position of the row's first character in the stream.
  sql.exec(`CREATE TABLE ${output} (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, units BLOB NOT NULL)`)
  sql.exec(`INSERT INTO ${schema} (version) VALUES (?)`, VERSION)
}

function checkVersion(found: number): void {
  if (found === VERSION) return
  throw new Fault('ENOTSUP', `their tables have version ${found}, this version of the library knows ${VERSION}: update it`)
}

/** What `save` needs to know about a session. */
interface SessionSave {
  readonly id: string
  readonly state: SessionState
  readonly endedMs: number | null
  readonly facts: Facts
  readonly standing: Standing
  readonly cursors: Readonly<Record<SessionStream, number>>
  /** Whether `facts` must be written again because they have changed since the session was added. */
  readonly newFacts: boolean
  /** Returns the text of a stream from `from`, or from the first kept position if that is later, to the end. */
  read(stream: SessionStream, from: number): { readonly text: string; readonly end: number }
  /** Returns the position of the first character that the session still has. */
  startOf(stream: SessionStream): number
}

interface SessionStoreOptions {
  readonly storage: DurableStorageLike
  readonly prefix: string
  /** Called when the tables are found to be missing (`deleteAll()`), before they are created again, empty. */
  readonly onCleared: () => void
}

/** The subject of error messages, in place of a path. */
const SUBJECT = 'background sessions'

/** The records of sessions in the SQLite of a Durable Object. Each call is one transaction. All methods throw {FsError}. */
export class SessionStore {
  readonly #options: SessionStoreOptions
  readonly #tables: Tables
  #opened = false
  #closed = false

  constructor(options: SessionStoreOptions) {
    this.#options = options
    this.#tables = tablesOf(options.prefix)
  }

  /** Returns all records, oldest first. Marks running sessions as lost, because their runtime is gone. */
  load(now: number): SessionRecord[] {
    const { sessions } = this.#tables
    return this.#change('read', () => {
      this.#exec(`UPDATE ${sessions} SET state = 'lost', ended = ? WHERE state = 'running'`, now)
      return this.#rows(`SELECT * FROM ${sessions} ORDER BY seq`).map(recordOf)
    })
  }

  add(id: string, facts: Facts, standing: Standing): void {
    this.#change('write', () => void this.#insert(id, facts, standing))
  }

  /** Writes everything that the record does not contain yet, even if the record is missing or older than the last save. */
  save(save: SessionSave): SessionRecord {
    const { id, state, endedMs, facts, standing } = save
    return this.#change('write', () => {
      const row = this.#find(id)
      const seq = row ? Number(row.seq) : this.#insert(id, facts, standing)
      if (row && save.newFacts) this.#exec(`UPDATE ${this.#tables.sessions} SET facts = ? WHERE seq = ?`, JSON.stringify(facts), seq)
      const stdout = this.#saveStream(save, 'stdout', seq, row)
      const stderr = this.#saveStream(save, 'stderr', seq, row)
      this.#exec(
        `UPDATE ${this.#tables.sessions} SET state = ?, ended = ?, standing = ?, stdout_start = ?, stdout_end = ?, stdout_cursor = ?,
          stderr_start = ?, stderr_end = ?, stderr_cursor = ? WHERE seq = ?`,
        ...[
          state,
          endedMs,
          JSON.stringify(standing),
          stdout.start,
          stdout.end,
          stdout.cursor,
          stderr.start,
          stderr.end,
          stderr.cursor,
          seq,
        ],
      )
      return { id, state, endedMs, facts, standing, bounds: { stdout, stderr } }
    })
  }

  /** Saves only the state, the time of the end and `standing`, because a full storage may still have room for these. */
  saveState({ id, state, endedMs, standing }: Pick<SessionSave, 'id' | 'state' | 'endedMs' | 'standing'>): void {
    this.#change('write', () => {
      const query = `UPDATE ${this.#tables.sessions} SET state = ?, ended = ?, standing = ? WHERE id = ?`
      this.#exec(query, state, endedMs, JSON.stringify(standing), id)
    })
  }

  saveCursors(id: string, { stdout, stderr }: Bounds): void {
    this.#change('write', () => {
      const query = `UPDATE ${this.#tables.sessions} SET stdout_cursor = ?, stderr_cursor = ? WHERE id = ?`
      this.#exec(query, stdout.cursor, stderr.cursor, id)
    })
  }

  remove(ids: readonly string[]): void {
    this.#change('write', () => {
      for (const id of ids) {
        const row = this.#find(id)
        if (!row) continue
        const first = rowOf(Number(row.seq), 'stdout')
        this.#exec(`DELETE FROM ${this.#tables.output} WHERE id BETWEEN ? AND ?`, first, first + SLOTS * STREAMS.length - 1)
        this.#exec(`DELETE FROM ${this.#tables.sessions} WHERE seq = ?`, Number(row.seq))
      }
    })
  }

  /** Returns the characters between two positions of a stream, or undefined if some of them are missing. */
  text(id: string, stream: SessionStream, from: number, end: number): string | undefined {
    return this.#change('read', () => {
      const row = this.#find(id)
      return row && readUnits(this.#sql, this.#tables.output, rowOf(Number(row.seq), stream), from, end)
    })
  }

  /** After this call, missing tables are no longer created. */
  close(): void {
    this.#closed = true
  }

  get #sql(): DurableStorageLike['sql'] {
    return this.#options.storage.sql
  }

  #insert(id: string, facts: Facts, standing: Standing): number {
    const query = `INSERT INTO ${this.#tables.sessions} (id, state, facts, standing) VALUES (?, 'running', ?, ?) RETURNING seq`
    return Number(this.#rows(query, id, JSON.stringify(facts), JSON.stringify(standing))[0]?.seq)
  }

  #find(id: string): SqlRow | undefined {
    return this.#rows(`SELECT seq, stdout_end, stderr_end FROM ${this.#tables.sessions} WHERE id = ?`, id)[0]
  }

  /**
   * Writes output from the recorded end on. The recorded end may be before the last saved position, because a transaction was rolled back.
   */
  #saveStream(save: SessionSave, stream: SessionStream, seq: number, row: SqlRow | undefined): StreamBounds {
    const saved = Number(row?.[`${stream}_end`] ?? 0)
    const end = writeUnits(this.#sql, this.#tables.output, rowOf(seq, stream), saved, (from) => save.read(stream, from))
    return { start: Math.max(save.startOf(stream), end - KEPT), end, cursor: save.cursors[stream] }
  }

  #exec(query: string, ...bindings: SqlValue[]): void {
    this.#sql.exec(query, ...bindings)
  }

  #rows(query: string, ...bindings: SqlValue[]): SqlRow[] {
    return this.#sql.exec(query, ...bindings).toArray()
  }

  /** Runs `work` in a transaction. Creates missing tables first. */
  #change<T>(op: 'read' | 'write', work: () => T): T {
    const { storage, onCleared } = this.#options
    const attempt = (): T => {
      const open = (): void => {
        if (this.#closed) throw new Fault('EIO', 'they were disposed')
        createTables(storage.sql, this.#tables)
      }
      const result = storage.transactionSync(() => {
        if (!this.#opened) open()
        return work()
      })
      this.#opened = true
      return result
    }
    try {
      try {
        return attempt()
      } catch (cause) {
        // The tables are missing because `deleteAll()` removed them, or because an outer transaction that included their creation was
        // rolled back.
        if (!this.#opened || this.#closed || !this.#isMissingTable(cause)) throw cause
        this.#opened = false
        onCleared()
        return attempt()
      }
    } catch (cause) {
      throw toFsError(cause, op, SUBJECT)
    }
  }

  #isMissingTable(cause: unknown): boolean {
    return cause instanceof Error && cause.message.includes(`no such table: ${this.#options.prefix}_session`)
  }
}

/** Returns the id of the first row of a stream's output. */
const rowOf = (seq: number, stream: SessionStream): number => (seq * STREAMS.length + STREAMS.indexOf(stream)) * SLOTS

function recordOf(row: SqlRow): SessionRecord {
  const boundsOf = (stream: SessionStream): StreamBounds => ({
    start: Number(row[`${stream}_start`]),
    end: Number(row[`${stream}_end`]),
    cursor: Number(row[`${stream}_cursor`]),
  })
  return {
    id: String(row.id),
    state: String(row.state) as SessionState,
    endedMs: row.ended === null ? null : Number(row.ended),
    facts: JSON.parse(String(row.facts)) as Facts,
    standing: JSON.parse(String(row.standing)) as Standing,
    bounds: { stdout: boundsOf('stdout'), stderr: boundsOf('stderr') },
  }
}

/** Writes a stream from the row that contains position `saved` on. Returns the end position. `first`: id of the stream's first row. */
function writeUnits(
  sql: DurableSqlLike,
  table: string,
  first: number,
  saved: number,
  read: (from: number) => { readonly text: string; readonly end: number },
): number {
  const base = saved - (saved % CHUNK)
  const { text, end } = read(base)
  if (end === saved) return end
  // The text begins after `base` if older output was dropped, and before `base` if a surrogate pair would be split.
  const begin = end - text.length
  for (let at = Math.max(base, begin); at < end; ) {
    const next = Math.min(end, at - (at % CHUNK) + CHUNK)
    const units = toBytes(text.slice(at - begin, next - begin))
    sql.exec(`INSERT OR REPLACE INTO ${table} (id, at, units) VALUES (?, ?, ?)`, first + slotOf(at), at, units)
    at = next
  }
  return end
}

/** Returns the characters between two positions, or undefined if some of them are missing. */
function readUnits(sql: DurableSqlLike, table: string, first: number, from: number, end: number): string | undefined {
  let text = ''
  for (let at = from; at < end; ) {
    const [row] = sql.exec(`SELECT at, units FROM ${table} WHERE id = ?`, first + slotOf(at)).toArray()
    if (!row) return undefined
    const begin = Number(row.at)
    const units = toText(row.units as ArrayBuffer)
    const next = Math.min(end, begin + units.length)
    if (begin > at || next <= at) return undefined
    text += units.slice(at - begin, next - begin)
    at = next
  }
  return text
}

const slotOf = (position: number): number => Math.floor(position / CHUNK) % SLOTS

/** Maximum number of arguments of one `String.fromCharCode` call. */
const UNITS_AT_ONCE = 8192

/** Encodes text as UTF-16. A text column would lose lone surrogates, which can occur at the end of a program's output at any time. */
function toBytes(text: string): Uint8Array {
  const units = new Uint16Array(text.length)
  for (let i = 0; i < text.length; i++) units[i] = text.charCodeAt(i)
  return new Uint8Array(units.buffer)
}

function toText(bytes: ArrayBuffer): string {
  const units = new Uint16Array(bytes)
  let text = ''
  for (let i = 0; i < units.length; i += UNITS_AT_ONCE) text += String.fromCharCode(...units.subarray(i, i + UNITS_AT_ONCE))
  return text
}
