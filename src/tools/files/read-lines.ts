import { reply } from '../../core/define-tool.js'
import { FsError, InputError, WorkspaceError } from '../../errors/index.js'
import { toBase64 } from '../../ops/base64.js'
import { detectBinary, imageType } from '../../ops/detect.js'
import { readIndentation } from '../../ops/indentation.js'
import { detectEol, numberLines, splitLines } from '../../ops/lines.js'
import { linesWithin } from '../../ops/lines-within.js'
import { codePointBoundary, decodeUtf8 } from '../../ops/utf8.js'
import { decodeSteps } from '../../ops/utf8-steps.js'
import type { FsStat } from '../../types/fs.js'
import type { ToolContext, ToolReply } from '../../types/tool.js'
import { inSlices, Slicer } from '../../workspace/slicer.js'
import { findLineWindow, startOfLast } from './line-window.js'
import type { ReadFileInput, ReadImageOutput, ReadLinesOutput } from './read-result.js'

/** Maximum characters of a line to show. */
const MAX_LINE = 2000
/** Bytes for the number and the end of a line. */
const NUMBERED = 8
/** Maximum size in bytes of a file that is read at once. */
const WHOLE_FILE = 4 * 1024 * 1024
/** Bytes to read of a larger file to detect its type. */
const HEAD = 64 * 1024
/** Maximum size of a file whose lines are counted. */
const MAX_COUNTED = 64 * 1024 * 1024
const MAX_IMAGE = 5 * 1024 * 1024

export async function readLines(
  input: ReadFileInput,
  stat: FsStat,
  context: ToolContext,
): Promise<ReadLinesOutput | ToolReply<ReadImageOutput>> {
  const { workspace, versions } = context
  if (stat.kind === 'dir') throw new FsError({ code: 'EISDIR', op: 'read', path: workspace.resolve(input.path) })
  const whole = stat.size <= WHOLE_FILE
  if (stat.size > MAX_COUNTED && input.mode === 'indentation') throw tooLarge(workspace.resolve(input.path), stat.size)
  const { path, bytes, version } = await workspace.readBytes(input.path, whole ? undefined : { length: HEAD })
  versions.set(path, version)
  const image = imageType(bytes)
  if (image) return readImage(path, image, stat.size, context)
  const text = whole ? decodeUtf8(bytes) : undefined
  const detected = detectBinary(bytes, text)
  if (detected !== undefined) throw notText(path, `it is binary (${detected})`, detected)
  if (!whole) return build(input, path, await sliceWindow(input, path, stat.size, context))
  if (text === undefined) throw notText(path, 'it is not valid UTF-8', 'application/octet-stream')
  return build(input, path, sliceText(input, path, bytes.length, text))
}

function sliceText(input: ReadFileInput, path: string, size: number, decoded: string): Slice {
  const bom = decoded.charCodeAt(0) === 0xfeff
  const text = bom ? decoded.slice(1) : decoded
  const lines = splitLines(text)
  const first = firstLine(input.offset, lines.length)
  checkOffset(first, lines.length, path)
  const range =
    input.mode === 'indentation' && lines.length > 0
      ? indentationRange(input, input.indentation?.anchor_line ?? first, lines.length, lines)
      : { start: first, end: Math.min(first + input.limit - 1, lines.length) }
  const shown = lines.slice(range.start - 1, range.end)
  return { shown, first: range.start, total: lines.length, size, eol: detectEol(text), bom }
}

/** Returns the number of the first line. A negative offset counts from the end. */
function firstLine(offset: number, total: number): number {
  return offset > 0 ? offset : Math.max(1, total + 1 + offset)
}

async function sliceWindow(input: ReadFileInput, path: string, size: number, context: ToolContext): Promise<Slice> {
  const { offset, limit } = input
  const stops = size > MAX_COUNTED
  const isFromEnd = offset < 0
  const from = stops && isFromEnd ? await startOfLast(context, path, -offset, size) : 0
  const counted = !stops && isFromEnd ? (await findLineWindow(context, path, 1, 1)).totalLines : 0
  const first = from > 0 ? offset : firstLine(offset, counted)
  // All lines of a block are within `limit` lines of its anchor.
  const anchor = input.mode === 'indentation' ? (input.indentation?.anchor_line ?? first) : undefined
  const begin = anchor === undefined ? first : Math.max(1, anchor - limit)
  const [line, lines] = from > 0 ? [1, Math.min(limit, -offset)] : [begin, anchor === undefined ? limit : 2 * limit + 1]
  const { bytes, totalLines, bom, more } = await findLineWindow(context, path, line, lines, { from, stops: stops || isFromEnd })
  // To find the first line, all lines were counted, unless the search began at this line.
  const total = from > 0 ? Number.POSITIVE_INFINITY : counted > 0 ? Math.min(counted, totalLines) : totalLines
  if (anchor === undefined) checkOffset(first, total, path)
  else if (anchor > total) throw pastEnd('indentation.anchor_line', anchor, total)
  const decoded = await inSlices(decodeSteps(bytes), new Slicer(context.host, context))
  if (decoded === undefined) throw notText(path, 'these lines are not valid UTF-8', 'application/octet-stream')
  const text = bom ? decoded.slice(1) : decoded
  const all = splitLines(text)
  const slice = { total, size, eol: detectEol(text), bom }
  if (anchor === undefined) return { ...slice, shown: all, first, more }
  const { start, end } = indentationRange(input, anchor - begin + 1, total, all)
  return { ...slice, shown: all.slice(start - 1, end), first: begin + start - 1 }
}

interface Slice {
  readonly shown: readonly string[]
  /** Negative if counted from the end. */
  readonly first: number
  /** Infinity if the lines were not counted. */
  readonly total: number
  readonly size: number
  readonly eol: ReadLinesOutput['eol']
  readonly bom: boolean
  /** Number of characters that were cut from the last line. */
  readonly more?: number
}

function build(input: ReadFileInput, path: string, { shown, first, total, size, eol, bom, more = 0 }: Slice): ReadLinesOutput {
  const lines = linesWithin(cutLongLines(shown, more), input.max_bytes, input.numbered ? NUMBERED : 1)
  const end = first + lines.length - 1
  // The block of indentation mode is complete unless the bytes ran out.
  const wanted = input.mode === 'indentation' ? first + shown.length - 1 : first < 0 ? -1 : total
  return {
    path,
    text: input.numbered ? numberLines(lines, first) : lines.join('\n'),
    start_line: total === 0 ? 1 : first,
    end_line: end,
    ...(Number.isFinite(total) && { total_lines: total }),
    size,
    eol,
    bom,
    truncated: end < wanted,
    ...(end < wanted && { next: { offset: end + 1 } }),
  }
}

function indentationRange(
  input: ReadFileInput,
  anchorLine: number,
  total: number,
  lines: readonly string[],
): { start: number; end: number } {
  const options = input.indentation
  if (anchorLine > lines.length) throw pastEnd('indentation.anchor_line', anchorLine, total)
  return readIndentation(lines, {
    anchorLine,
    maxLevels: options?.max_levels ?? 0,
    includeSiblings: options?.include_siblings ?? false,
    includeHeader: options?.include_header ?? true,
    limit: input.limit,
    ...(options?.max_lines !== undefined && { maxLines: options.max_lines }),
  })
}

/** Truncates long lines. `more` is the number of characters of the last line that are already cut. */
function cutLongLines(lines: readonly string[], more: number): readonly string[] {
  if (!lines.some((line) => line.length > MAX_LINE)) return lines
  return lines.map((line, i) => {
    if (line.length <= MAX_LINE) return line
    const kept = line.slice(0, codePointBoundary(line, MAX_LINE))
    const left = line.length - kept.length + (i === lines.length - 1 ? more : 0)
    return `${kept}... [line cut: ${left} more characters, continue with byte_offset]`
  })
}

async function readImage(path: string, mediaType: string, size: number, { workspace }: ToolContext): Promise<ToolReply<ReadImageOutput>> {
  if (size > MAX_IMAGE) {
    throw new FsError({ code: 'EFBIG', op: 'show', path, detail: `the image has ${size} bytes, more than ${MAX_IMAGE}` })
  }
  const { bytes } = await workspace.readBytes(path)
  const output = { path, media_type: mediaType, size }
  return reply(output, [
    { type: 'text', text: `[${path}: ${mediaType}, ${size} bytes]` },
    { type: 'image', mediaType, data: toBase64(bytes) },
  ])
}

function checkOffset(offset: number, total: number, path: string): void {
  if (offset > Math.max(total, 1)) throw pastEnd('offset', offset, total, path)
}

function pastEnd(field: string, line: number, total: number, path?: string): InputError {
  const where = path === undefined ? '' : ` of "${path}"`
  return new InputError('invalid_input', `Cannot read line ${line}${where}: the file has ${total} lines`, {
    issues: [{ path: field, message: `must be at most ${Math.max(total, 1)}` }],
    details: { total_lines: total },
  })
}

function notText(path: string, why: string, detected: string): WorkspaceError {
  return new WorkspaceError('binary_file', path, `Cannot read "${path}" as text: ${why}`, detected)
}

function tooLarge(path: string, size: number): FsError {
  return new FsError({
    code: 'EFBIG',
    op: 'read',
    path,
    detail: `indentation mode takes files up to ${MAX_COUNTED} bytes, this one has ${size}: use mode "slice"`,
  })
}
