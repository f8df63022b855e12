import { decodeUtf8, encodeUtf8 } from '../utf8.js'
import type { ArchiveEntry } from './entry.js'
import { archiveError } from './faults.js'
import type { EntryGuard } from './guard.js'
import { innerPath } from './names.js'

/** The start of every snapshot. The version number follows it. */
export const SNAPSHOT_MAGIC = 'toolport-snapshot '
export const SNAPSHOT_VERSION = 1
/** Maximum length in bytes of the first line, which contains the magic text, version, length and hash. */
export const MAX_HEAD = 128

/** One line of the manifest. */
export interface Listed extends Pick<ArchiveEntry, 'path' | 'kind' | 'mode' | 'size' | 'target'> {
  /** The hash of a file. */
  readonly hash?: string
}

/**
 * Encodes the manifest as canonical JSON, one entry per line: `["dir",path]`, `["file",path,size,sha256]`, `["symlink",path,target]`. A
 * mode, if kept, comes last.
 */
export function manifestOf(entries: readonly Listed[]): Uint8Array {
  return encodeUtf8(entries.map((entry) => `${lineOf(entry)}\n`).join(''))
}

export function headOf(manifest: Uint8Array, hash: string): string {
  return `${SNAPSHOT_MAGIC}${SNAPSHOT_VERSION} ${manifest.length} ${hash}\n`
}

/** @throws {InputError} `format`, `unsupported`, `corrupt` */
export function parseHead(line: string): { readonly length: number; readonly hash: string } {
  if (!line.startsWith(SNAPSHOT_MAGIC)) throw archiveError('format', 'it is not a snapshot')
  const [version, length, hash, ...more] = line.slice(SNAPSHOT_MAGIC.length).split(' ')
  if (version !== String(SNAPSHOT_VERSION)) {
    const shown = JSON.stringify(version?.slice(0, 10))
    throw archiveError('unsupported', `it is a snapshot of version ${shown}, and only version ${SNAPSHOT_VERSION} is supported`)
  }
  if (more.length > 0 || !/^(0|[1-9]\d{0,14})$/.test(length ?? '') || !/^[0-9a-f]{64}$/.test(hash ?? '')) {
    throw archiveError('corrupt', 'its first line is damaged')
  }
  return { length: Number(length), hash: hash as string }
}

/** @throws {InputError} `corrupt`, `name`, `collision`; {FsError} EFBIG */
export function parseManifest(bytes: Uint8Array, guard: EntryGuard): Listed[] {
  const text = decodeUtf8(bytes)
  if (text === undefined || (text !== '' && !text.endsWith('\n'))) throw archiveError('corrupt', 'its manifest is damaged')
  const folders = new Set([''])
  const sizes = new Map<string, number>()
  const entries: Listed[] = []
  for (const line of text.split('\n').slice(0, -1)) {
    const entry = parseLine(line, guard.limits.pathBytes)
    const { path, kind, size, hash } = entry
    const before = entries.at(-1)
    if (before && !(before.path < path)) throw archiveError('corrupt', 'is out of order', path)
    if (!folders.has(path.slice(0, Math.max(0, path.lastIndexOf('/'))))) throw archiveError('corrupt', 'has no parent directory', path)
    guard.admit(path, kind, size)
    if (kind === 'dir') folders.add(path)
    if (hash !== undefined && (sizes.get(hash) ?? size) !== size)
      throw archiveError('corrupt', 'has a hash that does not match its size', path)
    if (hash !== undefined) sizes.set(hash, size)
    entries.push(entry)
  }
  return entries
}

function lineOf({ path, kind, size, target, hash, mode }: Listed): string {
  const body = kind === 'dir' ? [] : kind === 'file' ? [size, hash] : [target]
  return JSON.stringify([kind, path, ...body, ...(mode === undefined ? [] : [mode])])
}

function parseLine(line: string, pathBytes: number): Listed {
  const entry = listed(parsedJson(line))
  // Accept only the canonical encoding of an entry, so that any changed byte is detected.
  if (!entry || lineOf(entry) !== line) throw archiveError('corrupt', `its manifest has a damaged line: ${line.slice(0, 120)}`)
  if (innerPath(entry.path, pathBytes) !== entry.path) throw archiveError('name', 'has a path that is not normalised', entry.path)
  return entry
}

function parsedJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function listed(value: unknown): Listed | undefined {
  if (!Array.isArray(value)) return undefined
  const [kind, path, ...rest] = value as unknown[]
  if (typeof path !== 'string') return undefined
  if (kind === 'dir') return withMode({ kind, path, size: 0 }, rest[0])
  if (kind === 'symlink') return typeof rest[0] === 'string' && rest[0] !== '' ? { kind, path, size: 0, target: rest[0] } : undefined
  const [size, hash, mode] = rest
  if (kind !== 'file' || !isSize(size) || typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) return undefined
  return withMode({ kind, path, size, hash }, mode)
}

function withMode(entry: Listed, mode: unknown): Listed | undefined {
  if (mode === undefined) return entry
  return isSize(mode) && mode <= 0o777 ? { ...entry, mode } : undefined
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0)
}
