import { defineTool } from '../../core/define-tool.js'
import { object } from '../../core/fields.js'
import { lazy } from '../../core/lazy.js'
import { visibleName } from '../../ops/visible-name.js'
import type { AnyTool } from '../../types/tool.js'
import { outputOf } from '../outputs/load.js'
import { flag, path } from '../schema.js'

const deleteFileInput = object({
  path: path('The file, link or directory'),
  recursive: flag('Remove a directory with everything in it.', false),
})

const body = lazy(() => import('./run.js'))

/** The tool `delete_file`: removes a file, a link or, with `recursive`, a directory. */
export const deleteFile: AnyTool = defineTool({
  name: 'delete_file',
  description: 'Remove a file, a link (not what it points to) or a directory.',
  inputSchema: deleteFileInput,
  outputSchema: outputOf('delete_file'),
  annotations: { title: 'Delete file', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  toText: ({ path, kind }) => `Removed ${kind} ${visibleName(path)}`,
  run: async (input, context) => (await body()).runDelete(input, context),
})
