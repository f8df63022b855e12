import type { ImportProgress, ImportReport } from 'toolport/archive'
import { formatBytes, plural } from '../format.js'
import type { Task } from '../homes/task-bar.js'
import { saveFile } from '../save-file.js'
import type { Workspace } from '../session.js'

export type ExportKind = 'tar.gz' | 'zip' | 'snapshot'

export const exportKinds: readonly { readonly kind: ExportKind; readonly label: string; readonly about: string }[] = [
  { kind: 'tar.gz', label: '.tar.gz', about: 'for any machine' },
  { kind: 'zip', label: '.zip', about: 'for any machine' },
  { kind: 'snapshot', label: 'Snapshot', about: 'the same bytes for the same files, checked when it is read' },
]

/** What the file chooser offers. */
export const ARCHIVES = '.tar,.tgz,.gz,.zip,.toolport'

const isZip = (head: Uint8Array): boolean => head[0] === 0x50 && head[1] === 0x4b

/** Puts the content of an archive into the workspace, in the place of what has the same name. All of it or nothing. */
export async function importFile(workspace: Workspace, file: File, { signal, tell }: Partial<Task> = {}): Promise<ImportReport> {
  const { DEFAULT_ARCHIVE_LIMITS, importArchive, importEntries } = await import('toolport/archive')
  const onProgress = ({ files }: ImportProgress): void => tell?.(plural(files, 'file'))
  const options = { overwrite: 'replace', links: 'keep', onProgress, ...(signal && { signal }) } as const
  if (file.size > DEFAULT_ARCHIVE_LIMITS.bytes) {
    throw new Error(`It has ${formatBytes(file.size)}: archives of up to ${formatBytes(DEFAULT_ARCHIVE_LIMITS.bytes)} are taken.`)
  }
  try {
    if (!isZip(new Uint8Array(await file.slice(0, 2).arrayBuffer()))) return await importArchive(workspace, file, options)
    const { readZip } = await import('toolport/adapters/zip')
    const entries = await readZip(new Uint8Array(await file.arrayBuffer()))
    return await importEntries(workspace, entries, options)
  } catch (error) {
    throw isFormat(error) ? new Error(noArchive(file), { cause: error }) : tooLarge(error)
  }
}

/** Nothing in it is that of an archive: which of the formats was tried last does not matter to anybody. */
function isFormat(error: unknown): boolean {
  return (error as { readonly details?: { readonly reason?: string } }).details?.reason === 'format'
}

const noArchive = ({ name, size }: File): string =>
  size === 0 ? `${name} is empty.` : `${name} is no archive that can be read here: tar (also gzipped), zip and Toolport’s snapshots are.`

/** A limit that was passed, without the code of the error; anything else as it is. */
function tooLarge(error: unknown): unknown {
  const { code, path, detail } = error as { readonly code?: string; readonly path?: string; readonly detail?: string }
  if (code !== 'EFBIG' && code !== 'ENOSPC') return error
  const where = path === undefined || path === 'archive' ? '' : `, at “${path}”`
  return new Error(`It holds more than is taken${where}: ${detail ?? 'there is no room for it'}`, { cause: error })
}

/** The whole workspace as one file. @throws the signal's reason */
export async function exportFile(workspace: Workspace, kind: ExportKind, task: Partial<Task> = {}): Promise<Blob> {
  const { signal } = task
  const stopped = signal && { signal }
  const archive = await import('toolport/archive')
  if (kind !== 'zip') return whole(archive.exportWorkspace(workspace, { format: kind, ...stopped }), task)
  const { writeZip } = await import('toolport/adapters/zip')
  return whole(archive.toStream(await writeZip(archive.archiveEntries(workspace, stopped))), task)
}

/** All of what comes, while it is told how much has come. A `Response` would say only that it failed, not why. */
async function whole(stream: ReadableStream<Uint8Array>, { signal, tell }: Partial<Task>): Promise<Blob> {
  const reader = stream.getReader()
  const parts: BlobPart[] = []
  let bytes = 0
  try {
    for (;;) {
      signal?.throwIfAborted()
      const { done, value } = await reader.read()
      if (done) return new Blob(parts)
      parts.push(value as Uint8Array<ArrayBuffer>)
      bytes += value.length
      tell?.(formatBytes(bytes))
    }
  } catch (error) {
    await reader.cancel().catch(() => undefined)
    throw error
  }
}

const ENDINGS: Readonly<Record<ExportKind, string>> = { 'tar.gz': 'tar.gz', zip: 'zip', snapshot: 'toolport' }

/** Hands a file to the browser's downloads. */
export function download(blob: Blob, name: string, kind: ExportKind): void {
  saveFile(blob, `${name.replaceAll(/[^\w.-]+/g, '-') || 'workspace'}.${ENDINGS[kind]}`)
}
