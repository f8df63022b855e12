import type { JsonSchema } from '../../types/tool.js'
import type { RunOutput } from './names.js'
import { count, list, oneOf, ordinal, path, shape, text, textOrNull, yes } from './shape.js'

type Properties = Readonly<Record<string, JsonSchema>>

const exitCode = (): JsonSchema => ({ type: ['integer', 'null'], description: 'null: it was stopped, or still runs.' })
const note = (): JsonSchema => text('What was not as asked.')

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
  status: { ...oneOf('started', 'reused'), description: 'reused: a session that ran already; the program of this call was not run.' },
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
  [`${name}_cursor`]: count('Characters since the beginning, up to the end of this text.'),
  [`${name}_has_more`]: yes(),
  [`${name}_dropped`]: count('Characters before this text that were lost.'),
})

const read = shape({ ...state, ...stream('stdout'), ...stream('stderr'), waited_ms: count() })
const write = shape({ ...state, bytes_written: count('UTF-8.'), note: note() }, ['note'])
const stop = shape({ status: oneOf('stopped', 'already_stopped'), ...state, escalated: yes('Whether it had to be killed.') })
const listed = shape({ ...state, ...place, ...terminal, unread_stdout: count('Characters.'), unread_stderr: count('Characters.') }, [
  'terminal',
  'pid',
])
const sessions = shape({ count: count(), sessions: list(listed) })

/** What a command gives, or the session that it runs in. */
const either = { ...ran, ...started, ...terminal }
const bash = shape(
  either,
  Object.keys(either).filter((name) => name !== 'cwd'),
)

const js = shape({ ...ran, result: { description: 'The default export of the program.' } }, ['note', 'result'])

export const RUN: Readonly<Record<RunOutput, JsonSchema>> = {
  bash,
  run_js: js,
  run_js_module: js,
  start_background_js: shape(started, ['pid', 'note']),
  read_background: read,
  write_background: write,
  stop_background: stop,
  list_background: sessions,
  resize_background_bash: shape({ status: oneOf('resized'), ...state, cols: ordinal(), rows: ordinal() }),
}
