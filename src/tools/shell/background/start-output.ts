import { shorten } from '../../../core/field-path.js'
import type { PlaceFields } from './session-fields.js'

export interface BackgroundStart extends PlaceFields {
  /** `reused`: a session that ran already; the command of this call was not run. */
  readonly status: 'started' | 'reused'
  readonly session_id: string
  readonly session_name: string
  /** What was not as asked. */
  readonly note?: string
}

const SHOWN_COMMAND = 200

/** What runs now and under which id, then one line of facts. `home`: the directory that goes without saying. */
export function renderStart(start: BackgroundStart, home: string): string {
  const { status, session_id, session_name, command, cwd, pid, note } = start
  const as = `${session_id} ("${session_name}")`
  const facts = [terminalOf(start), ...(pid === undefined ? [] : [`pid ${pid}`]), ...(cwd === home ? [] : [`in ${cwd}`])]
  return [
    ...(note === undefined ? [] : [`[${note}]`]),
    status === 'started' ? `Runs in the background as ${as}` : `Goes on running as ${as}: ${shorten(command, SHOWN_COMMAND)}`,
    `[${facts.join(', ')}]`,
  ].join('\n')
}

const terminalOf = ({ transport, terminal }: BackgroundStart): string => {
  if (transport === 'pipe') return 'no terminal'
  return terminal ? `terminal of ${terminal.cols}x${terminal.rows}` : 'terminal'
}
