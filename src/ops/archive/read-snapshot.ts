import { decodeUtf8 } from '../utf8.js'
import { ByteReader } from './byte-reader.js'
import type { ArchiveEntry, ArchiveSource } from './entry.js'
import { archiveError, tooLarge } from './faults.js'
import { EntryGuard } from './guard.js'
import type { ArchiveLimits } from './limits.js'
import { sha256 } from './sha256.js'
import { type Listed, MAX_HEAD, parseHead, parseManifest, SNAPSHOT_MAGIC } from './snapshot-format.js'

/** Options of `readSnapshot`. */
export interface ReadSnapshotOptions {
  readonly limits?: ArchiveLimits
  readonly signal?: AbortSignal
}

const MANIFEST_BYTES = 64 * 1024 * 1024

/**
 * Reads the entries of a snapshot: directories, then files grouped by content, then links. Checks the hash of each content before it yields
 * the entry. Holds one content in memory.
 *
 * @throws {InputError} with `details.reason` and, if one entry is the cause, `details.entry`; {FsError} EFBIG; the signal's reason
 */
export async function* readSnapshot(source: ArchiveSource, { limits, signal }: ReadSnapshotOptions = {}): AsyncGenerator<ArchiveEntry> {
  const reader = new ByteReader(source, signal)
  try {
    const entries = parseManifest(await readManifest(reader), new EntryGuard(limits))
    for (const entry of entries) if (entry.kind === 'dir') yield entry
    for (const files of byContent(entries)) yield* filesOf(reader, files)
    if ((await reader.read(1)).length > 0) throw archiveError('corrupt', `bytes follow its end at byte ${reader.position - 1}`)
    for (const entry of entries) if (entry.kind === 'symlink') yield entry
  } finally {
    reader.close()
  }
}

async function readManifest(reader: ByteReader): Promise<Uint8Array> {
  const head = await reader.peek(MAX_HEAD)
  const end = head.indexOf(10)
  const line = decodeUtf8(end < 0 ? head : head.subarray(0, end))
  if (!line?.startsWith(SNAPSHOT_MAGIC)) throw archiveError('format', 'it is not a snapshot')
  if (end < 0) throw archiveError(head.length < MAX_HEAD ? 'truncated' : 'corrupt', 'its first line does not end')
  const { length, hash } = parseHead(line)
  if (length > MANIFEST_BYTES) throw tooLarge(`its manifest of ${length} bytes is larger than ${MANIFEST_BYTES}`)
  await reader.skip(end + 1)
  const manifest = await reader.read(length)
  if (manifest.length < length) throw archiveError('truncated', 'it is cut off in its manifest')
  if ((await sha256(manifest)) !== hash) throw archiveError('corrupt', 'its manifest does not match its hash')
  return manifest
}

/** Groups entries by content, in the order of the first occurrence, which is the order of the stored contents. */
function byContent(entries: readonly Listed[]): Iterable<readonly Listed[]> {
  const groups = new Map<string, Listed[]>()
  for (const entry of entries) {
    if (entry.hash === undefined) continue
    const group = groups.get(entry.hash)
    if (group) group.push(entry)
    else groups.set(entry.hash, [entry])
  }
  return groups.values()
}

async function* filesOf(reader: ByteReader, files: readonly Listed[]): AsyncGenerator<ArchiveEntry> {
  const [{ path, size, hash }] = files as readonly [Listed]
  const content = await reader.read(size)
  if (content.length < size) throw archiveError('truncated', `is cut off: the snapshot ends at byte ${reader.position}`, path)
  if ((await sha256(content)) !== hash) throw archiveError('corrupt', 'does not match its hash', path)
  for (const { hash: _, ...file } of files) yield size > 0 ? { ...file, content } : file
}
