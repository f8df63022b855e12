import { required } from '../../errors/required.js'
import { ByteReader } from './byte-reader.js'
import type { ArchiveEntry, ArchiveSource } from './entry.js'
import { archiveError } from './faults.js'
import { gunzip } from './gzip.js'
import { readSnapshot } from './read-snapshot.js'
import { type ReadTarOptions, readTar } from './read-tar.js'
import { SNAPSHOT_MAGIC } from './snapshot-format.js'
import { BLOCK } from './tar-fields.js'

/** The formats that `archiveFormat` detects. `gzip` is any gzipped data, usually `tar.gz`. */
export type ArchiveFormat = 'tar' | 'gzip' | 'snapshot' | 'zip'

const MAGIC = new TextEncoder().encode(SNAPSHOT_MAGIC)
const ZIP = [
  [0x50, 0x4b, 3, 4],
  [0x50, 0x4b, 5, 6],
]
/** Signatures of formats that no runtime can decompress. Errors name these formats. */
const OTHERS: readonly (readonly [string, readonly number[]])[] = [
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['7z', [0x37, 0x7a, 0xbc, 0xaf]],
  ['rar', [0x52, 0x61, 0x72, 0x21]],
]

/** Detects the format from the first bytes (512 are enough). The default is `tar`, which may have no signature. */
export function archiveFormat(head: Uint8Array): ArchiveFormat {
  required('archiveFormat', 'the first bytes of an archive', head, 'subarray')
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip'
  if (begins(head, MAGIC)) return 'snapshot'
  return ZIP.some((mark) => begins(head, mark)) ? 'zip' : 'tar'
}

/**
 * Reads the entries of a tar archive or a snapshot, compressed with gzip or not, as `readTar` and `readSnapshot` do.
 *
 * @throws {InputError} `unsupported` for a zip archive (use `readZip` of `toolport/adapters/zip`) and for other compressions
 */
export function readArchive(source: ArchiveSource, options: ReadTarOptions = {}): AsyncGenerator<ArchiveEntry> {
  return opened(source, options, true)
}

async function* opened(source: ArchiveSource, options: ReadTarOptions, gzipped: boolean): AsyncGenerator<ArchiveEntry> {
  const reader = new ByteReader(source, options.signal)
  try {
    const head = await reader.peek(BLOCK)
    const format = archiveFormat(head)
    const rest = reader.rest()
    if (format === 'gzip' && gzipped) yield* opened(gunzip(rest, options), options, false)
    else if (format === 'snapshot') yield* readSnapshot(rest, options)
    else if (format === 'tar') {
      refuseOthers(head)
      yield* readTar(rest, options)
    } else if (format === 'zip') {
      throw archiveError('unsupported', 'it is a zip archive: read it with readZip of "toolport/adapters/zip" and import its entries')
    } else throw archiveError('unsupported', 'it is gzipped twice')
  } finally {
    reader.close()
  }
}

/** @throws {InputError} */
function refuseOthers(head: Uint8Array): void {
  for (const [name, mark] of OTHERS) {
    if (begins(head, mark) && !isUstar(head))
      throw archiveError('unsupported', `it is compressed with ${name}: use gzip, or no compression`)
  }
}

function isUstar(head: Uint8Array): boolean {
  return begins(head.subarray(257), [0x75, 0x73, 0x74, 0x61, 0x72])
}

function begins(bytes: Uint8Array, mark: ArrayLike<number>): boolean {
  for (let i = 0; i < mark.length; i++) if (bytes[i] !== mark[i]) return false
  return true
}
