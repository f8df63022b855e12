import { fromBase64, toBase64 } from '../../../ops/base64.js'
import { detectBinary } from '../../../ops/detect.js'
import { splitLines } from '../../../ops/lines.js'
import { decodeText } from '../../../workspace/content.js'
import type { Calls } from '../shared/calls.js'
import { changeAnyway } from '../shared/changing.js'
import { isDirectory, listAll } from '../shared/listing.js'
import { readWhole } from '../shared/reading.js'
import type { Paths } from './paths.js'
import type { DeepAgentsFileInfo, DeepAgentsRaw, DeepAgentsRead } from './types.js'

const READ_LIMIT = 10_000
const BINARY = 'application/octet-stream'
/** The `read_file` of deepagents shows this text unchanged. */
const EMPTY = 'System reminder: File exists but has empty contents'

interface ReadLines {
  readonly text?: string
  readonly start_line: number
  readonly end_line: number
  readonly total_lines?: number
  readonly next?: { readonly offset?: number }
}

export async function list(calls: Calls, path: string, outer: Paths['outer']): Promise<DeepAgentsFileInfo[]> {
  const files: DeepAgentsFileInfo[] = []
  for (const entry of await listAll(calls, path)) {
    const isDir = await isDirectory(calls, entry)
    const at = outer(entry.path)
    files.push({ path: isDir ? `${at}/` : at, is_dir: isDir, ...(entry.size !== undefined && { size: entry.size }) })
  }
  return files
}

interface ReadOptions {
  readonly offset: number
  readonly limit: number
  readonly maxFileBytes: number
}

/** Binary files that deepagents and models accept. */
const MEDIA = /^(?:image|audio|video)\/|^application\/pdf$/
/** The end of a line that `read_file` has cut. */
const CUT_LINE = /\.\.\. \[line cut: \d+ more characters, continue with byte_offset\]$/m

export async function read(calls: Calls, path: string, options: ReadOptions): Promise<DeepAgentsRead> {
  const { maxFileBytes } = options
  const offset = countFrom(options.offset)
  const limit = countFrom(options.limit)
  const lines = { offset: offset + 1, limit: Math.min(READ_LIMIT, Math.max(1, limit)) }
  const result = await calls.attempt('read_file', { path, ...lines, numbered: false })
  if (!result.ok) {
    const { code, detected, op, total_lines } = result.output
    if (typeof total_lines === 'number') return { error: `Line offset ${offset} exceeds file length (${total_lines} lines)` }
    // `read_file` shows only smaller images than deepagents.
    const isMedia = (code === 'binary_file' && MEDIA.test(String(detected))) || (code === 'EFBIG' && op === 'show')
    if (!isMedia) throw calls.failed(result)
  }
  const { text, start_line, end_line, total_lines, next } = result.output as unknown as ReadLines
  if (text === undefined) {
    const bytes = await readWhole(calls, path, maxFileBytes)
    return { content: bytes, mimeType: detectBinary(bytes) ?? BINARY }
  }
  if (end_line < start_line) return { content: EMPTY, mimeType: 'text/plain' }
  if (limit === 0) return { content: '', mimeType: 'text/plain' }
  return {
    content: CUT_LINE.test(text) ? await uncut(calls, path, { start_line, end_line, maxFileBytes }) : text,
    mimeType: 'text/plain',
    startLine: start_line,
    endLine: end_line,
    ...(total_lines !== undefined && { totalLines: total_lines }),
    ...(next?.offset !== undefined && { nextOffset: next.offset - 1 }),
  }
}

/** Normalizes like `normalizeReadPagination` of deepagents. */
const countFrom = (value: number): number => (Number.isFinite(value) ? Math.max(0, Math.floor(value)) : 0)

interface UncutLines {
  readonly start_line: number
  readonly end_line: number
  readonly maxFileBytes: number
}

/** Reads lines in full: deepagents promises unchanged content, and has no parameter to read the rest of a line. */
async function uncut(calls: Calls, path: string, { start_line, end_line, maxFileBytes }: UncutLines): Promise<string> {
  const { text } = decodeText(path, await readWhole(calls, path, maxFileBytes))
  return splitLines(text)
    .slice(start_line - 1, end_line)
    .join('\n')
}

export async function raw(calls: Calls, path: string, maxFileBytes: number): Promise<NonNullable<DeepAgentsRaw['data']>> {
  const bytes = await readWhole(calls, path, maxFileBytes)
  const { mtimeMs } = await calls.runtime.workspace.stat(path)
  const time = new Date(mtimeMs).toISOString()
  return { ...contentOf(path, bytes), created_at: time, modified_at: time }
}

function contentOf(path: string, bytes: Uint8Array): { content: string | Uint8Array; mimeType: string } {
  try {
    const { text, bom } = decodeText(path, bytes)
    return { content: bom ? `\ufeff${text}` : text, mimeType: 'text/plain' }
  } catch {
    return { content: bytes, mimeType: BINARY }
  }
}

/** Files whose content deepagents passes as base64, by their extension. */
const AS_BASE64 = /\.(?:png|jpe?g|gif|webp|hei[cf]|mp[34g]|wav|aiff|aac|ogg|flac|webm|mpeg|mov|avi|flv|wmv|3gpp|pdf|pptx?)$/i

/** Writes text, or the bytes of a binary file. Base64 that cannot be decoded is written as text. */
export async function write(calls: Calls, path: string, content: string): Promise<void> {
  const bytes = AS_BASE64.test(path) ? fromBase64(content.trim().replace(/^data:[^,]*,/, '')) : undefined
  await calls.run('write_file', { path, ...(bytes ? { content: toBase64(bytes), encoding: 'base64' } : { content }) })
}

export async function upload(calls: Calls, path: string, content: Uint8Array): Promise<void> {
  const result = await changeAnyway(calls, path, 'write_file', { path, content: toBase64(content), encoding: 'base64' })
  if (!result.ok) throw calls.failed(result)
}
