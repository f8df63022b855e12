import * as z from 'zod/mini'
import { defineTool } from '../../core/define-tool.js'
import { lazy } from '../../core/lazy.js'
import type { AnyTool } from '../../types/tool.js'
import { outputOf } from '../outputs/load.js'
import { flag, integer, path } from '../schema.js'
import { renderRead } from './read-result.js'

const MIB = 1024 * 1024

const body = lazy(() => import('./read-run.js'))

const indentation = z
  .strictObject({
    anchor_line: z.optional(z.int().check(z.minimum(1), z.describe('The line whose block is wanted; default: offset.'))),
    max_levels: integer('Levels above the anchor to include; 0: all of them.', { min: 0, byDefault: 0 }),
    include_siblings: flag('Include blocks beside the wanted one.', false),
    include_header: flag('Include comments just above the block.', true),
    max_lines: z.optional(z.int().check(z.minimum(1), z.describe('Lines at the most; default: limit.'))),
  })
  .check(z.describe('How "indentation" mode chooses its lines.'))

const readFileInput = z.strictObject({
  path: path('The file'),
  offset: z._default(z.int().check(z.describe('First line, from 1, or from the end: -1 is the last.')), 1),
  limit: integer('Lines at the most.', { min: 1, max: 10_000, byDefault: 2000 }),
  byte_offset: z.optional(
    z.int().check(z.minimum(0), z.describe('Read raw text from this byte on instead of lines; for what a cut line left out.')),
  ),
  max_bytes: integer('Bytes of text at the most.', { min: 1, max: MIB, byDefault: MIB / 4 }),
  mode: z._default(
    z.enum(['slice', 'indentation']).check(z.describe('"slice": lines from offset on. "indentation": the block of code around a line.')),
    'slice',
  ),
  indentation: z.optional(indentation),
  numbered: flag('Put the number before each line.', true),
  encoding: z._default(z.enum(['utf8', 'base64']).check(z.describe('"base64" gives the bytes of any file, from byte_offset on.')), 'utf8'),
})

export const readFile: AnyTool = defineTool({
  name: 'read_file',
  description:
    'Read a text file, by lines (numbered, from 1), as the indented block around a line, or by bytes. Images are shown. A cut answer says in "next" how to go on.',
  inputSchema: readFileInput,
  outputSchema: outputOf('read_file'),
  annotations: { title: 'Read file', readOnlyHint: true },
  toText: renderRead,
  run: async (input, context) => (await body()).runRead(input, context),
})
