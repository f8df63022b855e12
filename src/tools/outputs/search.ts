import type { JsonSchema } from '../../types/tool.js'
import type { SearchOutput } from './names.js'
import { count, kind, list, ordinal, paged, path, shape, text, yes } from './shape.js'

const reasons = (...names: readonly string[]): JsonSchema => ({
  ...shape(Object.fromEntries(names.map((name) => [name, count()])), names),
  description: 'What was passed over, by reason.',
})
const hint = (): JsonSchema => text('How the globs were read, or why the answer is short.')
const LEFT_OUT = ['unreadable', 'names', 'special', 'hidden', 'ignored']

const list_files: JsonSchema = shape(
  {
    entries: list(shape({ path: path(), kind: kind(), size: count('Bytes, of a file.') }, ['size'])),
    total: count('Of the whole list, where it is known.'),
    skipped: reasons(...LEFT_OUT),
    ...paged(),
  },
  ['total', 'skipped', 'next'],
)

const glob: JsonSchema = shape(
  {
    paths: list(path()),
    total: count('Of all that fit, where it is known.'),
    skipped: reasons(...LEFT_OUT, 'links', 'other_links', 'dirs'),
    hint: hint(),
    ...paged(),
  },
  ['total', 'skipped', 'hint', 'next'],
)

const match = shape(
  {
    path: path(),
    line: ordinal(),
    column: ordinal('In bytes of UTF-8.'),
    text: text('The line, or with multiline all lines of the match.'),
    before: list(text()),
    after: list(text()),
  },
  ['before', 'after'],
)

const grep: JsonSchema = shape(
  {
    matches: list(match, 'With output "content".'),
    files: list(path(), 'With output "files".'),
    counts: list(shape({ path: path(), count: count() }), 'With output "count".'),
    files_searched: count(),
    skipped: reasons('binary', 'too_large', 'long_lines', 'long_matches', ...LEFT_OUT, 'links', 'other_links', 'dirs'),
    hint: hint(),
    interrupted: yes('The search was stopped before its end.'),
    ...paged(),
  },
  ['matches', 'files', 'counts', 'skipped', 'hint', 'interrupted', 'next'],
)

export const SEARCH: Readonly<Record<SearchOutput, JsonSchema>> = { list_files, glob, grep }
