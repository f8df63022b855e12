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
    anchor_line: optional(whole('The line whose block is wanted; default: offset.', { min: 1 })),
    max_levels: integer('Levels above the anchor to include; 0: all of them.', { min: 0, byDefault: 0 }),
    include_siblings: flag('Include blocks beside the wanted one.', false),
    include_header: flag('Include comments just above the block.', true),
    max_lines: optional(whole('Lines at the most; default: limit.', { min: 1 })),
  },
  'How "indentation" mode chooses its lines.',
)

const readFileInput = object({
  path: path('The file'),
  offset: byDefault(whole('First line, from 1, or from the end: -1 is the last.'), 1),
  limit: integer('Lines at the most.', { min: 1, max: 10_000, byDefault: 2000 }),
  byte_offset: optional(whole('Read raw text from this byte on instead of lines; for what a cut line left out.', { min: 0 })),
  max_bytes: integer('Bytes of text at the most.', { min: 1, max: MIB, byDefault: MIB / 4 }),
  mode: byDefault(
    oneOf(['slice', 'indentation'], '"slice": lines from offset on. "indentation": the block of code around a line.'),
    'slice',
  ),
  indentation: optional(indentation),
  numbered: flag('Put the number before each line.', true),
  encoding: byDefault(oneOf(['utf8', 'base64'], '"base64" gives the bytes of any file, from byte_offset on.'), 'utf8'),
})

/** The tool `read_file`: reads text by lines or bytes, shows images, and returns other files as base64. */
export const readFile: AnyTool = defineTool({
  name: 'read_file',
  description:
    'Read a text file, by lines (numbered, from 1), as the indented block around a line, or by bytes. Images are shown. A cut answer says in "next" how to go on.',
  inputSchema: readFileInput,
  outputSchema: outputOf('read_file'),
  annotations: { title: 'Read file', readOnlyHint: true, openWorldHint: false },
  toText: renderRead,
  run: async (input, context) => (await body()).runRead(input, context),
})
