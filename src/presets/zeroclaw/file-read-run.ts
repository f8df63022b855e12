import { FsError, WorkspaceError } from '../../errors/index.js'
import { toBase64 } from '../../ops/base64.js'
import { detectBinary } from '../../ops/detect.js'
import { splitLines } from '../../ops/lines.js'
import { decodeUtf8 } from '../../ops/utf8.js'
import type { ToolContext } from '../../types/tool.js'
import { Slicer } from '../../workspace/slicer.js'
import type { Guard } from './guard.js'
import { ToolFailed } from './tool-failure.js'

const MAX_FILE_BYTES = 10 * 1024 * 1024
/** Numbers can make a file of empty lines ten times as long. */
const MAX_TEXT = 16 * 1024 * 1024
/** Lines numbered in one go, about a millisecond. */
const CHUNK_LINES = 5000

export interface FileReadInput {
  readonly path: string
  /** Line, 1-based. */
  readonly offset: number
  /** Lines at the most; absent: to the end. */
  readonly limit: number | undefined
  readonly encoding: 'utf8' | 'base64'
}

/** @throws ToolFailed, WorkspaceError, FsError */
export async function runFileRead(input: FileReadInput, context: ToolContext, guard: Guard): Promise<string> {
  const { workspace, versions, signal } = context
  const real = await guard.admitPath(input.path, 'read', context)
  const { kind, size } = await workspace.stat(real, 'read')
  if (kind === 'dir') throw new FsError({ code: 'EISDIR', op: 'read', path: real })
  if (size > MAX_FILE_BYTES) throw new ToolFailed(`File too large: ${size} bytes (limit: ${MAX_FILE_BYTES} bytes)`)
  const { path, bytes, version } = await workspace.readBytes(real)
  signal.throwIfAborted()
  versions.set(path, version)
  return input.encoding === 'base64' ? toBase64(bytes) : numbered(input, textOf(path, bytes), new Slicer(context.host, { signal }))
}

function textOf(path: string, bytes: Uint8Array): string {
  const text = decodeUtf8(bytes)
  const detected = detectBinary(bytes, text) ?? (text === undefined ? 'not valid UTF-8' : undefined)
  if (detected !== undefined || text === undefined) throw notText(path, detected ?? '')
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

function notText(path: string, detected: string): WorkspaceError {
  const what = detected.startsWith('image/') ? 'an image' : 'no text file'
  const words = `"${path}" is ${what} (${detected}): read it with encoding "base64" for its bytes`
  return new WorkspaceError('binary_file', path, words, detected)
}

async function numbered({ offset, limit }: FileReadInput, text: string, slicer: Slicer): Promise<string> {
  const lines = splitLines(text)
  const total = lines.length
  if (total === 0) return ''
  const start = offset - 1
  const end = Math.min(total, limit === undefined ? total : start + limit)
  if (start >= end) return `[No lines in range, file has ${total} lines]`
  let out = ''
  for (let from = start; from < end; from += CHUNK_LINES) {
    const chunk = lines.slice(from, Math.min(end, from + CHUNK_LINES))
    out += chunk.map((line, i) => `${from + i + 1}: ${line}\n`).join('')
    if (out.length > MAX_TEXT)
      throw new ToolFailed(`File too large to show with line numbers: read fewer of its ${total} lines (offset, limit)`)
    if (slicer.due(1000)) await slicer.pause()
  }
  return `${out}${end - start < total ? `[Lines ${offset}-${end} of ${total}]` : `[${total} lines total]`}`
}
