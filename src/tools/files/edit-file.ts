import { defineTool } from '../../core/define-tool.js'
import { list, object, text } from '../../core/fields.js'
import { lazy } from '../../core/lazy.js'
import type { AnyTool } from '../../types/tool.js'
import { outputOf } from '../outputs/load.js'
import { flag, path } from '../schema.js'
import { renderChange } from './change.js'

const edit = object({
  old_string: text('Text to replace, copied from the file without line numbers. Empty: create a new file.'),
  new_string: text('Replacement text.'),
  replace_all: flag('Replace every occurrence.', false),
})

const editFileInput = object({
  path: path('The file'),
  edits: list(edit, { min: 1, max: 1000, description: 'Applied in order, each to the result of the previous edit.' }),
  dry_run: flag('Dry run: only show the changes.', false),
})

const body = lazy(() => import('./run.js'))

/** The tool `edit_file`: replaces exact text in one file, all edits or none. */
export const editFile: AnyTool = defineTool({
  name: 'edit_file',
  description:
    'Replace text in a file. Each old_string must occur exactly once unless replace_all is set. Line endings, trailing spaces and typographic characters may differ. If any edit fails, nothing is written.',
  inputSchema: editFileInput,
  outputSchema: outputOf('edit_file'),
  annotations: { title: 'Edit file', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  toText: renderChange,
  async run(input, context) {
    const { runEdit } = await body()
    return runEdit(input, context)
  },
})
