import { archiveError } from '../../src/ops/archive/faults.js'
import { type Directory, same, type ZipRecord } from './directory.js'
import { DESCRIPTOR_MARK, LOCAL, SIZES_BEHIND, viewOf } from './format.js'

/** A record, and its compressed content. */
export interface Located {
  readonly record: ZipRecord
  readonly data: Uint8Array
}

/**
 * Finds the content of each record. The local headers have to say what the directory says, and to follow one another without gaps: what
 * one program unpacks another must not unpack as something else.
 *
 * @throws {InputError} `corrupt`
 */
export function locateAll(bytes: Uint8Array, { records, start }: Directory): readonly Located[] {
  const view = viewOf(bytes)
  const found = new Map<ZipRecord, Located>()
  let at = 0
  for (const record of [...records].sort((a, b) => a.offset - b.offset)) {
    if (record.offset !== at) throw archiveError('corrupt', 'does not begin where the one before it ends', record.name)
    const data = dataOf(bytes, view, record, start)
    found.set(record, { record, data })
    at = behind(view, record, data.byteOffset - bytes.byteOffset + data.length, start)
  }
  if (at !== start) throw archiveError('corrupt', 'it has bytes that belong to no entry')
  return records.map((record) => found.get(record) as Located)
}

function dataOf(bytes: Uint8Array, view: DataView, record: ZipRecord, start: number): Uint8Array {
  const { offset, name, packed } = record
  const differs = (what: string): Error => archiveError('corrupt', `has another ${what} in its own header than in the directory`, name)
  if (offset + LOCAL.size > start || view.getUint32(offset, true) !== LOCAL.mark) throw archiveError('corrupt', 'has no header', name)
  const u16 = (field: number): number => view.getUint16(offset + field, true)
  const u32 = (field: number): number => view.getUint32(offset + field, true)
  const nameEnd = offset + LOCAL.size + u16(26)
  const begin = nameEnd + u16(28)
  if (begin + packed > start) throw archiveError('corrupt', 'reaches into the directory', name)
  if (!same(bytes.subarray(offset + LOCAL.size, nameEnd), record.rawName)) throw differs('name')
  if (u16(6) !== record.flags) throw differs('flags')
  if (u16(8) !== record.method) throw differs('method')
  const later = (record.flags & SIZES_BEHIND) !== 0
  const fits = (field: number, value: number): boolean => u32(field) === value || (later && u32(field) === 0)
  if (!fits(14, record.crc)) throw differs('checksum')
  if (!fits(18, packed) || !fits(22, record.size)) throw differs('size')
  return bytes.subarray(begin, begin + packed)
}

/** Where the next one begins: sizes may stand behind the content, with or without a mark. */
function behind(view: DataView, { flags, crc, packed, size, name }: ZipRecord, end: number, start: number): number {
  if (!(flags & SIZES_BEHIND)) return end
  for (const at of [end + 4, end]) {
    if (at === end + 4 && (end + 4 > start || view.getUint32(end, true) !== DESCRIPTOR_MARK)) continue
    if (at + 12 > start) continue
    const [c, p, s] = [0, 4, 8].map((field) => view.getUint32(at + field, true))
    if (c === crc && p === packed && s === size) return at + 12
  }
  throw archiveError('corrupt', 'has other sizes behind its content than in the directory', name)
}
