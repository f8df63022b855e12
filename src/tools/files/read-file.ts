import { defineTool } from '../../core/define-tool.js'
import { byDefault, object, oneOf, optional, whole } from '../../core/fields.js'
import { lazy } from '../../core/lazy.js'
import type { AnyTool } from '../../types/tool.js'
import { outputOf } from '../outputs/load.js'
import { flag, integer, path } from '../schema.js'
import { renderRead } from './read-result.js'

const MIB = 1024 * 1024

const body = lazy(() => import('./read-run.js'))

const indentation = object(
  {
    anchor_line: optional(whole('Line whose block to read; default: offset.', { min: 1 })),
    max_levels: integer('Number of levels above the anchor; 0: all.', { min: 0, byDefault: 0 }),
    include_siblings: flag('Include sibling blocks.', false),
    include_header: flag('Include comments just above the block.', true),
    max_lines: optional(whole('Maximum lines; default: limit.', { min: 1 })),
  },
  'Options of mode "indentation".',
)

const readFileInput = object({
  path: path('The file'),
  offset: byDefault(whole('First line. 1 is the first of the file, -1 the last.'), 1),
  limit: integer('Maximum lines.', { min: 1, max: 10_000, byDefault: 2000 }),
  byte_offset: optional(whole('Read raw text from this byte instead of lines, such as the rest of a cut line.', { min: 0 })),
  max_bytes: integer('Maximum bytes of text.', { min: 1, max: MIB, byDefault: MIB / 4 }),
  mode: byDefault(oneOf(['slice', 'indentation'], '"slice": lines from offset. "indentation": the block of code around a line.'), 'slice'),
  indentation: optional(indentation),
  numbered: flag('Prefix each line with its number.', true),
  encoding: byDefault(oneOf(['utf8', 'base64'], '"base64" returns the bytes of any file, from byte_offset.'), 'utf8'),
})

/** The tool `read_file`: reads text by lines or bytes, shows images, and returns other files as base64. */
export const readFile: AnyTool = defineTool({
  name: 'read_file',
  description:
    'Read a text file: by lines (numbered from 1), as the indented block around a line, or by bytes. Images are shown. If the result is cut, "next" has the parameters to continue.',
  inputSchema: readFileInput,
  outputSchema: outputOf('read_file'),
  annotations: { title: 'Read file', readOnlyHint: true, openWorldHint: false },
  toText: renderRead,
  run: async (input, context) => (await body()).runRead(input, context),
})
