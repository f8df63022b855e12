import { defineTool } from '../../core/define-tool.js'
import { byDefault, object, oneOf, optional, text } from '../../core/fields.js'
import { lazy } from '../../core/lazy.js'
import { visibleName } from '../../ops/visible-name.js'
import type { AnyTool } from '../../types/tool.js'
import { outputOf } from '../outputs/load.js'
import { cursor, flag, globs, integer } from '../schema.js'
import type { GlobOutput } from './glob-output.js'
import { renderGrep } from './grep-output.js'
import type { ListFilesOutput } from './list-output.js'
import { hintNote, moreNote } from './pages.js'
import { notListed } from './skipped.js'

/** `list_files glob grep`. */
export function searchTools(): AnyTool[] {
  return [listFiles, glob, grep]
}

const listBody = lazy(() => import('./list-run.js'))

const listFilesInput = object({
  path: byDefault(text('The directory: absolute, or relative to the workspace.'), '.'),
  recursive: flag('List what is below subdirectories too.', false),
  max_depth: integer('Levels below path when recursive.', { min: 1, max: 1000, byDefault: 10 }),
  hidden: flag('List names that begin with a dot.', true),
  ignore: flag('Leave out what .gitignore files name, and .git itself.', true),
  limit: integer('Entries at the most.', { min: 1, max: 10_000, byDefault: 1000 }),
  cursor: cursor(),
})

const listFiles: AnyTool = defineTool({
  name: 'list_files',
  description: 'List a directory, or everything below it, with kinds and sizes. Sorted; a cut answer gives a cursor in "next".',
  inputSchema: listFilesInput,
  outputSchema: outputOf('list_files'),
  annotations: { title: 'List files', readOnlyHint: true, openWorldHint: false },
  toText: renderList,
  run: async (input, context) => (await listBody()).runList(input, context),
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

const globBody = lazy(() => import('./glob-run.js'))

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

const glob: AnyTool = defineTool({
  name: 'glob',
  description: 'Find files by name with globs. "*.ts" looks in the directory itself, "**/*.ts" at any depth.',
  inputSchema: globInput,
  outputSchema: outputOf('glob'),
  annotations: { title: 'Find files', readOnlyHint: true, openWorldHint: false },
  toText: ({ paths, next, skipped, hint }: GlobOutput) =>
    (paths.map(visibleName).join('\n') || '[No file fits]') + moreNote(paths.length, 'paths', next) + notListed(skipped) + hintNote(hint),
  run: async (input, context) => (await globBody()).runGlob(input, context),
})

const grepBody = lazy(() => import('./grep-run.js'))

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

const grep: AnyTool = defineTool({
  name: 'grep',
  description: 'Search the content of files for a regular expression or plain text. Sorted by path; a cut answer gives a cursor in "next".',
  inputSchema: grepInput,
  outputSchema: outputOf('grep'),
  annotations: { title: 'Search in files', readOnlyHint: true, openWorldHint: false },
  toText: renderGrep,
  run: async (input, context) => (await grepBody()).runGrep(input, context),
})
