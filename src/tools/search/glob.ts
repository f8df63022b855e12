import { defineTool } from '../../core/define-tool.js'
import { byDefault, object, oneOf, text } from '../../core/fields.js'
import { lazy } from '../../core/lazy.js'
import { visibleName } from '../../ops/visible-name.js'
import type { AnyTool } from '../../types/tool.js'
import { outputOf } from '../outputs/load.js'
import { cursor, flag, globs, integer } from '../schema.js'
import type { GlobOutput } from './glob-output.js'
import { hintNote, moreNote } from './pages.js'
import { notListed } from './skipped.js'

const body = lazy(() => import('./glob-run.js'))

const globInput = object({
  pattern: globs('One glob or several, relative to path or absolute: "**/*.ts", "src/{a,b}/*.md"; one that begins with "!" leaves out.'),
  path: byDefault(text('The directory to search: absolute, or relative to the workspace.'), '.'),
  kind: byDefault(oneOf(['file', 'dir', 'symlink', 'any'], 'What to find.'), 'file'),
  hidden: flag('Find names that begin with a dot even where the pattern does not name one.', false),
  ignore: flag('Leave out what .gitignore files name, and .git itself.', true),
  sort: byDefault(oneOf(['path', 'newest'], 'By path, or last changed first.'), 'path'),
  limit: integer('Paths at the most.', { min: 1, max: 10_000, byDefault: 1000 }),
  cursor: cursor(),
})

export const glob: AnyTool = defineTool({
  name: 'glob',
  description: 'Find files by name with globs. "*.ts" looks in the directory itself, "**/*.ts" at any depth.',
  inputSchema: globInput,
  outputSchema: outputOf('glob'),
  annotations: { title: 'Find files', readOnlyHint: true },
  toText: ({ paths, next, skipped, hint }: GlobOutput) =>
    (paths.map(visibleName).join('\n') || '[No file fits]') + moreNote(paths.length, 'paths', next) + notListed(skipped) + hintNote(hint),
  run: async (input, context) => (await body()).runGlob(input, context),
})
