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

/** Creates the tools `list_files`, `glob` and `grep`. */
export function searchTools(): AnyTool[] {
  return [listFiles, glob, grep]
}

const listBody = lazy(() => import('./list-run.js'))

const listFilesInput = object({
  path: byDefault(text('The directory: absolute, or relative to the workspace.'), '.'),
  recursive: flag('Include subdirectories.', false),
  max_depth: integer('Maximum levels if recursive.', { min: 1, max: 1000, byDefault: 10 }),
  hidden: flag('Include names that begin with a dot.', true),
  ignore: flag('Skip .git and entries ignored by .gitignore files.', true),
  details: flag('Include modification times and permissions.', false),
  limit: integer('Maximum entries.', { min: 1, max: 10_000, byDefault: 1000 }),
  cursor: cursor(),
})

const listFiles: AnyTool = defineTool({
  name: 'list_files',
  description: 'List a directory, or everything below it, with kinds and sizes. Sorted. A cut result has a cursor in "next".',
  inputSchema: listFilesInput,
  outputSchema: outputOf('list_files'),
  annotations: { title: 'List files', readOnlyHint: true, openWorldHint: false },
  toText: renderList,
  run: async (input, context) => (await listBody()).runList(input, context),
})

function renderList({ entries, next, skipped }: ListFilesOutput): string {
  if (entries.length === 0) return `[Empty]${notListed(skipped)}`
  let text = ''
  for (const { path: raw, kind, size, modified, mode } of entries) {
    const path = visibleName(raw)
    if (text !== '') text += '\n'
    text += kind === 'dir' ? `${path}/` : kind === 'symlink' ? `${path}@` : `${path}\t${size ?? ''}`
    if (modified ?? mode) text += `${kind === 'file' ? '' : '\t-'}\t${modified ?? '-'}\t${mode ?? '-'}`
  }
  return text + moreNote(entries.length, 'entries', next) + notListed(skipped)
}

const globBody = lazy(() => import('./glob-run.js'))

const globInput = object({
  pattern: globs('One glob or several, relative to path or absolute: "**/*.ts", "src/{a,b}/*.md"; a leading "!" excludes.'),
  path: byDefault(text('The directory to search: absolute, or relative to the workspace.'), '.'),
  kind: byDefault(oneOf(['file', 'dir', 'symlink', 'any'], 'What to find.'), 'file'),
  hidden: flag('Match names that begin with a dot even if the pattern has no dot.', false),
  ignore: flag('Skip .git and entries ignored by .gitignore files.', true),
  sort: byDefault(oneOf(['path', 'newest'], 'By path, or most recently changed first.'), 'path'),
  limit: integer('Maximum paths.', { min: 1, max: 10_000, byDefault: 1000 }),
  cursor: cursor(),
})

const glob: AnyTool = defineTool({
  name: 'glob',
  description: 'Find files by name with globs. "*.ts" looks in the directory itself, "**/*.ts" at any depth.',
  inputSchema: globInput,
  outputSchema: outputOf('glob'),
  annotations: { title: 'Find files', readOnlyHint: true, openWorldHint: false },
  toText: ({ paths, next, skipped, hint }: GlobOutput) =>
    (paths.map(visibleName).join('\n') || '[No file matches]') +
    moreNote(paths.length, 'paths', next) +
    notListed(skipped) +
    hintNote(hint),
  run: async (input, context) => (await globBody()).runGlob(input, context),
})

const grepBody = lazy(() => import('./grep-run.js'))

const grepInput = object({
  pattern: text('Regular expression in RE2 syntax (no look-around, no back-references), or plain text with literal.'),
  path: byDefault(text('A directory, or one file: absolute, or relative to the workspace.'), '.'),
  literal: flag('Take the pattern as plain text.', false),
  ignore_case: flag('Ignore case.', false),
  multiline: flag('Let a match span lines.', false),
  glob: optional(globs('Search only matching files: "*.ts" at any depth, "src/**/*.ts" relative to path; a leading "!" excludes.')),
  output: byDefault(
    oneOf(['content', 'files', 'count'], 'Matching lines, paths of files with a match, or the number of matches per file.'),
    'content',
  ),
  before: integer('Lines to show before each match.', { min: 0, max: 100, byDefault: 0 }),
  after: integer('Lines to show after each match.', { min: 0, max: 100, byDefault: 0 }),
  limit: integer('Maximum matches (or files).', { min: 1, max: 5000, byDefault: 250 }),
  cursor: cursor(),
  hidden: flag('Include names that begin with a dot.', false),
  ignore: flag('Skip .git and entries ignored by .gitignore files.', true),
})

const grep: AnyTool = defineTool({
  name: 'grep',
  description: 'Search the content of files for a regular expression or plain text. Sorted by path. A cut result has a cursor in "next".',
  inputSchema: grepInput,
  outputSchema: outputOf('grep'),
  annotations: { title: 'Search in files', readOnlyHint: true, openWorldHint: false },
  toText: renderGrep,
  run: async (input, context) => (await grepBody()).runGrep(input, context),
})
