import type { Session, SessionInfo, SessionStream, ToolRuntime } from 'toolport'
import { HttpError, tooMany } from '../http/errors.js'
import { protocolsOf } from '../http/token.js'
import { type ClientMessage, readClientMessage } from './client-message.js'
import { type Cursors, type Follow, followsOf, MOST_FOLLOWS, setFollow } from './follows.js'

/** Characters of a stream that are sent before the client says that it has them: what may wait for a slow reader. */
const WINDOW = 256 * 1024
/** Characters of one message. */
const PIECE = 32 * 1024
/** Output of so many milliseconds is one message. */
const GATHER_MS = 15
const LONGEST_MESSAGE = 4096
const STREAMS: readonly SessionStream[] = ['stdout', 'stderr']
const PROTOCOL = 'toolport'

/**
 * Background output for clients. Everything that has to survive is in the sockets' attachments (what each follows, and how far) and in the
 * sessions themselves: this may be made anew at any time, also by the message that wakes a hibernated object.
 */
export class Sockets {
  readonly #ctx: DurableObjectState
  readonly #runtime: ToolRuntime
  /** Sessions that are listened to -> what ends that. */
  readonly #listened = new Map<string, () => void>()
  #due: ReturnType<typeof setTimeout> | undefined

  constructor(ctx: DurableObjectState, runtime: ToolRuntime) {
    this.#ctx = ctx
    this.#runtime = runtime
    runtime.sessions.onChange(() => this.#flushSoon())
    this.#flushSoon()
  }

  /** What a client sends on a socket. */
  onMessage(socket: WebSocket, data: string | ArrayBuffer): void {
    const size = typeof data === 'string' ? data.length : data.byteLength
    if (size > LONGEST_MESSAGE) socket.close(1009, `A message has at most ${LONGEST_MESSAGE} characters`)
    else this.#handle(socket, readClientMessage(data))
  }

  #handle(socket: WebSocket, message: ClientMessage | string): void {
    if (typeof message === 'string') send(socket, { type: 'error', code: 'invalid_message', message })
    else if (message.type === 'list')
      send(socket, { type: 'sessions', sessions: this.#runtime.sessions.list().map(({ info }) => summaryOf(info)) })
    else if (message.type === 'unfollow') setFollow(socket, message.session, undefined)
    else if (message.type === 'ack') this.#acknowledge(socket, message.session, message.cursor)
    else this.#follow(socket, message.session, message.cursor)
  }

  #acknowledge(socket: WebSocket, session: string, cursor: Cursors): void {
    const follow = followsOf(socket)[session]
    if (!follow) return
    setFollow(socket, session, { ...follow, acked: capped(cursor, follow.sent) })
    this.#flush(socket)
  }

  #follow(socket: WebSocket, session: string, cursor: Cursors): void {
    const follows = followsOf(socket)
    if (!(session in follows) && Object.keys(follows).length >= MOST_FOLLOWS) {
      const message = `A socket follows at most ${MOST_FOLLOWS} sessions`
      send(socket, { type: 'error', code: 'too_many_follows', session, message })
      return
    }
    setFollow(socket, session, { sent: cursor, acked: cursor })
    this.#flush(socket)
  }

  #flushSoon(): void {
    this.#due ??= setTimeout(() => {
      this.#due = undefined
      for (const socket of this.#ctx.getWebSockets()) this.#flush(socket)
      this.#forgetUnfollowed()
    }, GATHER_MS)
  }

  #flush(socket: WebSocket): void {
    for (const [id, follow] of Object.entries(followsOf(socket))) this.#catchUp(socket, id, follow)
  }

  /** Sends what there is of a session, as far as the window reaches. */
  #catchUp(socket: WebSocket, id: string, follow: Follow): void {
    const session = this.#runtime.sessions.get(id)
    if (session) this.#listen(session)
    const sent = session ? sendOutput(socket, session, follow) : follow.sent
    const goesOn = session && (session.info.state === 'running' || hasMore(session, sent))
    setFollow(socket, id, goesOn ? { ...follow, sent } : undefined)
    if (!goesOn) send(socket, endOf(id, session?.info, sent))
  }

  #listen(session: Session): void {
    if (this.#listened.has(session.id) || session.info.state !== 'running') return
    this.#listened.set(
      session.id,
      session.onOutput(() => this.#flushSoon()),
    )
  }

  #forgetUnfollowed(): void {
    const followed = new Set(this.#ctx.getWebSockets().flatMap((socket) => Object.keys(followsOf(socket))))
    for (const [id, stop] of this.#listened) {
      if (followed.has(id)) continue
      stop()
      this.#listened.delete(id)
    }
  }
}

/** Opens a socket that may hibernate. @throws {HttpError} upgrade_required, too_many_requests */
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

/** What a client is told last of a session; undefined: there is none. */
function endOf(session: string, info: SessionInfo | undefined, cursor: Cursors): object {
  if (!info) return { type: 'lost', session, cursor, reason: 'There is no such session: it was forgotten, or never was' }
  const { state, exitCode, signal } = info
  const end = { session, state, exit_code: exitCode, ...(signal !== undefined && { signal }), cursor }
  if (state !== 'lost') return { type: 'ended', ...end }
  return { type: 'lost', ...end, reason: 'What ran it is gone: the object was evicted or restarted' }
}

/** How far the client is then. */
function sendOutput(socket: WebSocket, session: Session, { sent, acked }: Follow): Cursors {
  const reached = { ...sent }
  for (const stream of STREAMS) {
    while (true) {
      const room = Math.min(PIECE, acked[stream] + WINDOW - reached[stream])
      if (room <= 0) break
      const { text, cursor, dropped } = session.read({ stream, from: reached, maxChars: room })[stream]
      // Beyond the end: a client's own invention, or output that was never kept. It goes on from there.
      if (text === '' && dropped === 0) break
      reached[stream] = cursor
      send(socket, { type: 'output', session: session.id, stream, text, cursor, ...(dropped > 0 && { dropped }) })
    }
  }
  return reached
}

function hasMore(session: Session, from: Cursors): boolean {
  const rest = session.read({ from, maxChars: 2 })
  return STREAMS.some((stream) => rest[stream].text !== '')
}

/** A client has no more than what was sent to it. */
const capped = (cursor: Cursors, sent: Cursors): Cursors => ({
  stdout: Math.min(cursor.stdout, sent.stdout),
  stderr: Math.min(cursor.stderr, sent.stderr),
})

const summaryOf = ({ id, kind, name, command, state, exitCode, createdMs, updatedMs }: SessionInfo): object => ({
  id,
  kind,
  name,
  command,
  state,
  exit_code: exitCode,
  createdMs,
  updatedMs,
})

function send(socket: WebSocket, message: object): void {
  try {
    socket.send(JSON.stringify(message))
  } catch {
    // It has closed meanwhile; the client goes on with its cursor on another one.
  }
}
