import { defineTool } from '../../core/define-tool.js'
import { hasCode } from '../../errors/index.js'
import type { AnyTool, ToolContext } from '../../types/tool.js'
import { locate } from './locate.js'
import { optional, serdeSchema, text, unsigned } from './serde.js'

const DEFAULT_BYTES = 1024 * 1024
/** Maximum bytes of one answer, whatever the call requests. */
const MOST_BYTES = 16 * 1024 * 1024

export interface ReadFileOutput {
  readonly path: string
  readonly contents: string
  /** Whether the file is larger than `max_bytes`. */
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

/** Reads the beginning of a file. Reads one byte more than it shows, to detect that the file continues. */
async function read(given: string, maxBytes: number, { workspace, versions }: ToolContext): Promise<ReadFileOutput> {
  try {
    const { path, bytes, version } = await workspace.readBytes(given, { length: maxBytes + 1 })
    versions.set(path, version)
    return { path, contents: lossy(bytes.subarray(0, maxBytes)), truncated: bytes.length > maxBytes }
  } catch (error) {
    // Forget a deleted file, so that the model can create it again without reading it.
    if (hasCode(error, 'ENOENT')) versions.delete(workspace.resolve(given))
    throw error
  }
}

/** Decodes bytes. Invalid UTF-8 becomes U+FFFD, and so does a character that the limit splits. Keeps a byte order mark. */
const lossy = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
