import type { ArchiveEntries, ArchiveEntry, ImportOptions, ImportProgress, ImportReport } from 'toolport/archive'
import { formatBytes, formatCount, plural } from '../format.js'
import type { Task } from '../homes/task-bar.js'
import { saveFile } from '../save-file.js'
import type { Workspace } from '../session.js'
import { visibleNameText } from '../visible.js'

export type ExportKind = 'tar.gz' | 'zip' | 'snapshot'

export const exportKinds: readonly { readonly kind: ExportKind; readonly label: string; readonly about: string }[] = [
  { kind: 'tar.gz', label: '.tar.gz', about: 'for any machine' },
  { kind: 'zip', label: '.zip', about: 'for any machine' },
  { kind: 'snapshot', label: 'Snapshot', about: 'the same bytes for the same files, checked when it is read' },
]

/** File types that the file chooser offers. */
export const ARCHIVES = '.tar,.tgz,.gz,.zip,.toolport'

const isZip = (head: Uint8Array): boolean => head[0] === 0x50 && head[1] === 0x4b

/** The message after an import into the open workspace. */
export function toldOf({ files, links, replaced, skipped }: ImportReport, fileName: string): string {
  const name = visibleNameText(fileName)
  const left = leftOut({ skipped })
  const count = files + links
  if (count === 0) return `${name} holds no files.${left}`
  const what = [files > 0 && plural(files, 'file'), links > 0 && plural(links, 'link')].filter((part) => part !== false).join(' and ')
  const which = count === 1 ? '' : `${formatCount(replaced)} of them `
  const over = replaced === 0 ? '' : `, ${which}in the place of ${replaced === 1 ? 'another' : 'others'}`
  return `${what} of ${name} ${count === 1 ? 'is' : 'are'} in the workspace now${over}. The timeline takes it back.${left}`
}

/** Describes the skipped links, with a leading blank. Empty if none were skipped. */
export function leftOut({ skipped }: Pick<ImportReport, 'skipped'>): string {
  const links = skipped.filter(({ reason }) => reason === 'link').length
  return links === 0 ? '' : ` Left out: ${plural(links, 'link')} that ${links === 1 ? 'leads' : 'lead'} out of it.`
}

type Open = () => ArchiveEntries

/**
 * Imports an archive into the workspace and replaces entries of the same name. Imports everything or nothing. Skips links that point
 * outside the workspace and lists them in the report. `beforeWriting` runs after the archive has passed all checks.
 */
export async function importFile(
  workspace: Workspace,
  file: File,
  { signal, tell }: Partial<Task> = {},
  beforeWriting: () => Promise<unknown> = async () => undefined,
): Promise<ImportReport> {
  const { DEFAULT_ARCHIVE_LIMITS, importEntries } = await import('toolport/archive')
  const onProgress = ({ files }: ImportProgress): void => tell?.(plural(files, 'file'))
  const options = { overwrite: 'replace', links: 'keep', onProgress, ...(signal && { signal }) } as const
  if (file.size > DEFAULT_ARCHIVE_LIMITS.bytes) {
    throw new Error(`It has ${formatBytes(file.size)}: archives of up to ${formatBytes(DEFAULT_ARCHIVE_LIMITS.bytes)} are taken.`)
  }
  const out = new Set<string>()
  const refuse = (error: unknown): never => {
    throw isFormat(error) ? new Error(noArchive(file), { cause: error }) : inWords(error, workspace)
  }
  const open = await opener(file, signal).catch(refuse)
  const openKept = (): AsyncGenerator<ArchiveEntry> => withoutLinksOut(open(), out)
  await rehearse(workspace, openKept, options).catch(refuse)
  signal?.throwIfAborted()
  await beforeWriting()
  const report = await importEntries(workspace, openKept(), options).catch(refuse)
  return { ...report, skipped: [...report.skipped, ...[...out].map((path) => ({ path, reason: 'link' as const }))] }
}

/** Returns a function that opens the archive's entries, as often as needed. */
async function opener(file: File, signal: AbortSignal | undefined): Promise<Open> {
  if (isZip(new Uint8Array(await file.slice(0, 2).arrayBuffer()))) {
    const { readZip } = await import('toolport/adapters/zip')
    const entries = await readZip(new Uint8Array(await file.arrayBuffer()))
    return () => entries
  }
  const { readArchive } = await import('toolport/archive')
  return () => readArchive(file.stream(), signal && { signal })
}

/** Runs all checks of an import without writing. */
async function rehearse(workspace: Workspace, open: Open, options: ImportOptions): Promise<void> {
  const { importEntries } = await import('toolport/archive')
  const inOrder = new Error('What is asked for a second time is to be written')
  let asked = 0
  const openOnce = (): ArchiveEntries => {
    if (asked++ > 0) throw inOrder
    return open()
  }
  await importEntries(workspace, openOnce, options).catch((error: unknown) => {
    if (error !== inOrder) throw error
  })
}

async function* withoutLinksOut(entries: ArchiveEntries, out: Set<string>): AsyncGenerator<ArchiveEntry> {
  for await (const entry of entries) {
    if (entry.kind === 'symlink' && leadsOut(entry)) out.add(entry.path)
    else yield entry
  }
}

/** Whether a link points outside the workspace. A `..` after a name also counts as outside, because that name may itself be a link. */
function leadsOut({ path, target = '' }: ArchiveEntry): boolean {
  const named = (part: string): boolean => part !== '' && part !== '.'
  const parts = target.split('/').filter(named)
  const up = parts.findIndex((part) => part !== '..')
  const climbs = up < 0 ? parts.length : up
  const depth = path.split('/').filter(named).length - 1
  return target === '' || /^\/|[\0\\]/.test(target) || climbs > depth || parts.includes('..', climbs)
}

/**
 * Whether the file is not an archive in any known format. The reader's message names only the last format that it tried, so the caller
 * replaces it.
 */
function isFormat(error: unknown): boolean {
  return (error as { readonly details?: { readonly reason?: string } }).details?.reason === 'format'
}

const noArchive = ({ name, size }: File): string =>
  size === 0 ? `${name} is empty.` : `${name} is no archive that can be read here: tar (also gzipped), zip and Toolport’s snapshots are.`

interface Fault {
  readonly code?: string
  readonly path?: string
  readonly detail?: string
  readonly details?: { readonly reason?: string; readonly entry?: string }
}

/** Replaces an import error by a message for users, without error code and advice for programs. Returns other errors unchanged. */
function inWords(error: unknown, { root }: Workspace): unknown {
  const fault = error as Fault
  const words = tooLarge(fault) ?? inTheWay(fault, root) ?? refusedLink(fault)
  return words === undefined ? error : new Error(words, { cause: error })
}

function tooLarge({ code, path, detail }: Fault): string | undefined {
  if (code !== 'EFBIG' && code !== 'ENOSPC') return undefined
  const where = path === undefined || path === 'archive' ? '' : `, at “${path}”`
  return `It holds more than is taken${where}: ${detail ?? 'there is no room for it'}`
}

function inTheWay({ code, path = '', detail = '' }: Fault, root: string): string | undefined {
  const name = `“${visibleNameText(path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path)}”`
  if (code === 'EACCES' && detail.includes('reserved')) return `It holds ${name}: that name is reserved here, for what the timeline keeps.`
  if (code === 'EISDIR') return `It holds a file ${name}, and a folder of that name is here.`
  if (code === 'ENOTDIR') return `It holds a folder ${name}, and a file of that name is here.`
  return code === 'ELOOP' ? `It holds a folder ${name}, and a link of that name is here.` : undefined
}

function refusedLink({ details }: Fault): string | undefined {
  return details?.reason === 'link' ? `It holds a link that cannot be kept here: “${visibleNameText(details.entry ?? '')}”.` : undefined
}

/** Exports the whole workspace as one file. @throws the signal's reason */
export async function exportFile(workspace: Workspace, kind: ExportKind, task: Partial<Task> = {}): Promise<Blob> {
  const { signal } = task
  const stopped = signal && { signal }
  const archive = await import('toolport/archive')
  if (kind !== 'zip') return whole(archive.exportWorkspace(workspace, { format: kind, ...stopped }), task)
  const { writeZip } = await import('toolport/adapters/zip')
  return whole(archive.toStream(await writeZip(archive.archiveEntries(workspace, stopped))), task)
}

/** Collects a stream into a Blob and reports progress. A `Response` would hide the cause of a failure. */
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

/** Offers a file as a browser download. */
export function download(blob: Blob, name: string, kind: ExportKind): void {
  saveFile(blob, `${name.replaceAll(/[^\w.-]+/g, '-') || 'workspace'}.${ENDINGS[kind]}`)
}
