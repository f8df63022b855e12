import { defineTool } from '../../core/define-tool.js'
import { lazy } from '../../core/lazy.js'
import type { AnyTool } from '../../types/tool.js'
import { type Args, booleanOf, numberOf, type Refuse, recordOf, seedSchema, stringOf } from '../shared/seed-schema.js'
import { wholeOf } from './fields.js'
import type { ReadFileInput } from './inputs.js'

const LIMIT = 2000

const body = lazy(() => import('./read-file-run.js'))

const schema = seedSchema(
  {
    type: 'object',
    properties: {
      file_path: { type: 'string', description: 'Path to file' },
      offset: { type: 'number', description: 'Line number to start (0-based)' },
      limit: { type: 'number', description: 'Max lines to read' },
      mode: { type: 'string', enum: ['slice', 'indentation'] },
      indentation: { type: 'object' },
    },
    required: ['file_path'],
  },
  readInput,
)

export const readFile: AnyTool = defineTool({
  name: 'read_file',
  description: `Read file contents with line offsets and indentation-aware slicing. Every line comes as "L<number>: <text>", numbered from 1. "offset" (default 0) is the number of lines to pass over, so offset 0 begins with L1; "limit" defaults to ${LIMIT}. Mode "indentation" gives the block around "indentation.anchor_line", a line number as shown (1-based, default offset + 1): its other fields are max_levels (0: no limit), include_siblings (false), include_header (true) and max_lines.`,
  inputSchema: schema,
  annotations: { title: 'Read file', readOnlyHint: true, openWorldHint: false },
  run: async (input, context) => (await body()).runReadFile(input, context),
})

function readInput(args: Args, refuse: Refuse): ReadFileInput {
  const path = stringOf(args, 'file_path') ?? ''
  if (path === '') refuse('file_path', 'file_path must not be empty')
  const offset = wholeOf(args, 'offset', 0)
  if (offset < 0) refuse('offset', 'offset must be zero or greater')
  const limit = wholeOf(args, 'limit', LIMIT)
  if (limit < 1) refuse('limit', 'limit must be greater than zero')
  if (stringOf(args, 'mode') !== 'indentation') return { path, offset, limit }
  return { path, offset, limit, block: readBlock(recordOf(args, 'indentation') ?? {}, offset, refuse) }
}

function readBlock(given: Args, offset: number, refuse: Refuse): NonNullable<ReadFileInput['block']> {
  const anchorLine = wholeOf(given, 'anchor_line', offset + 1)
  if (anchorLine < 1) refuse('indentation', 'anchor_line must be a 1-indexed line number')
  const maxLines = Math.floor(numberOf(given, 'max_lines') ?? 0)
  return {
    anchorLine,
    maxLevels: Math.max(0, wholeOf(given, 'max_levels', 0)),
    includeSiblings: booleanOf(given, 'include_siblings') ?? false,
    includeHeader: booleanOf(given, 'include_header') ?? true,
    ...(maxLines > 0 && { maxLines }),
  }
}
