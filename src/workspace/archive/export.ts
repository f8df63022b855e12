import { InputError } from '../../errors/index.js'
import { required } from '../../errors/required.js'
import { gzip } from '../../ops/archive/gzip.js'
import { toStream } from '../../ops/archive/source.js'
import { writeSnapshot } from '../../ops/archive/write-snapshot.js'
import { writeTar } from '../../ops/archive/write-tar.js'
import type { Workspace } from '../../types/workspace.js'
import { type ArchiveEntriesOptions, archiveEntries, entriesOf } from './entries.js'

/** The archive formats that `exportWorkspace` writes. */
export type ExportFormat = 'tar' | 'tar.gz' | 'snapshot'

/** Options of `exportWorkspace`. */
export interface ExportOptions extends ArchiveEntriesOptions {
  /**
   * Other programs read `tar` and `tar.gz`. A `snapshot` stores equal contents once, verifies every byte when it is read, and has the same
   * bytes for the same tree on every storage.
   */
  readonly format: ExportFormat
  /**
   * Include permission bits. Default true for tar, false for a snapshot, because storages without modes could not produce the same bytes.
   */
  readonly modes?: boolean
}

/**
 * Exports a workspace, or one of its directories, as a streamed archive. Holds at most 1 MiB of one file in memory (for a snapshot one
 * whole file). Takes no lock: each file has the content that it had at some moment during the export.
 *
 * The stream fails with the errors of `archiveEntries`. For zip pass `archiveEntries(workspace)` to `writeZip` of `toolport/adapters/zip`.
 *
 * @throws {InputError} for an unknown format
 */
export function exportWorkspace(workspace: Workspace, options: ExportOptions): ReadableStream<Uint8Array> {
  required('exportWorkspace', 'a Workspace', workspace, 'resolve')
  required('exportWorkspace', 'the option "format": "tar", "tar.gz" or "snapshot"', options?.format)
  return toStream(bytesOf(workspace, options))
}

function bytesOf(workspace: Workspace, { format, ...options }: ExportOptions): AsyncGenerator<Uint8Array> {
  const signal = options.signal && { signal: options.signal }
  if (format === 'snapshot') {
    return writeSnapshot(archiveEntries(workspace, { ...options, times: false }), { modes: options.modes ?? false, ...signal })
  }
  if (format !== 'tar' && format !== 'tar.gz') {
    throw new InputError('invalid_input', `Cannot export: there is no format "${format}". Use "tar", "tar.gz" or "snapshot"`)
  }
  const entries = entriesOf(workspace, { ...options, modes: options.modes ?? true }, true)
  const tar = writeTar(entries, { ...(options.times && { mtimeMs: 'keep' }), ...signal })
  return format === 'tar' ? tar : gzip(tar, options.signal)
}
