import { shorten } from '../../../core/field-path.js'
import { ShellError } from '../../../errors/index.js'
import type { Session } from '../../../types/session.js'
import type { ToolContext } from '../../../types/tool.js'
import type { BackgroundFamily } from './family.js'

const SHOWN_IDS = 10
const SHOWN_ID = 80

type Kind = BackgroundFamily['kind']

/** The session of this id. @throws {ShellError} unknown_session, with the ids that there are */
export function findSession({ sessions }: Pick<ToolContext, 'sessions'>, kind: Kind, id: string): Session {
  const session = sessions.get(id)
  if (session?.info.kind === kind) return session
  const ids = sessionsOfKind(sessions, kind).map((known) => known.id)
  const more = ids.length > SHOWN_IDS ? ` and ${ids.length - SHOWN_IDS} more` : ''
  const known = ids.length === 0 ? 'there are none' : `there are ${ids.slice(0, SHOWN_IDS).join(', ')}${more}`
  throw new ShellError('unknown_session', `There is no background session "${shorten(id, SHOWN_ID)}": ${known}`)
}

/** The newest first. */
export function sessionsOfKind(sessions: ToolContext['sessions'], kind: Kind): readonly Session[] {
  return sessions.list().filter(({ info }) => info.kind === kind)
}
