import { defineTool } from '../../core/define-tool.js'
import { hasCode } from '../../errors/index.js'
import { numberLines } from '../../ops/lines.js'
import { linesWithin } from '../../ops/lines-within.js'
import { utf8Length } from '../../ops/utf8.js'
import type { AnyTool, ToolContext } from '../../types/tool.js'
import { seedSchema } from '../shared/seed-schema.js'
import { filePath, readCount, readPath } from './fields.js'
import { type FileLines, readFileLines } from './lines.js'

/** Maximum bytes of text in one answer, whatever the runtime's limits. */
const MOST_BYTES = 16 * 1024 * 1024

const inputSchema = seedSchema(
  {
    type: 'object',
    properties: {
      file_path: filePath,
      offset: {
        type: 'integer',
        description: 'Line number to start reading from (1-based). Use this to read specific sections of large files.',
      },
      limit: { type: 'integer', description: 'Maximum number of lines to return. Combine with offset for pagination.' },
    },
    required: ['file_path'],
  },
  (args, refuse) => ({
    path: readPath(args, refuse),
    offset: readCount(args, 'offset', refuse) ?? 1,
    limit: readCount(args, 'limit', refuse) ?? Number.MAX_SAFE_INTEGER,
  }),
)

export const fileRead: AnyTool = defineTool({
  name: 'file_read',
  description:
    'Reads a file and returns its contents formatted with line numbers. The header says how many lines the file has and how many are shown: use offset and limit for large files.',
  inputSchema,
  annotations: { title: 'Read file', readOnlyHint: true, openWorldHint: false },
  async run({ path, offset, limit }, context) {
    const file = await readLines(path, offset, limit, context)
    const budget = Math.min(context.limits.outputBytes, MOST_BYTES) - utf8Length(header(path, file.total, file.total)) - 1
    const extra = Math.max(6, String(offset + file.lines.length).length) + 2
    const shown = linesWithin(file.lines, budget, extra)
    return `${header(path, file.total, shown.length)}\n${numberLines(shown, offset)}`
  },
})

const header = (path: string, total: number, shown: number): string => `${path} (${total} lines total, showing ${shown})`

async function readLines(path: string, offset: number, limit: number, context: ToolContext): Promise<FileLines> {
  try {
    return await readFileLines(path, offset, limit, context)
  } catch (error) {
    // Forget a deleted file, so that the model can create it again without reading it.
    if (hasCode(error, 'ENOENT')) context.versions.delete(context.workspace.resolve(path))
    throw error
  }
}
