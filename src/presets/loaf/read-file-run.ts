import { FsError, hasCode, InputError } from '../../errors/index.js'
import { readIndentation } from '../../ops/indentation.js'
import { splitLines } from '../../ops/lines.js'
import type { ToolContext } from '../../types/tool.js'
import { Slicer } from '../../workspace/slicer.js'
import type { ReadFileInput } from './inputs.js'

/** Number of bytes to read at once. */
const CHUNK = 1024 * 1024
/** Maximum bytes of a file in indentation mode, which needs all lines at once. */
const MAX_BLOCK_FILE = 16 * 1024 * 1024

/** Invalid UTF-8 becomes U+FFFD. A byte order mark stays, as a character of the first line. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Implements `read_file`. */
export async function runReadFile(input: ReadFileInput, context: ToolContext): Promise<string> {
  try {
    return await (input.block ? readBlock(input, input.block, context) : readSlice(input, context))
  } catch (error) {
    // Forget a deleted file, so that the model can create it again without reading it.
    if (hasCode(error, 'ENOENT')) context.versions.delete(context.workspace.resolve(input.path))
    throw error
  }
}

/** Reads in pieces, up to the last requested line. */
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

/** Truncates a line to its first 500 code points. */
function cutLine(line: string): string {
  if (line.length <= MAX_LINE) return line
  let end = 0
  for (let count = 0; count < MAX_LINE && end < line.length; count++) end += (line.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  return line.slice(0, end)
}

/** Maximum number of code points to show of a line. */
const MAX_LINE: number = 500
/** Number of bytes to keep of a line, enough for 500 code points and a CR. */
const KEPT = 4 * MAX_LINE + 4

const LF = 10
const CR = 13

/** Extracts lines from a file that arrives in pieces. Removes separators (LF or CRLF) and truncates lines to the shown length. */
class LineWindow {
  /** The first bytes of each requested line. */
  readonly lines: Uint8Array[] = []
  readonly #limit: number
  /** Number of lines that are still to be skipped. */
  #skip: number
  #line: Uint8Array = new Uint8Array()
  /** Whether the current line has any bytes. */
  #begun = false

  constructor(offset: number, limit: number) {
    this.#skip = offset
    this.#limit = limit
  }

  get full(): boolean {
    return this.lines.length >= this.#limit
  }

  push(bytes: Uint8Array): void {
    let at = 0
    for (let end = bytes.indexOf(LF); end >= 0 && !this.full; end = bytes.indexOf(LF, at)) {
      this.#take(bytes.subarray(at, end))
      this.#close(true)
      at = end + 1
    }
    if (at < bytes.length && !this.full) this.#take(bytes.subarray(at))
  }

  /** Ends the file. Text after the last line break is a line, too. */
  end(): void {
    if (this.#begun && !this.full) this.#close(false)
  }

  #take(bytes: Uint8Array): void {
    this.#begun = true
    if (this.#skip > 0) return
    const room = KEPT - this.#line.length
    if (room <= 0 || bytes.length === 0) return
    const line = new Uint8Array(this.#line.length + Math.min(room, bytes.length))
    line.set(this.#line)
    line.set(bytes.subarray(0, room), this.#line.length)
    this.#line = line
  }

  #close(separated: boolean): void {
    if (this.#skip > 0) this.#skip--
    else this.lines.push(separated && this.#line.at(-1) === CR && this.#line.length < KEPT ? this.#line.subarray(0, -1) : this.#line)
    this.#line = new Uint8Array()
    this.#begun = false
  }
}
