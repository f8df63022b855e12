import type { JsonSchema } from '../../types/tool.js'
import type { OtherOutput } from './names.js'
import { count, diff, kind, list, oneOf, paged, path, shape, text, yes } from './shape.js'

const versioned = { name: text(), version: text() }

const install_js_packages: JsonSchema = shape(
  {
    installed: list(shape({ ...versioned, path: path() }), 'What was asked for by name.'),
    added: count('Packages, with those that others need.'),
    updated: count(),
    removed: count(),
    unchanged: count(),
    files: count(),
    bytes: count(),
    warnings: list(
      shape({ kind: oneOf('peer', 'optional', 'native', 'install_script', 'deprecated', 'engine'), ...versioned, message: text() }),
      'The first ones.',
    ),
    warnings_total: count(),
    lockfile: text(),
    package_manager: text('Where it was not the built-in one.'),
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
        published_date: text('As the provider writes it.'),
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
      shape({ id: text(), time: text('ISO 8601.'), label: text(), lost: list(text(), 'Those before it that are gone.') }, [
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
    changes: list(change, 'The first ones.'),
    total: count(),
    truncated: yes('Whether there are more than are listed.'),
    left: list(path(), 'Directories that stay, because they hold what no checkpoint has.'),
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

export const OTHERS: Readonly<Record<OtherOutput, JsonSchema>> = {
  install_js_packages,
  web_search,
  list_checkpoints,
  diff_checkpoint,
  restore_checkpoint,
  create_persistent_tool,
}
