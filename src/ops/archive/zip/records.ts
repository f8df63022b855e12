import { CENTRAL, END, LOCAL, UTF8, viewOf } from './format.js'

/** 1980-01-01 00:00, the earliest time of the format. */
const FIRST_DATE = (1 << 5) | 1
const VERSION = 20
const MADE_BY_UNIX = (3 << 8) | VERSION

/** One entry in the form in which the archive stores it. */
export interface Packed {
  readonly name: Uint8Array
  readonly method: number
  readonly crc: number
  readonly data: Uint8Array
  readonly size: number
  readonly attributes: number
  readonly offset: number
  /** Modification time in milliseconds since the epoch. Default: the earliest time of the format. */
  readonly mtimeMs?: number | undefined
}

export function localHeader(packed: Packed): Uint8Array {
  const header = new Uint8Array(LOCAL.size + packed.name.length)
  const view = viewOf(header)
  view.setUint32(0, LOCAL.mark, true)
  common(view, 4, packed)
  header.set(packed.name, LOCAL.size)
  return header
}

export function centralRecord(packed: Packed): Uint8Array {
  const record = new Uint8Array(CENTRAL.size + packed.name.length)
  const view = viewOf(record)
  view.setUint32(0, CENTRAL.mark, true)
  view.setUint16(4, MADE_BY_UNIX, true)
  common(view, 6, packed)
  view.setUint32(38, packed.attributes, true)
  view.setUint32(42, packed.offset, true)
  record.set(packed.name, CENTRAL.size)
  return record
}

/** Writes the fields that local headers and central records share: from the required version to the length of the name. */
function common(view: DataView, at: number, { method, crc, data, size, name, mtimeMs }: Packed): void {
  view.setUint16(at, VERSION, true)
  view.setUint16(at + 2, UTF8, true)
  view.setUint16(at + 4, method, true)
  const { date, time } = dosTime(mtimeMs)
  view.setUint16(at + 6, time, true)
  view.setUint16(at + 8, date, true)
  view.setUint32(at + 10, crc, true)
  view.setUint32(at + 14, data.length, true)
  view.setUint32(at + 18, size, true)
  view.setUint16(at + 22, name.length, true)
}

export function endRecord(count: number, size: number, offset: number): Uint8Array {
  const end = new Uint8Array(END.size)
  const view = viewOf(end)
  view.setUint32(0, END.mark, true)
  view.setUint16(8, count, true)
  view.setUint16(10, count, true)
  view.setUint32(12, size, true)
  view.setUint32(16, offset, true)
  return end
}

/** Converts a time to the format's fields: in steps of two seconds, from 1980 to 2107, in UTC. Any other time becomes the earliest one. */
function dosTime(mtimeMs = 0): { readonly date: number; readonly time: number } {
  const at = new Date(mtimeMs)
  const year = at.getUTCFullYear() - 1980
  if (!(year >= 0 && year < 128)) return { date: FIRST_DATE, time: 0 }
  return {
    date: (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  }
}

/** Inverse of `dosTime`. */
export function timeOf(date: number, time: number): number {
  return Date.UTC(1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31, time >> 11, (time >> 5) & 63, (time & 31) * 2)
}
