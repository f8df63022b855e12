import { reply } from '../../../core/define-tool.js'
import { shorten } from '../../../core/field-path.js'
import type { SessionInfo } from '../../../types/session.js'
import type { ToolContext, ToolReply } from '../../../types/tool.js'
import type { BackgroundFamily } from './family.js'
import { sessionsOfKind } from './find.js'
import { type PlaceFields, placeFields, type StateFields, stateFields, stateText } from './session-fields.js'

export interface ListInput {
  readonly include_exited: boolean
}

/** Long commands are cut. */
export interface ListedSession extends StateFields, PlaceFields {
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
const SHOWN_LOST = 10

/** The body of `list_background_bash` and `list_background_js`. */
export function runList({ kind }: BackgroundFamily, { include_exited }: ListInput, { sessions }: ToolContext): ToolReply<BackgroundList> {
  const infos = sessionsOfKind(sessions, kind).map(({ info }) => info)
  const listed = infos.filter(({ state }) => include_exited || state === 'running').map(listedSession)
  const hidden = infos.filter(({ state }) => !include_exited && state !== 'running')
  const text = [
    ...listed.map(lineOf),
    ...(listed.length === 0 ? ['No sessions'] : []),
    ...(hidden.length === 0 ? [] : [`[${hiddenText(hidden)}]`]),
  ]
  return reply({ count: listed.length, sessions: listed }, [{ type: 'text', text: text.join('\n') }])
}

/** A loss is told unasked: nobody waits for the end of what is taken to run. */
function hiddenText(hidden: readonly SessionInfo[]): string {
  const lost = hidden.filter(({ state }) => state === 'lost').map(({ id }) => id)
  const which = lost.length > SHOWN_LOST ? `${lost.slice(0, SHOWN_LOST).join(', ')} and ${lost.length - SHOWN_LOST} more` : lost.join(', ')
  const told = lost.length === 0 ? '' : `; lost, since the host that ran them was restarted: ${which}`
  return `${hidden.length} more have ended${told}`
}

function listedSession(info: SessionInfo): ListedSession {
  const { command, unread } = info
  return {
    ...stateFields(info),
    ...placeFields(info),
    command: shorten(command, LONGEST_COMMAND),
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
