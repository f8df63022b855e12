import type { DurableSqlLike } from '../storage-like.js'
import { CHUNK, SLOTS } from './schema.js'

/** Writes a stream from the row on in which `saved` lies, and says where it ends. `first`: its first row. */
export function writeUnits(
  sql: DurableSqlLike,
  table: string,
  first: number,
  saved: number,
  read: (from: number) => { readonly text: string; readonly end: number },
): number {
  const base = saved - (saved % CHUNK)
  const { text, end } = read(base)
  if (end === saved) return end
  // It begins later where what was between is no longer kept, and earlier where a surrogate pair would be cut.
  const begin = end - text.length
  for (let at = Math.max(base, begin); at < end; ) {
    const next = Math.min(end, at - (at % CHUNK) + CHUNK)
    const units = toBytes(text.slice(at - begin, next - begin))
    sql.exec(`INSERT OR REPLACE INTO ${table} (id, at, units) VALUES (?, ?, ?)`, first + slotOf(at), at, units)
    at = next
  }
  return end
}

/** The characters between two positions; undefined where they are not all there. */
export function readUnits(sql: DurableSqlLike, table: string, first: number, from: number, end: number): string | undefined {
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

/** Few enough to be arguments of one call. */
const UNITS_AT_ONCE = 8192

/**
 * Text as the database keeps it: UTF-16, two bytes a character. As text of its own it would lose halves of surrogate pairs, in which the
 * output of a program can end at any moment.
 */
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
