import { ByteReader } from '../../src/ops/archive/byte-reader.js'
import { entryBytes } from '../../src/ops/archive/content.js'
import type { ArchiveEntry, ArchiveSource } from '../../src/ops/archive/entry.js'
import { archiveError, tooLarge } from '../../src/ops/archive/faults.js'
import { EntryGuard } from '../../src/ops/archive/guard.js'
import { type ArchiveLimits, limitsOf, RATIO_COUNTS_FROM } from '../../src/ops/archive/limits.js'
import { entryPath } from '../../src/ops/archive/names.js'
import { crc32 } from '../../src/ops/archive/zip/crc32.js'
import { readDirectory, type ZipRecord } from '../../src/ops/archive/zip/directory.js'
import { DEFLATED, S_IFDIR, S_IFIFO, S_IFLNK, S_IFMT, S_IFREG } from '../../src/ops/archive/zip/format.js'
import { type Located, locateAll } from '../../src/ops/archive/zip/local.js'
import { decodeUtf8 } from '../../src/ops/utf8.js'
import { type Fflate, fflate } from './library.js'

/** Options of `readZip`. */
export interface ReadZipOptions {
  readonly limits?: ArchiveLimits
  /**
   * What to do with devices, FIFOs, and names with a backslash (from systems where a backslash is an ordinary character): `refuse` the
   * archive (default), or `skip` these entries.
   */
  readonly special?: 'refuse' | 'skip'
  /** Called with the path of each skipped entry. */
  readonly onSkipped?: (path: string) => void
  readonly signal?: AbortSignal
}

/** Maximum bytes of a link's target. */
const MAX_TARGET_BYTES = 4096

/**
 * Reads the entries of a zip archive, in the order of the archive's directory. All names, sizes and headers are checked first. The content
 * of an entry is inflated, and its checksum checked, only when you read that content. A stream is first read into memory, up to the limit
 * `bytes`.
 *
 * @throws {InputError} with `details.reason` and, if one entry is the cause, `details.entry`: encrypted, zip64, split, other compressions,
 * inconsistent headers, path traversal; {FsError} EFBIG; {UnsupportedError} without fflate; the signal's reason
 */
export async function readZip(source: ArchiveSource, options: ReadZipOptions = {}): Promise<readonly ArchiveEntry[]> {
  const library = await fflate()
  const guard = new EntryGuard(options.limits)
  const bytes = ArrayBuffer.isView(source) ? source : await heldBytes(source, options)
  const entries: ArchiveEntry[] = []
  for (const located of locateAll(bytes, readDirectory(bytes, guard.limits.entries))) {
    options.signal?.throwIfAborted()
    if (options.special === 'skip' && isSpecial(located.record)) {
      options.onSkipped?.(located.record.name)
      continue
    }
    const entry = await entryOf(library, located, guard)
    if (entry) entries.push(entry)
  }
  checkRatio(entries, bytes.length, guard.limits.ratio)
  return entries
}

/** Returns the entry of a record, or undefined for the archive's root directory. */
async function entryOf(library: Fflate, { record, data }: Located, guard: EntryGuard): Promise<ArchiveEntry | undefined> {
  const { name, size, unixMode } = record
  const path = entryPath(name, guard.limits.pathBytes)
  const kind = kindOf(record)
  const mode = unixMode ? { mode: unixMode & 0o777 } : {}
  if (kind === 'dir') {
    if (size > 0) throw archiveError('corrupt', 'is a directory with content', name)
    if (path === '') return undefined
    guard.admit(path, kind, 0)
    return { path, kind, ...mode, size: 0 }
  }
  if (path === '') throw archiveError('name', 'is a file without a name', name)
  const content = { [Symbol.asyncIterator]: () => inflated(library, record, data) }
  if (kind === 'file') {
    guard.admit(path, kind, size)
    return { path, kind, ...mode, size, content }
  }
  guard.admit(path, kind, 0)
  if (size > MAX_TARGET_BYTES) throw tooLarge(`its target is longer than ${MAX_TARGET_BYTES} bytes`, path)
  const target = decodeUtf8(await entryBytes({ path, kind: 'file', size, content }))
  if (!target || target.includes('\0')) throw archiveError('link', 'is a link without a proper target', path)
  return { path, kind, size: 0, target }
}

function isSpecial(record: ZipRecord): boolean {
  return record.name.includes('\\') || typeOf(record) === undefined
}

/** @throws {InputError} `unsupported`, `corrupt` */
function kindOf(record: ZipRecord): ArchiveEntry['kind'] {
  const kind = typeOf(record)
  if (kind === undefined) throw archiveError('unsupported', 'is a device, a fifo or a socket', record.name)
  return kind
}

/** Returns the kind of an entry, or undefined for a kind that workspaces do not support. @throws {InputError} `corrupt` */
function typeOf({ name, size, unixMode = 0 }: ZipRecord): ArchiveEntry['kind'] | undefined {
  const type = unixMode & S_IFMT
  if (name.endsWith('/')) {
    if (type === 0 || type === S_IFDIR) return 'dir'
    throw archiveError('corrupt', 'is named as a directory, and is none', name)
  }
  if (type === 0 || type === S_IFREG) return 'file'
  if (type === S_IFLNK) return 'symlink'
  // Info-ZIP uses the FIFO type for a file that it read from a pipe (`zip out.zip -`).
  if (type === S_IFIFO && size > 0) return 'file'
  if (type === S_IFDIR) return 'dir'
  return undefined
}

async function heldBytes(source: ArchiveSource, { limits, signal }: ReadZipOptions): Promise<Uint8Array> {
  const { bytes } = limitsOf(limits)
  const reader = new ByteReader(source, signal)
  try {
    const all = await reader.read(Math.min(bytes, Number.MAX_SAFE_INTEGER - 1) + 1)
    if (all.length > bytes) throw tooLarge(`it has more than the limit of ${bytes} bytes`)
    return all
  } finally {
    reader.close()
  }
}

function checkRatio(entries: readonly ArchiveEntry[], packed: number, ratio: number): void {
  const size = entries.reduce((sum, entry) => sum + entry.size, 0)
  if (size <= RATIO_COUNTS_FROM || size <= packed * ratio) return
  throw tooLarge(`${size} bytes would come out of ${packed} compressed ones: more than the limit of ${ratio} times`)
}

/** Number of compressed bytes to inflate per step. It is small because a zip bomb can expand them a thousandfold before the size check. */
const SLICE = 16 * 1024
/** Maximum bytes of a file that is inflated in one step. A stream costs 100 KB of memory, so small files use none. */
const WHOLE = 256 * 1024

/**
 * Yields the content of a record in parts, never more bytes than the record declares.
 *
 * @throws {InputError} `corrupt` for a wrong size, a wrong checksum or invalid compressed data
 */
async function* inflated(library: Fflate, record: ZipRecord, data: Uint8Array): AsyncGenerator<Uint8Array> {
  const { name, size, crc } = record
  let length = 0
  let sum = 0
  for (const part of record.method === DEFLATED ? inflate(library, record, data) : [data.slice()]) {
    length += part.length
    if (length > size) throw archiveError('corrupt', `has more bytes where its size says ${size}`, name)
    sum = crc32(part, sum)
    if (part.length > 0) yield part
  }
  if (length < size) throw archiveError('corrupt', `has ${length} bytes where its size says ${size}`, name)
  if (sum !== crc) throw archiveError('corrupt', 'does not fit its checksum', name)
}

function* inflate({ Inflate, inflateSync }: Fflate, { name, size }: ZipRecord, data: Uint8Array): Generator<Uint8Array> {
  const damaged = (): Error => archiveError('corrupt', 'cannot be inflated: its data is damaged', name)
  if (data.length <= SLICE && size <= WHOLE) {
    // Allow one more byte than declared, so that longer content is noticed. Everything after that byte is dropped.
    yield attempt(() => inflateSync(data, { out: new Uint8Array(size + 1) }), damaged)
    return
  }
  let parts: Uint8Array[] = []
  const stream = new Inflate((part) => parts.push(part))
  for (let at = 0; at < data.length; at += SLICE) {
    attempt(() => stream.push(data.subarray(at, at + SLICE), at + SLICE >= data.length), damaged)
    yield* parts
    parts = []
  }
}

function attempt<T>(work: () => T, fault: () => Error): T {
  try {
    return work()
  } catch {
    throw fault()
  }
}
