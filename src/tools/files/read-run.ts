import { hasCode, InputError, WorkspaceError } from '../../errors/index.js'
import { toBase64 } from '../../ops/base64.js'
import { detectBinary } from '../../ops/detect.js'
import { decodeUtf8 } from '../../ops/utf8.js'
import type { FsStat } from '../../types/fs.js'
import type { ToolContext, ToolReply } from '../../types/tool.js'
import { readLines } from './read-lines.js'
import type { ReadBytesOutput, ReadFileInput, ReadImageOutput, ReadLinesOutput } from './read-result.js'

/** The body of `read_file`: by lines, or by bytes if a byte offset or base64 is requested. */
export async function runRead(
  input: ReadFileInput,
  context: ToolContext,
): Promise<ReadLinesOutput | ReadBytesOutput | ToolReply<ReadImageOutput>> {
  // JSON Schema would need `not`, which providers reject.
  if (input.offset === 0) {
    throw new InputError('invalid_input', 'Cannot read line 0: 1 is the first line, -1 the last', {
      issues: [{ path: 'offset', message: 'must not be 0' }],
    })
  }
  const byBytes = input.byte_offset !== undefined
  if (byBytes && (input.offset !== 1 || input.mode === 'indentation')) {
    throw new InputError('invalid_input', 'Cannot read by lines and by bytes at once', {
      issues: [{ path: 'byte_offset', message: 'pass either byte_offset, or offset and mode' }],
    })
  }
  try {
    const stat = await context.workspace.stat(input.path, 'read')
    return await (byBytes || input.encoding === 'base64' ? readByteRange(input, stat, context) : readLines(input, stat, context))
  } catch (error) {
    // A missing file can be created without having been read.
    if (hasCode(error, 'ENOENT')) context.versions.delete(context.workspace.resolve(input.path))
    throw error
  }
}

/** Maximum number of bytes of a code point after its first. */
const MAX_TAIL = 3
/**
 * Maximum size in bytes of a file that is always read completely. Then the runtime knows its content, and a new mode or time does not count
 * as a change.
 */
const SHORT_FILE = 1024 * 1024

/**
 * Reads a range of bytes as text or base64. Text begins and ends at whole characters: an offset inside a character moves back to the
 * character's first byte.
 *
 * @throws {WorkspaceError} `binary_file`
 */
async function readByteRange(input: ReadFileInput, stat: FsStat, { workspace, versions }: ToolContext): Promise<ReadBytesOutput> {
  const whole = stat.size <= SHORT_FILE ? await workspace.readBytes(input.path) : undefined
  // A system file reports size 0 and still has content.
  const size = whole?.bytes.length ?? stat.size
  const asked = Math.min(input.byte_offset ?? 0, size)
  const asText = input.encoding === 'utf8'
  const from = asText ? Math.max(0, asked - MAX_TAIL) : asked
  const length = asked - from + input.max_bytes
  const file = whole ?? (await workspace.readBytes(input.path, { offset: from, length }))
  const { path, version } = file
  const bytes = whole ? whole.bytes.subarray(from, from + length) : file.bytes
  versions.set(path, version)
  const start = asText ? characterStart(bytes, asked - from) : 0
  const end = asText && from + bytes.length < size ? Math.max(characterStart(bytes, bytes.length), start) : bytes.length
  const range = bytes.subarray(start, end)
  const offset = from + start
  const done = offset + range.length >= size
  return {
    path,
    ...(asText ? { text: decode(path, range) } : { base64: toBase64(range) }),
    byte_offset: offset,
    bytes: range.length,
    size,
    truncated: !done,
    ...(!done && { next: { byte_offset: offset + range.length } }),
  }
}

/** Returns `at`, or the first byte of a character that begins earlier and is incomplete at `at`. */
function characterStart(bytes: Uint8Array, at: number): number {
  let start = at
  if (at < bytes.length) {
    while (start > 0 && at - start < MAX_TAIL && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--
    return start
  }
  for (let back = 1; back <= MAX_TAIL && back <= at; back++) {
    const byte = bytes[at - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? at - back : at
  }
  return at
}

function decode(path: string, bytes: Uint8Array): string {
  const text = detectBinary(bytes) === undefined ? decodeUtf8(bytes) : undefined
  if (text !== undefined) return text
  const detected = detectBinary(bytes) ?? 'application/octet-stream'
  throw new WorkspaceError('binary_file', path, `Cannot read "${path}" as text: these bytes are not UTF-8 (${detected})`, detected)
}
