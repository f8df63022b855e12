import { defineTool } from '../../core/define-tool.js'
import { byDefault, object, oneOf, optional, text } from '../../core/fields.js'
import { lazy } from '../../core/lazy.js'
import type { AnyTool } from '../../types/tool.js'
import { outputOf } from '../outputs/load.js'
import { cursor, flag, globs, integer } from '../schema.js'
import { renderGrep } from './grep-output.js'

const body = lazy(() => import('./grep-run.js'))

const grepInput = object({
  pattern: text('Regular expression in RE2 syntax (no look-around, no back-references), or plain text with literal.'),
  path: byDefault(text('A directory, or one file: absolute, or relative to the workspace.'), '.'),
  literal: flag('Take the pattern as plain text.', false),
  ignore_case: flag('Ignore case.', false),
  multiline: flag('Let a match go over several lines.', false),
  glob: optional(
    globs('Search only files that fit: "*.ts" at any depth, "src/**/*.ts" from path on; one that begins with "!" leaves out.'),
  ),
  output: byDefault(
    oneOf(['content', 'files', 'count'], 'Matching lines, the paths of files with a match, or the number of matches a file.'),
    'content',
  ),
  before: integer('Lines to show before each match.', { min: 0, max: 100, byDefault: 0 }),
  after: integer('Lines to show after each match.', { min: 0, max: 100, byDefault: 0 }),
  limit: integer('Matches (or files) at the most.', { min: 1, max: 5000, byDefault: 250 }),
  cursor: cursor(),
  hidden: flag('Search names that begin with a dot too.', false),
  ignore: flag('Leave out what .gitignore files name, and .git itself.', true),
})

export const grep: AnyTool = defineTool({
  name: 'grep',
  description: 'Search the content of files for a regular expression or plain text. Sorted by path; a cut answer gives a cursor in "next".',
  inputSchema: grepInput,
  outputSchema: outputOf('grep'),
  annotations: { title: 'Search in files', readOnlyHint: true },
  toText: renderGrep,
  run: async (input, context) => (await body()).runGrep(input, context),
})
