import { decodeUtf8 } from '../../utf8.js'
import { archiveError, tooLarge } from '../faults.js'
import { CENTRAL, DEFLATED, ENCRYPTED, END, END64, END64_LOCATOR, PATCHED, STORED, UNIX, UTF8, viewOf, WINDOWS, ZIP64 } from './format.js'
import { timeOf } from './records.js'

const MAX_COMMENT = 0xffff
const UNICODE_PATH = 0x7075

/** One record of the central directory. */
export interface ZipRecord {
  readonly name: string
  readonly rawName: Uint8Array
  readonly flags: number
  readonly method: number
  readonly crc: number
  /** Compressed size in bytes. */
  readonly packed: number
  readonly size: number
  /** Offset of the local header. */
  readonly offset: number
  /** Unix mode with type bits; undefined if the archive was created on a system without modes. */
  readonly unixMode: number | undefined
  readonly mtimeMs: number
}

export interface Directory {
  readonly records: readonly ZipRecord[]
  /** Offset of the central directory. All bytes before it belong to entries. */
  readonly start: number
}

/** @throws {InputError} `format`, `truncated`, `corrupt`, `unsupported`, `name`; {FsError} EFBIG */
export function readDirectory(bytes: Uint8Array, maxEntries: number): Directory {
  const view = viewOf(bytes)
  const end = findEnd(bytes, view)
  const [disk, startDisk, here] = [4, 6, 8].map((at) => view.getUint16(end + at, true)) as [number, number, number]
  const count = view.getUint16(end + 10, true)
  const size = view.getUint32(end + 12, true)
  const start = view.getUint32(end + 16, true)
  if (count === 0xffff || start === 0xffffffff) throw zip64()
  if (disk !== 0 || startDisk !== 0 || here !== count) throw archiveError('unsupported', 'it is split over several files')
  const last = behindDirectory(view, end, [count, count, size, start])
  if (start + size !== last) throw archiveError('corrupt', 'its directory is not at the offset in its end record')
  if (count > maxEntries) throw tooLarge(`its ${count} entries exceed the limit of ${maxEntries}`)
  const records: ZipRecord[] = []
  let at = start
  for (let i = 0; i < count; i++) {
    const record = readRecord(bytes, view, at, last)
    records.push(record.record)
    at = record.next
  }
  if (at !== last) throw archiveError('corrupt', 'its directory has more entries than its end record says')
  return { records, start }
}

const zip64 = (entry?: string): Error =>
  archiveError('unsupported', `${entry === undefined ? 'it ' : ''}is in the zip64 format, which is not supported`, entry)

/**
 * Returns the end of the central directory. Programs that do not know the size in advance write 64-bit end records before the regular
 * record. Both must agree.
 *
 * @throws {InputError} `unsupported`
 */
function behindDirectory(view: DataView, end: number, said: readonly number[]): number {
  const locator = end - END64_LOCATOR.size
  if (locator < 0 || view.getUint32(locator, true) !== END64_LOCATOR.mark) return end
  const at = locator - END64.size
  const u64 = (offset: number): number => Number(view.getBigUint64(offset, true))
  const isPlain =
    at >= 0 &&
    view.getUint32(at, true) === END64.mark &&
    u64(at + 4) === END64.size - 12 &&
    u64(locator + 8) === at &&
    said.every((value, i) => u64(at + 24 + 8 * i) === value)
  if (!isPlain) throw zip64()
  return at
}

/** Returns the offset of the last end record whose comment reaches the end of the archive. */
function findEnd(bytes: Uint8Array, view: DataView): number {
  const last = bytes.length - END.size
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT); at--) {
    if (view.getUint32(at, true) === END.mark && at + END.size + view.getUint16(at + 20, true) === bytes.length) return at
  }
  const zip = bytes.length >= 4 && view.getUint16(0, true) === 0x4b50
  throw zip ? archiveError('truncated', 'it is cut off, or other data follows its end') : archiveError('format', 'it is not a zip archive')
}

function readRecord(bytes: Uint8Array, view: DataView, at: number, end: number): { readonly record: ZipRecord; readonly next: number } {
  if (at + CENTRAL.size > end || view.getUint32(at, true) !== CENTRAL.mark) throw archiveError('corrupt', 'its directory is damaged')
  const u16 = (offset: number): number => view.getUint16(at + offset, true)
  const u32 = (offset: number): number => view.getUint32(at + offset, true)
  const nameEnd = at + CENTRAL.size + u16(28)
  const extraEnd = nameEnd + u16(30)
  const next = extraEnd + u16(32)
  if (next > end) throw archiveError('corrupt', 'its directory is damaged')
  const rawName = bytes.subarray(at + CENTRAL.size, nameEnd)
  const flags = u16(8)
  const madeBy = u16(4) >> 8
  const name = nameOf(rawName, flags, WINDOWS.includes(madeBy))
  checkExtra(bytes.subarray(nameEnd, extraEnd), rawName, name)
  const unixMode = UNIX.includes(madeBy) ? u32(38) >>> 16 : undefined
  const record = {
    name,
    rawName,
    flags,
    method: u16(10),
    crc: u32(16),
    packed: u32(20),
    size: u32(24),
    offset: u32(42),
    unixMode,
    mtimeMs: timeOf(u16(14), u16(12)),
  }
  checkRecord(record, u16(34))
  return { record, next }
}

/** @throws {InputError} `unsupported` */
function checkRecord({ name, flags, method, packed, size, offset }: ZipRecord, disk: number): void {
  if (flags & ENCRYPTED) throw archiveError('unsupported', 'is encrypted', name)
  if (flags & PATCHED || (method !== STORED && method !== DEFLATED)) {
    throw archiveError('unsupported', `is compressed by method ${method}: only stored and deflated files are supported`, name)
  }
  if (packed === 0xffffffff || size === 0xffffffff || offset === 0xffffffff) {
    throw zip64(name)
  }
  if (disk !== 0) throw archiveError('unsupported', 'is on another disk', name)
  if (method === STORED && packed !== size) throw archiveError('corrupt', 'is stored with two different sizes', name)
}

/**
 * Decodes a name as UTF-8, even if the UTF-8 flag is not set, because other encodings depend on the machine. @throws {InputError} `name`
 * for invalid UTF-8
 */
function nameOf(raw: Uint8Array, flags: number, isWindows: boolean): string {
  const name = decodeUtf8(raw)
  if (name !== undefined) return isWindows ? name.replaceAll('\\', '/') : name
  throw archiveError('name', flags & UTF8 ? 'a name is not UTF-8' : 'a name is in an old code page: make the archive with UTF-8 names')
}

/** @throws {InputError} `corrupt`, `unsupported`, `name` */
function checkExtra(extra: Uint8Array, rawName: Uint8Array, name: string): void {
  const view = viewOf(extra)
  for (let at = 0; at + 4 <= extra.length; ) {
    const [id, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)]
    const data = extra.subarray(at + 4, at + 4 + length)
    if (data.length < length) throw archiveError('corrupt', 'has a damaged extra field', name)
    if (id === ZIP64) throw zip64(name)
    // Programs disagree about which of the two names counts.
    if (id === UNICODE_PATH && !same(data.subarray(5), rawName)) throw archiveError('name', 'has two different names', name)
    at += 4 + length
  }
}

export function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
