import { reply } from '../../../core/define-tool.js'
import { headUnits, utf8Length } from '../../../ops/utf8.js'
import type { Session, SessionReadOptions, SessionStream, SessionText } from '../../../types/session.js'
import type { ToolContext, ToolReply } from '../../../types/tool.js'
import { timeLeft } from '../time-left.js'
import type { BackgroundFamily } from './family.js'
import { findSession } from './find.js'
import { type BackgroundRead, renderRead } from './read-output.js'
import { stateFields, streamFields } from './session-fields.js'

export interface ReadInput {
  readonly session_id: string
  readonly max_chars: number
  readonly stream: SessionStream | 'both'
  readonly peek: boolean
  readonly wait_ms: number
}

/** A pause of a program for this long ends a wait, and so does output that goes on for longer than that. */
const QUIET_MS = 50
const PIECES_MS = 500
/** For what stands around the streams. */
const FACTS_BYTES = 512

/** The body of `read_background_bash` and `read_background_js`. Gives no more than a model reads of one answer: what would be cut from it could not be read again. */
export async function runRead({ kind }: BackgroundFamily, input: ReadInput, context: ToolContext): Promise<ToolReply<BackgroundRead>> {
  const { signal, limits } = context
  const session = findSession(context, kind, input.session_id)
  const waited_ms = input.wait_ms === 0 ? 0 : await waitFor(session, input, context)
  // The answer of a call that was aborted reaches nobody: what it read would be lost.
  signal.throwIfAborted()
  const room = Math.max(limits.outputBytes >> 1, limits.outputBytes - FACTS_BYTES)
  const output = { ...stateFields(session.info), ...streamFields(readWithin(session, input, room)), waited_ms }
  return reply(output, [{ type: 'text', text: renderRead(output) }])
}

/** The milliseconds it took. */
async function waitFor(session: Session, { wait_ms, stream }: ReadInput, context: ToolContext): Promise<number> {
  const { host, signal } = context
  const began = host.now()
  const until = began + Math.min(wait_ms, timeLeft(context))
  await session.wait(until - began, { stream, signal })
  await quiet(session, Math.min(until, host.now() + PIECES_MS), context)
  return host.now() - began
}

/** Programs print in pieces, first of all the echo of what was written to them: what comes right behind belongs to it. */
async function quiet(session: Session, until: number, { host, signal }: ToolContext): Promise<void> {
  while (session.info.state === 'running' && host.now() < until && !signal.aborted) {
    const before = unreadOf(session)
    await host.sleep(Math.min(QUIET_MS, until - host.now()), signal)
    if (unreadOf(session) === before) return
  }
}

const unreadOf = ({ info }: Session): number => info.unread.stdout + info.unread.stderr

/** Both streams in `room` bytes: stderr has half of it, each what the other does not need. */
function readWithin(session: Session, { stream, max_chars, peek }: ReadInput, room: number): Readonly<Record<SessionStream, SessionText>> {
  const read = (options: SessionReadOptions) => session.read({ stream, peek, ...options })
  const seen = read({ maxChars: max_chars, peek: true })
  const bytes = { stdout: utf8Length(seen.stdout.text), stderr: utf8Length(seen.stderr.text) }
  if (bytes.stdout + bytes.stderr <= room) return read({ maxChars: max_chars })
  const errors = Math.min(bytes.stderr, Math.max(room >> 1, room - bytes.stdout))
  const units = { stdout: headUnits(seen.stdout.text, room - errors), stderr: headUnits(seen.stderr.text, errors) }
  const part = (name: SessionStream): SessionText =>
    bytes[name] === 0 ? seen[name] : read({ stream: name, maxChars: Math.max(1, units[name]) })[name]
  return { stdout: part('stdout'), stderr: part('stderr') }
}
