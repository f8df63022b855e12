import type { SessionStream } from 'toolport'

export type Cursors = Readonly<Record<SessionStream, number>>

/** How far a socket has come with one session, in characters since its beginning. */
export interface Follow {
  /** What was sent. */
  readonly sent: Cursors
  /** What the client says that it has. */
  readonly acked: Cursors
}

/** Session id -> follow. */
export type Follows = Readonly<Record<string, Follow>>

/** An attachment holds so few bytes. */
export const MOST_FOLLOWS = 8

/** What a socket follows is kept in its attachment, which survives hibernation. */
export function followsOf(socket: WebSocket): Follows {
  return (socket.deserializeAttachment() as Follows | null) ?? {}
}

export function setFollow(socket: WebSocket, session: string, follow: Follow | undefined): void {
  const { [session]: _, ...others } = followsOf(socket)
  socket.serializeAttachment(follow ? { ...others, [session]: follow } : others)
}
