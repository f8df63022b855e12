import { shorten } from '../../../core/field-path.js'
import { ShellError } from '../../../errors/index.js'
import type { Session } from '../../../types/session.js'
import type { ToolContext } from '../../../types/tool.js'

/** Of the sessions that these tools start and see. */
export const KIND = 'bash'

const SHOWN_IDS = 10
const SHOWN_ID = 80

/** The session of this id. @throws {ShellError} unknown_session, with the ids that there are */
export function findSession({ sessions }: Pick<ToolContext, 'sessions'>, id: string): Session {
  const session = sessions.get(id)
  if (session?.info.kind === KIND) return session
  const ids = bashSessions(sessions).map((known) => known.id)
  const more = ids.length > SHOWN_IDS ? ` and ${ids.length - SHOWN_IDS} more` : ''
  const known = ids.length === 0 ? 'there are none' : `there are ${ids.slice(0, SHOWN_IDS).join(', ')}${more}`
  throw new ShellError('unknown_session', `There is no background session "${shorten(id, SHOWN_ID)}": ${known}`)
}

/** The newest first. */
export function bashSessions(sessions: ToolContext['sessions']): readonly Session[] {
  return sessions.list().filter(({ info }) => info.kind === KIND)
}
