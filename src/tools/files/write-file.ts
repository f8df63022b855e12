import { defineTool } from '../../core/define-tool.js'
import { byDefault, object, oneOf, text } from '../../core/fields.js'
import { lazy } from '../../core/lazy.js'
import type { AnyTool } from '../../types/tool.js'
import { outputOf } from '../outputs/load.js'
import { path } from '../schema.js'
import { renderChange } from './change.js'

const writeFileInput = object({
  path: path('The file; creates missing directories'),
  content: text('The full new content, or the text to append.'),
  encoding: byDefault(oneOf(['utf8', 'base64'], 'Encoding of content; base64 for binary files.'), 'utf8'),
  mode: byDefault(oneOf(['overwrite', 'create', 'append'], '"create" fails if the file exists, "append" adds to its end.'), 'overwrite'),
  eol: byDefault(
    oneOf(
      ['keep', 'lf', 'crlf', 'as_is'],
      'Line endings. "keep": keep CRLF and byte order mark of an existing file. "as_is": write content exactly.',
    ),
    'keep',
  ),
})

const body = lazy(() => import('./run.js'))

/** The tool `write_file`: creates, replaces or appends to a file. */
export const writeFile: AnyTool = defineTool({
  name: 'write_file',
  description:
    'Create a file, replace its whole content, or append to it. Keeps CRLF line endings and byte order mark. To change part of a file, edit it instead.',
  inputSchema: writeFileInput,
  outputSchema: outputOf('write_file'),
  annotations: { title: 'Write file', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  toText: renderChange,
  async run(input, context) {
    const { runWrite } = await body()
    return runWrite(input, context)
  },
})
