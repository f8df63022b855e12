import { defineTool } from '../../core/define-tool.js'
import { hasCode } from '../../errors/index.js'
import type { AnyTool, ToolContext } from '../../types/tool.js'
import { locate } from './locate.js'
import { optional, serdeSchema, text, unsigned } from './serde.js'

const DEFAULT_BYTES = 1024 * 1024
/** One answer is not to hold more, whatever is asked for. */
const MOST_BYTES = 16 * 1024 * 1024

export interface ReadFileOutput {
  readonly path: string
  readonly contents: string
  /** Whether the file has more than `max_bytes`. */
  readonly truncated: boolean
}

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Path to file (absolute or relative to workspace)' },
    max_bytes: { type: 'integer', minimum: 0, description: 'Maximum bytes to read (default: 1MB)' },
  },
  required: ['path'],
}

export const readFile: AnyTool = defineTool({
  name: 'read_file',
  description: 'Read file contents from the workspace.',
  inputSchema: serdeSchema(schema, { path: text, max_bytes: optional(unsigned, DEFAULT_BYTES) }),
  annotations: { title: 'Read file', readOnlyHint: true, openWorldHint: false },
  run: ({ path, max_bytes }, context) => read(locate(context.workspace, path), Math.min(max_bytes, MOST_BYTES), context),
})

/** Reads one byte more than is shown: that it is there says that the file goes on. */
async function read(given: string, maxBytes: number, { workspace, versions }: ToolContext): Promise<ReadFileOutput> {
  try {
    const { path, bytes, version } = await workspace.readBytes(given, { length: maxBytes + 1 })
    versions.set(path, version)
    return { path, contents: lossy(bytes.subarray(0, maxBytes)), truncated: bytes.length > maxBytes }
  } catch (error) {
    // What is gone can be written anew without having been read.
    if (hasCode(error, 'ENOENT')) versions.delete(workspace.resolve(given))
    throw error
  }
}

/** What is no UTF-8, half a character at the cut too, becomes U+FFFD; a byte order mark stays. */
const lossy = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
