import type { JsonSchema } from '../../types/tool.js'
import { count, list, oneOf, ordinal, path, shape, text, textOrNull, whole, yes } from './shapes.js'

const kind = (): JsonSchema => oneOf('file', 'dir', 'symlink')
const diff = (): JsonSchema => text('Unified diff of text files, cut at 32 KiB.')

/** Fields of a paged result: whether there is more, and how to continue. */
const paged = (): Readonly<Record<string, JsonSchema>> => ({
  truncated: yes('Whether more follows.'),
  next: text('The cursor of the next call, if more follows.'),
})

const changed = {
  path: path(),
  created: yes('Whether the file is new.'),
  bytes_before: count(),
  bytes_after: count(),
  diff: diff(),
}

const rootHint = text('Present if the path repeats the root and created a folder.')

const write_file: JsonSchema = shape(
  {
    ...changed,
    kept: list(oneOf('crlf', 'bom'), 'Kept from the existing file: CRLF line endings, byte order mark.'),
    converted: yes('Whether the old file was not UTF-8 text.'),
    mixed: yes('Whether the old file had both LF and CRLF.'),
    hint: rootHint,
  },
  ['diff', 'kept', 'converted', 'mixed', 'hint'],
)

const edit_file: JsonSchema = shape(
  {
    ...changed,
    replacements: count(),
    levels: list(text(), 'How the old text of each edit was matched: "exact", or the tolerance.'),
    dry_run: yes(),
    hint: rootHint,
  },
  ['diff', 'dry_run', 'hint'],
)

const next = shape({ offset: whole('Line.'), byte_offset: count() }, ['offset', 'byte_offset'])

const read_file: JsonSchema = shape(
  {
    path: path(),
    size: count('Bytes of the file.'),
    text: text(),
    base64: text('Instead of text, if requested.'),
    start_line: whole('Negative: counted from the end (-1: last line).'),
    end_line: whole('Inclusive; 0 for an empty file.'),
    total_lines: count('Absent for a file over 64 MiB not read to its end.'),
    eol: oneOf('lf', 'crlf', 'mixed', 'none'),
    bom: yes('Whether the file begins with a byte order mark.'),
    byte_offset: count('Offset of the returned bytes.'),
    bytes: count('Number of returned bytes.'),
    media_type: text('Of an image, which is returned as content.'),
    truncated: yes('Whether more follows.'),
    next: { ...next, description: 'Parameters of the next call.' },
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
          from: text('Source of a move or copy.'),
          replaced: yes('Whether a file was overwritten.'),
          levels: list(text(), 'How lines were matched, if not exactly.'),
        },
        ['from', 'replaced', 'levels'],
      ),
      'In patch order.',
    ),
    dry_run: yes(),
    hint: rootHint,
    diff: diff(),
  },
  ['dry_run', 'hint'],
)

const move_file: JsonSchema = shape(
  { from: path(), to: path(), kind: kind(), replaced: yes('Whether the destination was overwritten.'), hint: rootHint },
  ['hint'],
)

const delete_file: JsonSchema = shape({ path: path(), kind: kind() })

const reasons = (...names: readonly string[]): JsonSchema => ({
  ...shape(Object.fromEntries(names.map((name) => [name, count()])), names),
  description: 'Number of skipped entries, by reason.',
})
const searchHint = (): JsonSchema => text('How the globs were read, or why results are missing.')
const LEFT_OUT = ['unreadable', 'names', 'special', 'hidden', 'ignored']

const list_files: JsonSchema = shape(
  {
    entries: list(
      shape(
        {
          path: path(),
          kind: kind(),
          size: count('Bytes, of a file.'),
          modified: text('ISO 8601, UTC.'),
          mode: text('Permissions, octal.'),
        },
        ['size', 'modified', 'mode'],
      ),
    ),
    total: count('Of the whole list, if known.'),
    skipped: reasons(...LEFT_OUT),
    ...paged(),
  },
  ['total', 'skipped', 'next'],
)

const glob: JsonSchema = shape(
  {
    paths: list(path()),
    total: count('Number of all matches, if known.'),
    skipped: reasons(...LEFT_OUT, 'links', 'other_links', 'dirs'),
    hint: searchHint(),
    ...paged(),
  },
  ['total', 'skipped', 'hint', 'next'],
)

const match = shape(
  {
    path: path(),
    line: ordinal(),
    column: ordinal('In UTF-8 bytes.'),
    text: text('The line; with multiline, all lines of the match.'),
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
    hint: searchHint(),
    interrupted: yes('Whether the search stopped early.'),
    ...paged(),
  },
  ['matches', 'files', 'counts', 'skipped', 'hint', 'interrupted', 'next'],
)

type Properties = Readonly<Record<string, JsonSchema>>

const exitCode = (): JsonSchema => ({ type: ['integer', 'null'], description: 'null: stopped or still running.' })
const note = (): JsonSchema => text('How the run differs from the request.')

const ran: Properties = {
  exit_code: exitCode(),
  stdout: text(),
  stderr: text(),
  timed_out: yes(),
  aborted: yes(),
  truncated: yes('Whether stdout or stderr was cut.'),
  cwd: path(),
  duration_ms: count(),
  note: note(),
}

const session: Properties = { session_id: text(), session_name: text() }

const place: Properties = {
  command: text(),
  cwd: path(),
  transport: oneOf('pty', 'pipe'),
  pid: count(),
  created_at: text('ISO 8601.'),
  updated_at: text('ISO 8601.'),
}

const terminal: Properties = { terminal: shape({ cols: ordinal(), rows: ordinal() }) }

const started: Properties = {
  status: { ...oneOf('started', 'reused'), description: 'reused: an already running session; the program of this call was not run.' },
  ...session,
  ...place,
  note: note(),
}

const state: Properties = {
  ...session,
  state: oneOf('running', 'exited', 'stopped', 'lost'),
  running: yes(),
  exit_code: exitCode(),
  signal: textOrNull('The signal that ended it.'),
}

const stream = (name: string): Properties => ({
  [name]: text(),
  [`${name}_cursor`]: count('Characters from the start of the stream to the end of this text.'),
  [`${name}_has_more`]: yes(),
  [`${name}_dropped`]: count('Characters lost before this text.'),
})

const read = shape({ ...state, ...stream('stdout'), ...stream('stderr'), waited_ms: count() })
const write = shape({ ...state, bytes_written: count('In UTF-8.'), note: note() }, ['note'])
const stop = shape({ status: oneOf('stopped', 'already_stopped'), ...state, escalated: yes('Whether it was killed.') })
const listed = shape({ ...state, ...place, ...terminal, unread_stdout: count('Characters.'), unread_stderr: count('Characters.') }, [
  'terminal',
  'pid',
])
const sessions = shape({ count: count(), sessions: list(listed) })

/** The result of a command, or the session that it runs in. */
const either = { ...ran, ...started, ...terminal }
const bash = shape(
  either,
  Object.keys(either).filter((name) => name !== 'cwd'),
)

const js = shape({ ...ran, result: { description: 'The default export of the program.' } }, ['note', 'result'])

const versioned = { name: text(), version: text() }

const install_js_packages: JsonSchema = shape(
  {
    installed: list(shape({ ...versioned, path: path() }), 'Packages requested by name.'),
    added: count('Packages, including dependencies.'),
    updated: count(),
    removed: count(),
    unchanged: count(),
    files: count(),
    bytes: count(),
    warnings: list(
      shape({ kind: oneOf('peer', 'optional', 'native', 'install_script', 'deprecated', 'engine'), ...versioned, message: text() }),
      'The first warnings.',
    ),
    warnings_total: count(),
    lockfile: text(),
    package_manager: text('If not the built-in installer.'),
    cwd: path(),
    duration_ms: count(),
  },
  ['files', 'bytes', 'lockfile', 'package_manager'],
)

const web_search: JsonSchema = shape({
  results: list(
    shape(
      {
        title: text(),
        url: text(),
        snippet: text(),
        published_date: text('In the format of the provider.'),
        score: { type: 'number' },
      },
      ['published_date', 'score'],
    ),
  ),
  provider: text(),
})

const change = shape(
  {
    path: path(),
    change: oneOf('created', 'modified', 'deleted', 'replaced'),
    kind: kind(),
    kind_before: kind(),
    bytes_before: count(),
    bytes_after: count(),
    mode_before: text('Octal.'),
    mode_after: text('Octal.'),
  },
  ['kind_before', 'bytes_before', 'bytes_after', 'mode_before', 'mode_after'],
)

const list_checkpoints: JsonSchema = shape(
  {
    checkpoints: list(
      shape({ id: text(), time: text('ISO 8601.'), label: text(), lost: list(text(), 'Older checkpoints that were removed.') }, [
        'label',
        'lost',
      ]),
    ),
    total: count(),
    ...paged(),
  },
  ['next'],
)

const diff_checkpoint: JsonSchema = shape(
  { checkpoint: text(), to: text(), changes: list(change), total: count(), ...paged(), diff: diff() },
  ['next', 'diff'],
)

const restore_checkpoint: JsonSchema = shape(
  {
    checkpoint: text(),
    undo: text('The checkpoint to restore to undo this.'),
    dry_run: yes(),
    changes: list(change, 'The first changes.'),
    total: count(),
    truncated: yes('Whether more changes exist than listed.'),
    left: list(path(), 'Directories not removed, because they contain files that no checkpoint has.'),
    diff: diff(),
  },
  ['undo', 'dry_run', 'left', 'diff'],
)

const create_persistent_tool: JsonSchema = shape({
  status: oneOf('ok'),
  message: text(),
  tool_name: text(),
  path: path(),
  overwritten: yes(),
})

/** Names of output schemas. Each is the name of a tool, but `read_background` is for `read_background_bash` and `read_background_js`. */
export type OutputName =
  | 'read_file'
  | 'write_file'
  | 'edit_file'
  | 'apply_patch'
  | 'move_file'
  | 'delete_file'
  | 'list_files'
  | 'glob'
  | 'grep'
  | 'bash'
  | 'run_js'
  | 'run_js_module'
  | 'start_background_js'
  | 'read_background'
  | 'write_background'
  | 'stop_background'
  | 'list_background'
  | 'resize_background_bash'
  | 'install_js_packages'
  | 'web_search'
  | 'list_checkpoints'
  | 'diff_checkpoint'
  | 'restore_checkpoint'
  | 'create_persistent_tool'

/** The output schemas of the standard preset. This module loads on request, because models do not see these schemas. */
export const OUTPUTS: Readonly<Record<OutputName, JsonSchema>> = {
  read_file,
  write_file,
  edit_file,
  apply_patch,
  move_file,
  delete_file,
  list_files,
  glob,
  grep,
  bash,
  run_js: js,
  run_js_module: js,
  start_background_js: shape(started, ['pid', 'note']),
  read_background: read,
  write_background: write,
  stop_background: stop,
  list_background: sessions,
  resize_background_bash: shape({ status: oneOf('resized'), ...state, cols: ordinal(), rows: ordinal() }),
  install_js_packages,
  web_search,
  list_checkpoints,
  diff_checkpoint,
  restore_checkpoint,
  create_persistent_tool,
}
