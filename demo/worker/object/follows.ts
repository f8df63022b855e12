import type { SessionStream } from 'toolport'

export type Cursors = Readonly<Record<SessionStream, number>>

/** How far a socket has followed one session, in characters since the session began. */
export interface Follow {
  /** Position up to which output was sent. */
  readonly sent: Cursors
  /** Position up to which the client has acknowledged output. Dropped text counts as acknowledged. */
  readonly acked: Cursors
}

/** Unacknowledged output of a session that the socket no longer follows, or now follows from another position. */
export interface Left {
  readonly sent: Cursors
  /** Characters that the client has not acknowledged. */
  readonly unread: number
}

/**
 * The sessions that a socket follows and the output that its client has not acknowledged. Stored in the socket's attachment, which survives
 * hibernation.
 */
export interface Standing {
  /** Session id -> follow. */
  readonly follows: Readonly<Record<string, Follow>>
  readonly left: Readonly<Record<string, Left>>
  /** Unacknowledged characters of sessions that were trimmed from `left`. The client can no longer acknowledge these characters. */
  readonly unread: number
  /** Number of acknowledgements that do not count toward the rate limit. Each sent message adds one. */
  readonly toAck: number
}

/** Limited by the size of a socket's attachment. */
export const MOST_FOLLOWS = 8

const NOTHING: Standing = { follows: {}, left: {}, unread: 0, toAck: 0 }

export function standingOf(socket: WebSocket): Standing {
  return (socket.deserializeAttachment() as Standing | null) ?? NOTHING
}

export const setStanding = (socket: WebSocket, standing: Standing): void => socket.serializeAttachment(standing)

export const withToAck = (standing: Standing, more: number): Standing => ({ ...standing, toAck: standing.toAck + more })

/** All unacknowledged characters of the socket. Following a session again or unfollowing a session does not reduce this number. */
export function unreadOf({ follows, left, unread }: Standing): number {
  const counts = [...Object.values(follows).map(unreadIn), ...Object.values(left).map((one) => one.unread), unread]
  return counts.reduce((sum, count) => sum + count, 0)
}

export const followOf = ({ follows }: Standing, session: string): Follow | undefined =>
  Object.hasOwn(follows, session) ? follows[session] : undefined

export const withFollow = (standing: Standing, session: string, follow: Follow): Standing => ({
  ...standing,
  follows: { ...standing.follows, [session]: follow },
})

/** Stops following the session. Its unacknowledged output moves to `left`. */
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

/** Records that the client has received the session up to `cursor`. */
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

/** Moves the oldest entry of `left` into the `unread` number when there are too many. */
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
