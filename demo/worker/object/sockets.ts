import type { Session, SessionInfo, SessionStream, ToolRuntime } from 'toolport'
import { HttpError, tooMany } from '../http/errors.js'
import { protocolsOf } from '../http/token.js'
import { type ClientMessage, readClientMessage } from './client-message.js'
import {
  acknowledged,
  type Cursors,
  type Follow,
  followOf,
  MOST_FOLLOWS,
  nearer,
  type Standing,
  setStanding,
  standingOf,
  unreadOf,
  withFollow,
  withoutFollow,
  withToAck,
} from './follows.js'

/** Unacknowledged characters allowed per stream. A slow reader can fall behind by this much. */
const WINDOW = 256 * 1024
/** Unacknowledged characters allowed per socket, including sessions that the socket no longer follows. */
const SOCKET_WINDOW = 512 * 1024
/** Characters per message. */
const PIECE = 32 * 1024
/** Output is batched into one message for this many milliseconds. */
const GATHER_MS = 15
const LONGEST_MESSAGE = 4096
/** Maximum length of a command in the list of sessions. */
const LONGEST_COMMAND = 200
const STREAMS: readonly SessionStream[] = ['stdout', 'stderr']
const PROTOCOL = 'toolport'

/**
 * Sends background output to clients. All state that must survive is in the sockets' attachments (what each socket follows, and how far)
 * and in the sessions. This object can be recreated at any time, also by the message that wakes a hibernated Durable Object.
 */
export class Sockets {
  readonly #ctx: DurableObjectState
  readonly #runtime: ToolRuntime
  /** Session id -> unsubscribe function. */
  readonly #listened = new Map<string, () => void>()
  readonly #stopWatching: () => void
  #due: ReturnType<typeof setTimeout> | undefined
  #closed = false

  constructor(ctx: DurableObjectState, runtime: ToolRuntime) {
    this.#ctx = ctx
    this.#runtime = runtime
    this.#stopWatching = runtime.sessions.onChange(() => this.#flushSoon())
    this.#flushSoon()
  }

  /** Stops sending output and listening to sessions. */
  close(): void {
    this.#closed = true
    this.#stopWatching()
    for (const stop of this.#listened.values()) stop()
    if (this.#due !== undefined) clearTimeout(this.#due)
  }

  onMessage(socket: WebSocket, message: ClientMessage | string): void {
    if (!this.#closed) this.#handle(socket, message)
  }

  #handle(socket: WebSocket, message: ClientMessage | string): void {
    if (typeof message === 'string') send(socket, { type: 'error', code: 'invalid_message', message })
    else if (message.type === 'list')
      send(socket, { type: 'sessions', sessions: this.#runtime.sessions.list().map(({ info }) => summaryOf(info)) })
    else if (message.type === 'unfollow') setStanding(socket, withoutFollow(standingOf(socket), message.session))
    else if (message.type === 'ack') this.#acknowledge(socket, message.session, message.cursor)
    else this.#follow(socket, message.session, message.cursor)
  }

  #acknowledge(socket: WebSocket, session: string, cursor: Cursors): void {
    setStanding(socket, acknowledged(standingOf(socket), session, cursor))
    this.#flush(socket)
  }

  #follow(socket: WebSocket, session: string, cursor: Cursors): void {
    const standing = standingOf(socket)
    const refusal = refusalOf(standing, session)
    if (refusal) {
      send(socket, { type: 'error', session, ...refusal })
      return
    }
    const known = this.#runtime.sessions.get(session)
    const from = known ? nearer(cursor, endIn(known)) : cursor
    setStanding(socket, withFollow(withoutFollow(standing, session), session, { sent: from, acked: from }))
    this.#flush(socket)
  }

  #flushSoon(): void {
    if (this.#closed) return
    this.#due ??= setTimeout(() => {
      this.#due = undefined
      for (const socket of this.#ctx.getWebSockets()) this.#flush(socket)
      this.#forgetUnfollowed()
    }, GATHER_MS)
  }

  #flush(socket: WebSocket): void {
    for (const id of Object.keys(standingOf(socket).follows)) this.#catchUp(socket, id)
  }

  /** Sends the available output of a session, as far as the windows allow. */
  #catchUp(socket: WebSocket, id: string): void {
    const standing = standingOf(socket)
    const follow = followOf(standing, id)
    if (!follow) return
    const session = this.#runtime.sessions.get(id)
    if (session) this.#listen(session)
    const [next, messages] = session ? sendOutput(socket, session, follow, SOCKET_WINDOW - unreadOf(standing)) : [follow, 0]
    const followed = withFollow(standing, id, next)
    const goesOn = session && (session.info.state === 'running' || hasMore(session, next.sent))
    if (goesOn && messages === 0) return
    setStanding(socket, goesOn ? withToAck(followed, messages) : withToAck(withoutFollow(followed, id), messages + 1))
    if (!goesOn) send(socket, endOf(id, session?.info, next.sent))
  }

  #listen(session: Session): void {
    if (this.#listened.has(session.id) || session.info.state !== 'running') return
    this.#listened.set(
      session.id,
      session.onOutput(() => this.#flushSoon()),
    )
  }

  #forgetUnfollowed(): void {
    const followed = new Set(this.#ctx.getWebSockets().flatMap((socket) => Object.keys(standingOf(socket).follows)))
    for (const [id, stop] of this.#listened) {
      if (followed.has(id)) continue
      stop()
      this.#listened.delete(id)
    }
  }
}

/** Parses a message. Returns undefined if the message is too long, or a string with the reason if the message is invalid. */
export function readMessage(data: string | ArrayBuffer): ClientMessage | string | undefined {
  const size = typeof data === 'string' ? data.length : data.byteLength
  return size > LONGEST_MESSAGE ? undefined : readClientMessage(data)
}

/** Whether the message is the first acknowledgement of a sent message. Such a message does not count toward the rate limit. */
export function takeAck(socket: WebSocket, message: ClientMessage | string): boolean {
  if (typeof message === 'string' || message.type !== 'ack') return false
  const standing = standingOf(socket)
  if (standing.toAck < 1) return false
  setStanding(socket, withToAck(standing, -1))
  return true
}

/** Opens a WebSocket that supports hibernation. @throws {HttpError} upgrade_required, too_many_requests */
export function openSocket(ctx: DurableObjectState, request: Request, most: number): Response {
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') {
    throw new HttpError(426, 'upgrade_required', 'This address is that of a WebSocket', { headers: { upgrade: 'websocket' } })
  }
  if (ctx.getWebSockets().length >= most) throw tooMany(`At most ${most} WebSockets of a workspace are open at once`, 1000)
  const { 0: client, 1: server } = new WebSocketPair()
  ctx.acceptWebSocket(server)
  const named = protocolsOf(request.headers).includes(PROTOCOL)
  return new Response(null, { status: 101, webSocket: client, ...(named && { headers: { 'sec-websocket-protocol': PROTOCOL } }) })
}

/** The last message about a session. `info` undefined: the session does not exist. */
function endOf(session: string, info: SessionInfo | undefined, cursor: Cursors): object {
  if (!info) return { type: 'lost', session, cursor, reason: 'There is no such session: it was forgotten, or never was' }
  const { state, exitCode, signal } = info
  const end = { session, state, exit_code: exitCode, ...(signal !== undefined && { signal }), cursor }
  if (state !== 'lost') return { type: 'ended', ...end }
  return { type: 'lost', ...end, reason: 'What ran it is gone: the object was evicted or restarted' }
}

/** Why the socket cannot follow the session, if it cannot. */
function refusalOf(standing: Standing, session: string): { readonly code: string; readonly message: string } | undefined {
  if (!followOf(standing, session) && Object.keys(standing.follows).length >= MOST_FOLLOWS)
    return { code: 'too_many_follows', message: `A socket follows at most ${MOST_FOLLOWS} sessions` }
  if (unreadOf(standing) >= SOCKET_WINDOW)
    return {
      code: 'not_acknowledged',
      message: `${SOCKET_WINDOW} characters were sent and not acknowledged: do that, or open another socket`,
    }
  return undefined
}

/** Sends output. Returns the new position and the number of messages sent. `room`: characters for all streams. */
function sendOutput(socket: WebSocket, session: Session, { sent, acked }: Follow, room: number): readonly [Follow, number] {
  const next = { sent: { ...sent }, acked: { ...acked } }
  let left = room
  let messages = 0
  for (const stream of STREAMS) {
    while (true) {
      const most = Math.min(PIECE, next.acked[stream] + WINDOW - next.sent[stream], left)
      if (most <= 0) break
      const { text, cursor, dropped } = session.read({ stream, from: next.sent, maxChars: most })[stream]
      if (text === '' && dropped === 0) break
      // Dropped text is not sent and uses none of the window.
      next.acked[stream] += Math.max(0, cursor - next.sent[stream] - text.length)
      next.sent[stream] = cursor
      left -= text.length
      messages++
      send(socket, { type: 'output', session: session.id, stream, text, cursor, ...(dropped > 0 && { dropped }) })
    }
  }
  return [next, messages]
}

function hasMore(session: Session, from: Cursors): boolean {
  const rest = session.read({ from, maxChars: 2 })
  return STREAMS.some((stream) => rest[stream].text !== '')
}

/** The end of the session's output so far. A client's cursor beyond this end is invalid, or belongs to output that was never stored. */
function endIn(session: Session): Cursors {
  const { stdout, stderr } = session.read({ from: { stdout: Number.MAX_SAFE_INTEGER, stderr: Number.MAX_SAFE_INTEGER }, maxChars: 0 })
  return { stdout: stdout.cursor, stderr: stderr.cursor }
}

const summaryOf = ({ id, kind, name, command, state, exitCode, createdMs, updatedMs }: SessionInfo): object => ({
  id,
  kind,
  name,
  command: command.slice(0, LONGEST_COMMAND),
  state,
  exit_code: exitCode,
  createdMs,
  updatedMs,
})

function send(socket: WebSocket, message: object): void {
  try {
    socket.send(JSON.stringify(message))
  } catch {
    // The socket has closed meanwhile; the client resumes with its cursor on another socket.
  }
}
