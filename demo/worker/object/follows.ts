import type { SessionStream } from 'toolport'

export type Cursors = Readonly<Record<SessionStream, number>>

/** How far a socket has come with one session, in characters since its beginning. */
export interface Follow {
  /** What was sent. */
  readonly sent: Cursors
  /** What the client says that it has. What is between was sent: text that was dropped is not. */
  readonly acked: Cursors
}

/** What was sent of a session that is followed no more, or from another position. */
export interface Left {
  readonly sent: Cursors
  /** Characters of it that the client has not acknowledged. */
  readonly unread: number
}

/** What a socket follows, and what its client has yet to acknowledge. It is kept in the attachment, which survives hibernation. */
export interface Standing {
  /** Session id -> follow. */
  readonly follows: Readonly<Record<string, Follow>>
  readonly left: Readonly<Record<string, Left>>
  /** Characters of others before these: they stay unread. */
  readonly unread: number
  /** Messages that were sent and may be acknowledged, one by one, at no expense. */
  readonly toAck: number
}

/** An attachment holds so few bytes. */
export const MOST_FOLLOWS = 8

const NOTHING: Standing = { follows: {}, left: {}, unread: 0, toAck: 0 }

export function standingOf(socket: WebSocket): Standing {
  return (socket.deserializeAttachment() as Standing | null) ?? NOTHING
}

export const setStanding = (socket: WebSocket, standing: Standing): void => socket.serializeAttachment(standing)

export const withToAck = (standing: Standing, more: number): Standing => ({ ...standing, toAck: standing.toAck + more })

/** Characters that wait for the client, in all: neither following again nor following no more makes them less. */
export function unreadOf({ follows, left, unread }: Standing): number {
  const counts = [...Object.values(follows).map(unreadIn), ...Object.values(left).map((one) => one.unread), unread]
  return counts.reduce((sum, count) => sum + count, 0)
}

export const followOf = ({ follows }: Standing, session: string): Follow | undefined =>
  Object.hasOwn(follows, session) ? follows[session] : undefined

/** The session is followed, from where it was. */
export const withFollow = (standing: Standing, session: string, follow: Follow): Standing => ({
  ...standing,
  follows: { ...standing.follows, [session]: follow },
})

/** It is followed no more. */
export function withoutFollow(standing: Standing, session: string): Standing {
  const follow = followOf(standing, session)
  if (!follow) return standing
  const { [session]: _, ...follows } = standing.follows
  const count = unreadIn(follow)
  if (count === 0) return { ...standing, follows }
  const before = leftOf(standing, session)
  const { [session]: __, ...others } = standing.left
  const left = { ...others, [session]: { sent: further(before?.sent, follow.sent), unread: (before?.unread ?? 0) + count } }
  return trimmed({ ...standing, follows, left })
}

/** The client has the session up to here. */
export function acknowledged(standing: Standing, session: string, cursor: Cursors): Standing {
  const follow = followOf(standing, session)
  const left = leftOf(standing, session)
  let next = standing
  if (follow) next = withFollow(next, session, { ...follow, acked: further(follow.acked, nearer(cursor, follow.sent)) })
  if (left && reaches(cursor, left.sent)) {
    const { [session]: _, ...others } = next.left
    next = { ...next, left: others }
  }
  return next
}

/** The one that was left first is remembered as a number alone. */
function trimmed(standing: Standing): Standing {
  const [first, ...others] = Object.entries(standing.left)
  if (!first || others.length < MOST_FOLLOWS) return standing
  return { ...standing, left: Object.fromEntries(others), unread: standing.unread + first[1].unread }
}

const leftOf = ({ left }: Standing, session: string): Left | undefined => (Object.hasOwn(left, session) ? left[session] : undefined)

const unreadIn = ({ sent, acked }: Follow): number => sent.stdout - acked.stdout + sent.stderr - acked.stderr

const reaches = (cursor: Cursors, end: Cursors): boolean => cursor.stdout >= end.stdout && cursor.stderr >= end.stderr

export const nearer = (a: Cursors, b: Cursors): Cursors => ({ stdout: Math.min(a.stdout, b.stdout), stderr: Math.min(a.stderr, b.stderr) })

const further = (a: Cursors | undefined, b: Cursors): Cursors =>
  a ? { stdout: Math.max(a.stdout, b.stdout), stderr: Math.max(a.stderr, b.stderr) } : b
