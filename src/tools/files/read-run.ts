import { hasCode, InputError } from '../../errors/index.js'
import type { ToolContext, ToolReply } from '../../types/tool.js'
import { readByteRange } from './read-bytes.js'
import { readLines } from './read-lines.js'
import type { ReadBytesOutput, ReadFileInput, ReadImageOutput, ReadLinesOutput } from './read-result.js'

/** The body of `read_file`: by lines, or by bytes where a byte offset or base64 is asked for. */
export async function runRead(
  input: ReadFileInput,
  context: ToolContext,
): Promise<ReadLinesOutput | ReadBytesOutput | ToolReply<ReadImageOutput>> {
  // JSON Schema would say it with `not`, which providers refuse.
  if (input.offset === 0) {
    throw new InputError('invalid_input', 'Cannot read line 0: lines are counted from 1, or from the end: -1 is the last', {
      issues: [{ path: 'offset', message: 'must not be 0' }],
    })
  }
  const byBytes = input.byte_offset !== undefined
  if (byBytes && (input.offset !== 1 || input.mode === 'indentation')) {
    throw new InputError('invalid_input', 'Cannot read by lines and by bytes at once', {
      issues: [{ path: 'byte_offset', message: 'leave out offset and mode, or leave out byte_offset' }],
    })
  }
  try {
    const stat = await context.workspace.stat(input.path, 'read')
    return await (byBytes || input.encoding === 'base64' ? readByteRange(input, stat, context) : readLines(input, stat, context))
  } catch (error) {
    // What is gone can be written anew without having been read.
    if (hasCode(error, 'ENOENT')) context.versions.delete(context.workspace.resolve(input.path))
    throw error
  }
}
