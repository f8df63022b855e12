import * as z from 'zod/mini'
import { defineTool } from '../../core/define-tool.js'
import { lazy } from '../../core/lazy.js'
import type { AnyTool } from '../../types/tool.js'
import { outputOf } from '../outputs/load.js'
import { path, text } from '../schema.js'
import { renderChange } from './change.js'

const writeFileInput = z.strictObject({
  path: path('The file; missing directories are made'),
  content: text('All of the new content, or what to append.'),
  encoding: z._default(z.enum(['utf8', 'base64']).check(z.describe('How content is to be read; base64 for binary files.')), 'utf8'),
  mode: z._default(
    z.enum(['overwrite', 'create', 'append']).check(z.describe('"create" refuses an existing file, "append" adds at its end.')),
    'overwrite',
  ),
  eol: z._default(
    z
      .enum(['keep', 'lf', 'crlf', 'as_is'])
      .check(z.describe('Line endings. "keep": CRLF and byte order mark of the file that is there. "as_is": content exactly.')),
    'keep',
  ),
})

const body = lazy(() => import('./bodies.js'))

export const writeFile: AnyTool = defineTool({
  name: 'write_file',
  description:
    'Create a file, replace all of its content, or append to it. CRLF line endings and a byte order mark stay. To change part of a file, edit it instead.',
  inputSchema: writeFileInput,
  outputSchema: outputOf('write_file'),
  annotations: { title: 'Write file', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  toText: renderChange,
  async run(input, context) {
    const { runWrite } = await body()
    return runWrite(input, context)
  },
})
