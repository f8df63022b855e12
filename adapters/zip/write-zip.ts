import { entryBytes } from '../../src/ops/archive/content.js'
import type { ArchiveEntries, ArchiveEntry } from '../../src/ops/archive/entry.js'
import { packError } from '../../src/ops/archive/faults.js'
import { checkPacked, nameInArchive } from '../../src/ops/archive/names.js'
import { inRuns } from '../../src/ops/archive/source.js'
import { crc32 } from '../../src/ops/archive/zip/crc32.js'
import { DEFLATED, S_IFDIR, S_IFLNK, S_IFREG, STORED } from '../../src/ops/archive/zip/format.js'
import { centralRecord, endRecord, localHeader, type Packed } from '../../src/ops/archive/zip/records.js'
import { encodeUtf8, hasLoneSurrogate } from '../../src/ops/utf8.js'
import { type Fflate, fflate } from './library.js'

/** Options of `writeZip`. */
export interface WriteZipOptions {
  /** Compression level: 0 stores without compression, 1 is fastest, 9 is smallest. Default: 6. */
  readonly level?: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
  readonly signal?: AbortSignal
}

const MAX_PATH_BYTES = 4096
const MAX_ENTRIES = 0xfffe
const MAX_BYTES = 0xfffffffe
const TYPE = { file: S_IFREG, dir: S_IFDIR, symlink: S_IFLNK } as const
const DEFAULT_MODE = { file: 0o644, dir: 0o755, symlink: 0o777 } as const

/**
 * Writes a zip archive in the order of the entries, with UTF-8 names, the same fixed time for all entries, Unix modes and links. If
 * compression does not make a file smaller, the file is stored without compression. The same entries always produce the same bytes. Holds
 * only one file in memory, and yields chunks of about 64 KiB.
 *
 * @throws {InputError} for unsafe paths and targets, content that does not match its size, more than 65,534 entries or 4 GiB;
 * {UnsupportedError} without fflate
 */
export function writeZip(entries: ArchiveEntries, options: WriteZipOptions = {}): AsyncGenerator<Uint8Array> {
  return inRuns(parts(entries, options))
}

async function* parts(entries: ArchiveEntries, { level = 6, signal }: WriteZipOptions): AsyncGenerator<Uint8Array> {
  const library = await fflate()
  const records: Uint8Array[] = []
  const names = new Set<string>()
  let offset = 0
  let size = 0
  for await (const entry of entries) {
    signal?.throwIfAborted()
    if (names.has(entry.path)) throw packError('is there twice', entry.path)
    names.add(entry.path)
    const packed = await pack(library, entry, level, offset)
    const header = localHeader(packed)
    yield header
    yield packed.data
    const record = centralRecord(packed)
    records.push(record)
    offset += header.length + packed.data.length
    size += record.length
    if (records.length > MAX_ENTRIES || offset + size > MAX_BYTES) throw packError('zip holds at the most 65534 entries and 4 GiB')
  }
  yield* records
  yield endRecord(records.length, size, offset)
}

async function pack({ deflateSync }: Fflate, entry: ArchiveEntry, level: WriteZipOptions['level'], offset: number): Promise<Packed> {
  const { path, kind } = entry
  checkPacked(entry, MAX_PATH_BYTES)
  const content = kind === 'symlink' ? targetOf(entry) : kind === 'dir' ? new Uint8Array(0) : await entryBytes(entry)
  const deflated = kind === 'file' && level !== 0 && content.length > 0 ? deflateSync(content, { level: level ?? 6 }) : undefined
  const smaller = deflated !== undefined && deflated.length < content.length
  return {
    name: encodeUtf8(nameInArchive(path) + (kind === 'dir' ? '/' : '')),
    method: smaller ? DEFLATED : STORED,
    crc: crc32(content),
    data: smaller ? deflated : content,
    size: content.length,
    // Set the DOS directory flag in the lower half, for systems that read only that half.
    attributes: ((TYPE[kind] | ((entry.mode ?? DEFAULT_MODE[kind]) & 0o777)) * 0x10000 + (kind === 'dir' ? 0x10 : 0)) >>> 0,
    offset,
  }
}

function targetOf({ path, target = '' }: ArchiveEntry): Uint8Array {
  if (target === '' || target.includes('\0') || hasLoneSurrogate(target)) throw packError('is a link without a proper target', path)
  return encodeUtf8(target)
}
