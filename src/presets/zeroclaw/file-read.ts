import { defineTool } from '../../core/define-tool.js'
import { FsError, InputError, WorkspaceError } from '../../errors/index.js'
import { toBase64 } from '../../ops/base64.js'
import { detectBinary } from '../../ops/detect.js'
import { splitLines } from '../../ops/lines.js'
import { decodeUtf8 } from '../../ops/utf8.js'
import type { AnyTool, ToolContext } from '../../types/tool.js'
import { Slicer } from '../../workspace/slicer.js'
import { argumentsSchema, countOf, optionalStringParam, stringParam } from './arguments.js'
import type { Guard } from './guard.js'
import { ToolFailed } from './tool-failure.js'

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Path to the file, relative to the workspace or absolute inside it' },
    offset: { type: 'integer', description: 'First line to read, from 1 (default: 1)' },
    limit: { type: 'integer', description: 'Lines to read at the most (default: all)' },
    encoding: { type: 'string', enum: ['utf8', 'base64'], description: 'base64 gives the bytes of any file (default: utf8)' },
  },
  required: ['path'],
}

export function fileReadTool(guard: Guard): AnyTool {
  return defineTool({
    name: 'file_read',
    description: 'Read a file in the workspace, with line numbers, in whole or from a line on',
    inputSchema: argumentsSchema<FileReadInput>(schema, (args) => {
      const path = stringParam(args, 'path')
      const encoding = optionalStringParam(args, 'encoding') ?? 'utf8'
      if (encoding !== 'utf8' && encoding !== 'base64') {
        throw new InputError('invalid_input', `Invalid 'encoding' parameter: expected utf8 or base64`)
      }
      return { path, offset: Math.max(1, countOf(args, 'offset') ?? 1), limit: countOf(args, 'limit'), encoding }
    }),
    annotations: { title: 'Read file', readOnlyHint: true, openWorldHint: false },
    run: async (input, context) => {
      await guard.admitTool({ tool: 'file_read', input }, context)
      return runFileRead(input, context, guard)
    },
  })
}

const MAX_FILE_BYTES = 10 * 1024 * 1024
/** Maximum length of the numbered text, because line numbers can make a file of empty lines ten times as long. */
const MAX_TEXT = 16 * 1024 * 1024
/** Lines to number in one step, which takes about a millisecond. */
const CHUNK_LINES = 5000

interface FileReadInput {
  readonly path: string
  /** First line, one-based. */
  readonly offset: number
  /** Maximum number of lines; undefined: to the end. */
  readonly limit: number | undefined
  readonly encoding: 'utf8' | 'base64'
}

/** @throws ToolFailed, WorkspaceError, FsError */
async function runFileRead(input: FileReadInput, context: ToolContext, guard: Guard): Promise<string> {
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
