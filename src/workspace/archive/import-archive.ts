import { required } from '../../errors/required.js'
import type { ArchiveEntry, ArchiveSource } from '../../ops/archive/entry.js'
import { readArchive } from '../../ops/archive/open-archive.js'
import type { Workspace } from '../../types/workspace.js'
import { importEntries } from './import-entries.js'
import type { ImportOptions, ImportReport } from './options.js'

/** An archive: its bytes, a stream of chunks, or a `Blob` (a `File` from a file picker). */
export type ArchiveData = ArchiveSource | { stream(): ReadableStream<Uint8Array> }

/** Options of `importArchive`. */
export interface ImportArchiveOptions extends ImportOptions {
  /** Devices and FIFOs of a tar archive: `refuse` the archive (default) or `skip` them. A hard link becomes a copy of its file. */
  readonly special?: 'refuse' | 'skip'
}

/**
 * Imports a tar archive or a snapshot, gzipped or not. Detects the format from the first bytes. Reads bytes and blobs twice: first to check
 * the whole archive, including the hashes of a snapshot, then to write. Checks the entries of a stream one by one as they arrive.
 *
 * For a zip archive use `importEntries(workspace, await readZip(data), options)` with `readZip` of `toolport/adapters/zip`.
 *
 * @throws as `importEntries`
 */
export async function importArchive(workspace: Workspace, data: ArchiveData, options: ImportArchiveOptions = {}): Promise<ImportReport> {
  required('importArchive', 'a Workspace', workspace, 'resolve')
  const { limits, signal, special } = options
  let specials: string[] = []
  const onSkipped = (path: string): unknown => specials.push(path)
  const reading = { hardLinks: true, onSkipped, ...(limits && { limits }), ...(signal && { signal }), ...(special && { special }) }
  const open = (): AsyncGenerator<ArchiveEntry> => {
    specials = []
    return readArchive(isBlob(data) ? data.stream() : data, reading)
  }
  try {
    const report = await importEntries(workspace, ArrayBuffer.isView(data) || isBlob(data) ? open : open(), options)
    return { ...report, skipped: [...report.skipped, ...specials.map((path) => ({ path, reason: 'special' as const }))] }
  } catch (error) {
    letGo(data, error)
    throw error
  }
}

/** Cancels a stream if the import failed before reading it, because a response's connection must not stay open. */
function letGo(data: ArchiveData, reason: unknown): void {
  if (typeof data !== 'object' || data === null || !('getReader' in data)) return
  try {
    data
      .getReader()
      .cancel(reason)
      .catch(() => undefined)
  } catch {
    // The stream is locked: its reader cancels it.
  }
}

function isBlob(data: ArchiveData): data is { stream(): ReadableStream<Uint8Array> } {
  return typeof data === 'object' && data !== null && 'stream' in data && typeof data.stream === 'function'
}
