import { InputError } from '../../errors/index.js'
import { required } from '../../errors/required.js'
import { gzip } from '../../ops/archive/gzip.js'
import { toStream } from '../../ops/archive/source.js'
import { writeSnapshot } from '../../ops/archive/write-snapshot.js'
import { writeTar } from '../../ops/archive/write-tar.js'
import type { Workspace } from '../../types/workspace.js'
import { type ArchiveEntriesOptions, archiveEntries, entriesOf } from './entries.js'

export type ExportFormat = 'tar' | 'tar.gz' | 'snapshot'

export interface ExportOptions extends ArchiveEntriesOptions {
  /**
   * `tar` and `tar.gz` go anywhere. A `snapshot` holds each content once, is checked byte by byte when it is read, and is the same for the
   * same tree, wherever that is kept.
   */
  readonly format: ExportFormat
  /** Default true for tar, false for a snapshot: storages without modes could not give the same bytes. */
  readonly modes?: boolean
}

/**
 * A workspace, or a directory of it, as an archive, made while it is read: one file of at most 1 MiB, or part of a file, is held at a time
 * (in a snapshot one whole file). No lock is taken: each file is as it was at some moment of the export.
 *
 * The stream fails with what `archiveEntries` throws. For zip pass `archiveEntries(workspace)` to `writeZip` of `toolport/adapters/zip`.
 *
 * @throws {InputError} for a format that does not exist
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
