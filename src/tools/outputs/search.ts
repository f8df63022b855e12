import type { JsonSchema } from '../../types/tool.js'
import type { SearchOutput } from './names.js'
import { count, kind, list, ordinal, paged, path, shape, text, yes } from './shape.js'

const unreadable = { unreadable: count('Directories that could not be listed.') }

const list_files: JsonSchema = shape(
  {
    entries: list(shape({ path: path(), kind: kind(), size: count('Bytes, of a file.') }, ['size'])),
    total: count('Of the whole list, where it is known.'),
    skipped: shape(unreadable),
    ...paged(),
  },
  ['total', 'skipped', 'next'],
)

const glob: JsonSchema = shape(
  { paths: list(path()), total: count('Of all that fit, where it is known.'), skipped: shape(unreadable), ...paged() },
  ['total', 'skipped', 'next'],
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

const skipped = { binary: count(), too_large: count(), unreadable: count(), long_lines: count() }

const grep: JsonSchema = shape(
  {
    matches: list(match, 'With output "content".'),
    files: list(path(), 'With output "files".'),
    counts: list(shape({ path: path(), count: count() }), 'With output "count".'),
    files_searched: count(),
    skipped: { ...shape(skipped, Object.keys(skipped)), description: 'What was not searched, by reason.' },
    interrupted: yes('The search was stopped before its end.'),
    ...paged(),
  },
  ['matches', 'files', 'counts', 'skipped', 'interrupted', 'next'],
)

export const SEARCH: Readonly<Record<SearchOutput, JsonSchema>> = { list_files, glob, grep }
