import { archiveError } from '../faults.js'
import { type Directory, same, type ZipRecord } from './directory.js'
import { DESCRIPTOR_MARK, LOCAL, SIZES_BEHIND, viewOf, ZIP64 } from './format.js'

/** A record with its compressed content. */
export interface Located {
  readonly record: ZipRecord
  readonly data: Uint8Array
  /**
   * Whether the local header has room for 64-bit sizes (APPNOTE 4.5.3). Programs that do not know the size in advance write such a header.
   */
  readonly isLarge: boolean
}

/**
 * Finds the content of each record. Local headers must agree with the directory and follow each other without gaps, so that every program
 * unpacks the same files.
 *
 * @throws {InputError} `corrupt`
 */
export function locateAll(bytes: Uint8Array, { records, start }: Directory): readonly Located[] {
  const view = viewOf(bytes)
  const found = new Map<ZipRecord, Located>()
  let at = 0
  for (const record of [...records].sort((a, b) => a.offset - b.offset)) {
    if (record.offset !== at) throw archiveError('corrupt', 'does not begin where the previous entry ends', record.name)
    const located = dataOf(bytes, view, record, start)
    found.set(record, located)
    at = behind(view, located, located.data.byteOffset - bytes.byteOffset + located.data.length, start)
  }
  if (at !== start) throw archiveError('corrupt', 'it has bytes that belong to no entry')
  return records.map((record) => found.get(record) as Located)
}

function dataOf(bytes: Uint8Array, view: DataView, record: ZipRecord, start: number): Located {
  const { offset, name, packed } = record
  const differs = (what: string): Error => archiveError('corrupt', `has a different ${what} in its own header than in the directory`, name)
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
  const large = largeSizes(bytes.subarray(nameEnd, begin))
  const sizeIn = (field: number, index: 0 | 1): number => (u32(field) === 0xffffffff && large ? large[index] : u32(field))
  const fits = (found: number, value: number): boolean => found === value || (later && found === 0)
  if (!fits(u32(14), record.crc)) throw differs('checksum')
  if (!fits(sizeIn(18, 1), packed) || !fits(sizeIn(22, 0), record.size)) throw differs('size')
  return { record, data: bytes.subarray(begin, begin + packed), isLarge: large !== undefined }
}

/** Reads the size of the file and of its compressed content from the 64-bit extra field. Undefined if there is none. */
function largeSizes(extra: Uint8Array): readonly [number, number] | undefined {
  const view = viewOf(extra)
  for (let at = 0; at + 4 <= extra.length; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== ZIP64 || view.getUint16(at + 2, true) < 16 || at + 20 > extra.length) continue
    return [Number(view.getBigUint64(at + 4, true)), Number(view.getBigUint64(at + 12, true))]
  }
  return undefined
}

/** Returns the offset of the next header. A data descriptor with sizes may follow the content, with or without a signature. */
function behind(view: DataView, { record, isLarge }: Located, end: number, start: number): number {
  const { flags, crc, packed, size, name } = record
  if (!(flags & SIZES_BEHIND)) return end
  const sizeAt = (at: number, bytes: number): number => (bytes === 8 ? Number(view.getBigUint64(at, true)) : view.getUint32(at, true))
  for (const at of [end + 4, end]) {
    if (at === end + 4 && (end + 4 > start || view.getUint32(end, true) !== DESCRIPTOR_MARK)) continue
    for (const bytes of isLarge ? [8, 4] : [4]) {
      const next = at + 4 + 2 * bytes
      if (next > start || view.getUint32(at, true) !== crc) continue
      if (sizeAt(at + 4, bytes) === packed && sizeAt(at + 4 + bytes, bytes) === size) return next
    }
  }
  throw archiveError('corrupt', 'has different sizes after its content than in the directory', name)
}
