import type { JsonSchema } from '../../types/tool.js'
import type { FileOutput } from './names.js'
import { count, diff, kind, list, oneOf, path, shape, text, whole, yes } from './shape.js'

const changed = {
  path: path(),
  created: yes('Whether there was no file before.'),
  bytes_before: count(),
  bytes_after: count(),
  diff: diff(),
}

const hint = text('That the path repeats the root, and so made a new folder.')

const write_file: JsonSchema = shape(
  {
    ...changed,
    kept: list(oneOf('crlf', 'bom'), 'What the content has not and the file had: CRLF line endings, a byte order mark.'),
    converted: yes('Whether the file was not UTF-8 text before.'),
    mixed: yes('Whether the file had LF and CRLF before.'),
    hint,
  },
  ['diff', 'kept', 'converted', 'mixed', 'hint'],
)

const edit_file: JsonSchema = shape(
  {
    ...changed,
    replacements: count(),
    levels: list(text(), 'How the old text of each edit was found: "exact", or with which tolerance.'),
    dry_run: yes(),
    hint,
  },
  ['diff', 'dry_run', 'hint'],
)

const next = shape({ offset: whole('Line.'), byte_offset: count() }, ['offset', 'byte_offset'])

const read_file: JsonSchema = shape(
  {
    path: path(),
    size: count('Bytes of the file.'),
    text: text(),
    base64: text('In the place of text, where it was asked for.'),
    start_line: whole('Counted from the end (-1: the last line) where it is negative.'),
    end_line: whole('Inclusive; 0 for an empty file.'),
    total_lines: count('Absent for a file over 64 MiB that was not read to its end.'),
    eol: oneOf('lf', 'crlf', 'mixed', 'none'),
    bom: yes('Whether the file begins with a byte order mark.'),
    byte_offset: count('Where the bytes that were asked for begin.'),
    bytes: count('How many these are.'),
    media_type: text('Of an image, which comes as content beside this.'),
    truncated: yes('Whether there is more.'),
    next: { ...next, description: 'The parameters that continue.' },
  },
  [
    ...['text', 'base64', 'start_line', 'end_line', 'total_lines', 'eol', 'bom'],
    ...['byte_offset', 'bytes', 'media_type', 'truncated', 'next'],
  ],
)

const apply_patch: JsonSchema = shape(
  {
    changes: list(
      shape(
        {
          kind: oneOf('add', 'update', 'delete', 'move'),
          path: path(),
          from: text('Of a move, or of a copy.'),
          replaced: yes('Whether another file was there.'),
          levels: list(text(), 'How lines were found, where not exactly as they were given.'),
        },
        ['from', 'replaced', 'levels'],
      ),
      'In the order of the patch.',
    ),
    dry_run: yes(),
    hint,
    diff: diff(),
  },
  ['dry_run', 'hint'],
)

const move_file: JsonSchema = shape({ from: path(), to: path(), kind: kind(), replaced: yes('Whether something else was there.'), hint }, [
  'hint',
])

const delete_file: JsonSchema = shape({ path: path(), kind: kind() })

export const FILES: Readonly<Record<FileOutput, JsonSchema>> = { read_file, write_file, edit_file, apply_patch, move_file, delete_file }
