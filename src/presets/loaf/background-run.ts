import { InputError } from '../../errors/index.js'
import { utf8Length } from '../../ops/utf8.js'
import { bytesOf, SESSION_KEYS } from '../../sessions/keys.js'
import { jsOf } from '../../tools/js/grants.js'
import { takenInTime } from '../../tools/shell/background/run.js'
import { streamFields } from '../../tools/shell/background/session-fields.js'
import type { Session, SessionInfo, SessionKey, SessionText } from '../../types/session.js'
import type { ShellAdapter } from '../../types/shell.js'
import type { JsonValue, ToolContext } from '../../types/tool.js'
import { BASH, type LoafFamily } from './background-family.js'
import type {
  ListBackgroundInput,
  ReadBackgroundInput,
  ResizeBackgroundInput,
  StopBackgroundInput,
  WriteBackgroundInput,
} from './background-inputs.js'
import { isShellError, sessionFor, shellFields, terminalFields, timeOf } from './background-sessions.js'
import { ReportedFailure } from './reported-failure.js'

/** Maximum milliseconds to wait for the end of the session after a stop. */
const STOP_MS = 120
const FORCED_STOP_MS = 50

type Output = { readonly [field: string]: JsonValue }

const NOTHING = { text: '', hasMore: false, dropped: 0 }

export function readBackground(family: LoafFamily, { id, maxChars, stream, peek }: ReadBackgroundInput, context: ToolContext): Output {
  const session = sessionFor('read', family, id, context)
  if (stream !== 'both' && stream !== 'stdout' && stream !== 'stderr') {
    throw new InputError('invalid_input', 'Cannot read this `stream`: it is `both`, `stdout` or `stderr`.')
  }
  const read = session.read({ stream, maxChars, peek })
  const given = (name: 'stdout' | 'stderr'): SessionText =>
    stream === 'both' || stream === name ? read[name] : { ...NOTHING, cursor: read[name].cursor }
  const [stdout, stderr] = [given('stdout'), given('stderr')]
  const { info } = session
  return {
    status: 'ok',
    session_id: info.id,
    session_name: info.name,
    running: isRunning(info),
    exit_code: info.exitCode,
    signal: info.signal ?? null,
    ...streamFields({ stdout, stderr }),
    stdout_dropped: stdout.dropped > 0,
    stderr_dropped: stderr.dropped > 0,
  }
}

export async function writeBackground(family: LoafFamily, input: WriteBackgroundInput, context: ToolContext): Promise<Output> {
  const session = sessionFor('write', family, input.id, context)
  if (!isRunning(session.info)) throw notRunning(family, session)
  const { bytes, send } = writerOf(family, input, session)
  try {
    // If the program has not read the input in time, the input stays buffered. So all of it counts as written.
    return written(family, 'ok', session, (await takenInTime(send(), context)) ?? bytes)
  } catch (error) {
    if (!isShellError(error, 'not_running')) throw error
    if (!isRunning(session.info)) throw notRunning(family, session)
    const output = written(family, 'stdin_unavailable', session, null)
    throw new ReportedFailure({ output, error: `background ${family.kind} session takes no more input` }, 'not_running')
  }
}

/** The data to write, and its length in bytes. */
interface Writing {
  readonly bytes: number
  send(): Promise<number>
}

/** @throws InputError for an unknown key, and if there is nothing to write */
function writerOf({ kind }: LoafFamily, { input, key, repeat, newline }: WriteBackgroundInput, session: Session): Writing {
  if (key !== undefined) {
    if (!SESSION_KEYS.includes(key)) {
      throw new InputError('invalid_input', `There is no such \`key\`; there are ${SESSION_KEYS.join(', ')}.`)
    }
    // With a terminal, the session knows the mode of the arrow keys that the program requested. A pipe receives the bytes, also for ctrl+c
    // and ctrl+d. The bytes have the same length in both modes.
    const keys = bytesOf(key as SessionKey, false).repeat(repeat)
    const send = session.info.transport === 'pty' ? () => session.press(key, { repeat }) : () => session.write(keys)
    return { bytes: keys.length, send }
  }
  if (input === '' && kind === 'bash') throw new InputError('invalid_input', 'Nothing to write: give some `input`, or a `key`.')
  const text = newline ? `${input}\n` : input
  return { bytes: utf8Length(text), send: () => session.write(text) }
}

function notRunning(family: LoafFamily, session: Session): ReportedFailure {
  const output = written(family, 'not_running', session, null)
  return new ReportedFailure({ output, error: `background ${family.kind} session is not running` }, 'not_running')
}

function written({ kind }: LoafFamily, status: string, { info }: Session, bytes: number | null): Output {
  return {
    status,
    session_id: info.id,
    running: isRunning(info),
    exit_code: info.exitCode,
    signal: info.signal ?? null,
    bytes_written: bytes,
    ...(kind === 'bash' && { transport: info.transport }),
  }
}

/** Sends one signal. A program that ignores the signal continues, and the result says so. */
export async function stopBackground(family: LoafFamily, { id, force }: StopBackgroundInput, context: ToolContext): Promise<Output> {
  const session = sessionFor('stop', family, id, context)
  const { info } = session
  if (!isRunning(info)) {
    return { status: 'already_stopped', session_id: id, running: false, exit_code: info.exitCode, signal: info.signal ?? null }
  }
  const signal = force ? 'SIGKILL' : 'SIGTERM'
  await session.kill(signal)
  await Promise.race([session.exited, context.host.sleep(force ? FORCED_STOP_MS : STOP_MS, context.signal)])
  const { exitCode, state } = session.info
  return { status: 'stop_requested', session_id: id, signal, running: state === 'running', exit_code: exitCode }
}

export function listBackground({ kind }: LoafFamily, { exited }: ListBackgroundInput, context: ToolContext): Output {
  const sessions = context.sessions.list().filter(({ info }) => info.kind === kind && (exited || isRunning(info)))
  return { status: 'ok', count: sessions.length, sessions: sessions.map((session) => entry(kind, session, context)) }
}

function entry(kind: LoafFamily['kind'], session: Session, context: ToolContext): Output {
  const { info } = session
  return {
    session_id: info.id,
    session_name: info.name,
    running: isRunning(info),
    status: isRunning(info) ? 'running' : 'exited',
    ...(kind === 'bash' ? { shell: shellFields(shellOf(context)).shell } : { runtime: jsOf(context).name }),
    command: info.command,
    cwd: info.cwd,
    created_at: timeOf(info.createdMs),
    updated_at: timeOf(info.updatedMs),
    unread_stdout_chars: info.unread.stdout,
    unread_stderr_chars: info.unread.stderr,
    ...(kind === 'bash' && terminalFields(session)),
  }
}

export async function resizeBackground({ id, cols, rows }: ResizeBackgroundInput, context: ToolContext): Promise<Output> {
  const session = sessionFor('resize', BASH, id, context)
  const { terminal, transport } = session.info
  if (!terminal) {
    const output = { status: 'unsupported', session_id: id, transport, full_terminal: false, terminal_cols: null, terminal_rows: null }
    throw new ReportedFailure({ output, error: 'resize_background_bash requires a session with a terminal (full_terminal)' }, 'unsupported')
  }
  await session.resize({ cols: cols ?? terminal.cols, rows: rows ?? terminal.rows })
  return { status: 'ok', session_id: id, ...terminalFields(session) }
}

const isRunning = ({ state }: SessionInfo): boolean => state === 'running'

/** The shell exists: the runtime does not run a tool without its required ports. */
const shellOf = (context: ToolContext): ShellAdapter => context.shell as ShellAdapter
