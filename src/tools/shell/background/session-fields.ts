import { shorten } from '../../../core/field-path.js'
import { ShellError } from '../../../errors/index.js'
import type { Session, SessionInfo, SessionState, SessionStream, SessionText } from '../../../types/session.js'
import type { TerminalSize } from '../../../types/shell.js'
import type { ToolContext } from '../../../types/tool.js'
import type { BackgroundFamily } from './family.js'

/** The state of a session, which every result about it contains. */
export interface StateFields {
  readonly session_id: string
  readonly session_name: string
  readonly state: SessionState
  readonly running: boolean
  /** The exit code. null while the program runs, and if the code is unknown. */
  readonly exit_code: number | null
  /** The signal that ended the program; null if no signal did. */
  readonly signal: string | null
}

export function stateFields({ id, name, state, exitCode, signal }: SessionInfo): StateFields {
  return {
    session_id: id,
    session_name: name,
    state,
    running: state === 'running',
    exit_code: exitCode,
    signal: signal ?? null,
  }
}

const LOST = 'lost: it ended with an unknown exit code when its host restarted'

/** The command of a session, and where it runs. */
export interface PlaceFields {
  readonly command: string
  readonly cwd: string
  readonly transport: 'pty' | 'pipe'
  /** The size of the terminal, if the session has one with a known size. */
  readonly terminal?: TerminalSize
  readonly pid?: number
  /** Time in ISO 8601. */
  readonly created_at: string
  readonly updated_at: string
}

export function placeFields({ command, cwd, transport, terminal, pid, createdMs, updatedMs }: SessionInfo): PlaceFields {
  return {
    command,
    cwd,
    transport,
    ...(terminal && { terminal }),
    ...(pid !== undefined && { pid }),
    created_at: new Date(createdMs).toISOString(),
    updated_at: new Date(updatedMs).toISOString(),
  }
}

/** The text that a call read from a session. */
export interface StreamFields {
  readonly stdout: string
  readonly stderr: string
  /** Number of characters from the beginning of the stream to the end of this text. */
  readonly stdout_cursor: number
  readonly stderr_cursor: number
  readonly stdout_has_more: boolean
  readonly stderr_has_more: boolean
  /** Number of characters that were dropped before this text because nobody read them in time. */
  readonly stdout_dropped: number
  readonly stderr_dropped: number
}

export function streamFields({ stdout, stderr }: Readonly<Record<SessionStream, SessionText>>): StreamFields {
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    stdout_cursor: stdout.cursor,
    stderr_cursor: stderr.cursor,
    stdout_has_more: stdout.hasMore,
    stderr_has_more: stderr.hasMore,
    stdout_dropped: stdout.dropped,
    stderr_dropped: stderr.dropped,
  }
}

/** Describes the state of a session: `running`, `exited with code 0`, `stopped (SIGTERM, exit code 143)`, `lost: ...`. */
export function stateText({ state, exit_code, signal }: Pick<StateFields, 'state' | 'exit_code' | 'signal'>): string {
  if (state === 'running') return state
  if (state === 'lost') return LOST
  if (state === 'exited' && signal === null) return exit_code === null ? 'exited' : `exited with code ${exit_code}`
  const how = [...(signal === null ? [] : [signal]), ...(exit_code === null ? [] : [`exit code ${exit_code}`])]
  return how.length === 0 ? state : `${state} (${how.join(', ')})`
}

/** Describes unread output: `120 characters of stdout unread`. Empty if nothing is unread. */
export function unreadText(unread: SessionInfo['unread']): readonly string[] {
  const streams: readonly SessionStream[] = ['stdout', 'stderr']
  return streams.filter((stream) => unread[stream] > 0).map((stream) => `${unread[stream]} characters of ${stream} unread`)
}

const SHOWN_IDS = 10
const SHOWN_ID = 80

type Kind = BackgroundFamily['kind']

/** Returns the session with this id. @throws {ShellError} unknown_session, with the known ids */
export function findSession({ sessions }: Pick<ToolContext, 'sessions'>, kind: Kind, id: string): Session {
  const session = sessions.get(id)
  if (session?.info.kind === kind) return session
  const ids = sessionsOfKind(sessions, kind).map((known) => known.id)
  const more = ids.length > SHOWN_IDS ? ` and ${ids.length - SHOWN_IDS} more` : ''
  const known = ids.length === 0 ? 'there are none' : `there are ${ids.slice(0, SHOWN_IDS).join(', ')}${more}`
  throw new ShellError('unknown_session', `There is no background session "${shorten(id, SHOWN_ID)}": ${known}`)
}

/** Returns the sessions of one kind, newest first. */
export function sessionsOfKind(sessions: ToolContext['sessions'], kind: Kind): readonly Session[] {
  return sessions.list().filter(({ info }) => info.kind === kind)
}
