import { reply } from '../../../core/define-tool.js'
import { shorten } from '../../../core/field-path.js'
import type { SessionInfo } from '../../../types/session.js'
import type { TerminalSize } from '../../../types/shell.js'
import type { ToolContext, ToolReply } from '../../../types/tool.js'
import { type StateFields, stateFields, stateText } from './facts.js'
import { bashSessions } from './find.js'

export interface ListInput {
  readonly include_exited: boolean
}

export interface ListedSession extends StateFields {
  /** Long ones are cut. */
  readonly command: string
  readonly cwd: string
  readonly transport: 'pty' | 'pipe'
  readonly terminal?: TerminalSize
  readonly pid?: number
  /** ISO 8601. */
  readonly created_at: string
  readonly updated_at: string
  /** Characters. */
  readonly unread_stdout: number
  readonly unread_stderr: number
}

export interface BackgroundList {
  readonly count: number
  readonly sessions: readonly ListedSession[]
}

const LONGEST_COMMAND = 1000
const SHOWN_COMMAND = 100

/** The body of `list_background_bash`. */
export function runList({ include_exited }: ListInput, { sessions }: ToolContext): ToolReply<BackgroundList> {
  const infos = bashSessions(sessions).map(({ info }) => info)
  const listed = infos.filter(({ state }) => include_exited || state === 'running').map(listedSession)
  const ended = infos.length - listed.length
  const text = [
    ...listed.map(lineOf),
    ...(listed.length === 0 ? ['No sessions'] : []),
    ...(ended === 0 ? [] : [`[${ended} more have ended]`]),
  ]
  return reply({ count: listed.length, sessions: listed }, [{ type: 'text', text: text.join('\n') }])
}

function listedSession(info: SessionInfo): ListedSession {
  const { command, cwd, transport, terminal, pid, createdMs, updatedMs, unread } = info
  return {
    ...stateFields(info),
    command: shorten(command, LONGEST_COMMAND),
    cwd,
    transport,
    ...(terminal && { terminal }),
    ...(pid !== undefined && { pid }),
    created_at: new Date(createdMs).toISOString(),
    updated_at: new Date(updatedMs).toISOString(),
    unread_stdout: unread.stdout,
    unread_stderr: unread.stderr,
  }
}

function lineOf(session: ListedSession): string {
  const { session_id, session_name, command, cwd, terminal, unread_stdout, unread_stderr } = session
  const facts = [
    stateText(session),
    ...(terminal ? [`terminal of ${terminal.cols}x${terminal.rows}`] : []),
    `${unread_stdout + unread_stderr} characters unread`,
    `in ${cwd}`,
  ]
  return `${session_id} "${session_name}": ${shorten(command, SHOWN_COMMAND).replaceAll('\n', ' ')} [${facts.join(', ')}]`
}
