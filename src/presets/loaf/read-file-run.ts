import { FsError, hasCode, InputError } from '../../errors/index.js'
import { readIndentation } from '../../ops/indentation.js'
import { splitLines } from '../../ops/lines.js'
import type { ToolContext } from '../../types/tool.js'
import { Slicer } from '../../workspace/slicer.js'
import type { ReadFileInput } from './inputs.js'
import { LineWindow, MAX_LINE } from './line-window.js'

/** Read at once. */
const CHUNK = 1024 * 1024
/** Bytes that indentation mode looks at: it needs the lines above and below at once. */
const MAX_BLOCK_FILE = 16 * 1024 * 1024

/** What is no UTF-8 becomes U+FFFD; a byte order mark stays what it is, a character of the first line. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The body of `read_file`. */
export async function runReadFile(input: ReadFileInput, context: ToolContext): Promise<string> {
  try {
    return await (input.block ? readBlock(input, input.block, context) : readSlice(input, context))
  } catch (error) {
    // What is gone can be written anew without having been read.
    if (hasCode(error, 'ENOENT')) context.versions.delete(context.workspace.resolve(input.path))
    throw error
  }
}

/** In pieces, up to the last line that is wanted. */
async function readSlice({ path, offset, limit }: ReadFileInput, context: ToolContext): Promise<string> {
  const { workspace, versions, host, signal } = context
  const { size } = await workspace.stat(path, 'read')
  const slicer = new Slicer(host, { signal })
  const window = new LineWindow(offset, limit)
  for (let at = 0; !window.full; ) {
    const { path: resolved, bytes, version } = await workspace.readBytes(path, { offset: at, length: CHUNK })
    if (at === 0) versions.set(resolved, version)
    window.push(bytes)
    at += bytes.length
    if (bytes.length === 0 || at >= size) break
    if (slicer.due(1000)) await slicer.pause()
  }
  window.end()
  if (window.lines.length === 0) throw new InputError('invalid_input', 'offset exceeds file length')
  return numbered(
    window.lines.map((line) => decoder.decode(line)),
    offset + 1,
  )
}

async function readBlock(input: ReadFileInput, block: NonNullable<ReadFileInput['block']>, context: ToolContext): Promise<string> {
  const { workspace, versions } = context
  const { size } = await workspace.stat(input.path, 'read')
  if (size > MAX_BLOCK_FILE) {
    const detail = `mode "indentation" takes files up to ${MAX_BLOCK_FILE} bytes, this one has ${size}: use mode "slice"`
    throw new FsError({ code: 'EFBIG', op: 'read', path: workspace.resolve(input.path), detail })
  }
  const { path, bytes, version } = await workspace.readBytes(input.path)
  versions.set(path, version)
  const lines = splitLines(decoder.decode(bytes))
  if (block.anchorLine > lines.length) throw new InputError('invalid_input', 'anchor_line exceeds file length')
  const { start, end } = readIndentation(lines, { ...block, limit: input.limit })
  return numbered(lines.slice(start - 1, end), start)
}

function numbered(lines: readonly string[], first: number): string {
  return lines.map((line, i) => `L${first + i}: ${cutLine(line)}`).join('\n')
}

/** The first 500 code points. */
function cutLine(line: string): string {
  if (line.length <= MAX_LINE) return line
  let end = 0
  for (let count = 0; count < MAX_LINE && end < line.length; count++) end += (line.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  return line.slice(0, end)
}
