import { defineTool } from '../../core/define-tool.js'
import { object } from '../../core/fields.js'
import { lazy } from '../../core/lazy.js'
import { visibleName } from '../../ops/visible-name.js'
import type { AnyTool } from '../../types/tool.js'
import { outputOf } from '../outputs/load.js'
import { flag, path } from '../schema.js'

const moveFileInput = object({
  from: path('The file, link or directory'),
  to: path('The full new path; creates missing directories'),
  overwrite: flag('Replace an existing file or empty directory.', false),
})

const body = lazy(() => import('./run.js'))

/** The tool `move_file`: moves or renames a file, a link or a directory. */
export const moveFile: AnyTool = defineTool({
  name: 'move_file',
  description: 'Move or rename a file or a directory.',
  inputSchema: moveFileInput,
  outputSchema: outputOf('move_file'),
  annotations: { title: 'Move file', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  toText: ({ from, to, kind, replaced, hint }) =>
    `Moved ${kind} ${visibleName(from)} to ${visibleName(to)}${replaced ? ' (overwrote the destination)' : ''}${hint ? `\n${hint}` : ''}`,
  run: async (input, context) => (await body()).runMove(input, context),
})
