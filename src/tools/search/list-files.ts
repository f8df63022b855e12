import { defineTool } from '../../core/define-tool.js'
import { byDefault, object, text } from '../../core/fields.js'
import { lazy } from '../../core/lazy.js'
import { visibleName } from '../../ops/visible-name.js'
import type { AnyTool } from '../../types/tool.js'
import { outputOf } from '../outputs/load.js'
import { cursor, flag, integer } from '../schema.js'
import type { ListFilesOutput } from './list-output.js'
import { moreNote } from './pages.js'
import { notListed } from './skipped.js'

const body = lazy(() => import('./list-run.js'))

const listFilesInput = object({
  path: byDefault(text('The directory: absolute, or relative to the workspace.'), '.'),
  recursive: flag('List what is below subdirectories too.', false),
  max_depth: integer('Levels below path when recursive.', { min: 1, max: 1000, byDefault: 10 }),
  hidden: flag('List names that begin with a dot.', true),
  ignore: flag('Leave out what .gitignore files name, and .git itself.', true),
  limit: integer('Entries at the most.', { min: 1, max: 10_000, byDefault: 1000 }),
  cursor: cursor(),
})

export const listFiles: AnyTool = defineTool({
  name: 'list_files',
  description: 'List a directory, or everything below it, with kinds and sizes. Sorted; a cut answer gives a cursor in "next".',
  inputSchema: listFilesInput,
  outputSchema: outputOf('list_files'),
  annotations: { title: 'List files', readOnlyHint: true },
  toText: renderList,
  run: async (input, context) => (await body()).runList(input, context),
})

function renderList({ entries, next, skipped }: ListFilesOutput): string {
  if (entries.length === 0) return `[Nothing here]${notListed(skipped)}`
  let text = ''
  for (const { path: raw, kind, size } of entries) {
    const path = visibleName(raw)
    if (text !== '') text += '\n'
    text += kind === 'dir' ? `${path}/` : kind === 'symlink' ? `${path}@` : `${path}\t${size ?? ''}`
  }
  return text + moreNote(entries.length, 'entries', next) + notListed(skipped)
}
