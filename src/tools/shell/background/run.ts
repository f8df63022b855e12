// All bodies in one file, so that a bundle has one chunk for them.
import { reply } from '../../../core/define-tool.js'
import { shorten } from '../../../core/field-path.js'
import { InputError } from '../../../errors/index.js'
import { headUnits, utf8Length } from '../../../ops/utf8.js'
import type { Session, SessionInfo, SessionReadOptions, SessionStream, SessionText } from '../../../types/session.js'
import type { ToolContext, ToolReply } from '../../../types/tool.js'
import { timeLeft } from '../time-left.js'
import { BASH, type BackgroundFamily } from './family.js'
import {
  findSession,
  type PlaceFields,
  placeFields,
  type StateFields,
  type StreamFields,
  sessionsOfKind,
  stateFields,
  stateText,
  streamFields,
  unreadText,
} from './session-fields.js'

interface ReadInput {
  readonly session_id: string
  readonly max_chars: number
  readonly stream: SessionStream | 'both'
  readonly peek: boolean
  readonly wait_ms: number
}

/**
 * After the first output, a wait ends when the program prints nothing for `QUIET_MS` milliseconds, or has printed for `PIECES_MS`
 * milliseconds without such a pause.
 */
const QUIET_MS = 50
const PIECES_MS = 500
/** Bytes of a result reserved for the lines about the session. */
const FACTS_BYTES = 512

/**
 * The body of `read_background_bash` and `read_background_js`. Reads only as much output as one result can show, because output that is
 * read but cut from the result would be lost.
 */
export async function runRead({ kind }: BackgroundFamily, input: ReadInput, context: ToolContext): Promise<ToolReply<BackgroundRead>> {
  const { signal, limits } = context
  const session = findSession(context, kind, input.session_id)
  const waited_ms = input.wait_ms === 0 ? 0 : await waitFor(session, input, context)
  // Check before reading: nobody receives the result of an aborted call, so the output that it reads would be lost.
  signal.throwIfAborted()
  const room = Math.max(limits.outputBytes >> 1, limits.outputBytes - FACTS_BYTES)
  const output = { ...stateFields(session.info), ...streamFields(readWithin(session, input, room)), waited_ms }
  return reply(output, [{ type: 'text', text: renderRead(output) }])
}

/** Waits for output or the end of the program. Returns the milliseconds that it waited. */
async function waitFor(session: Session, { wait_ms, stream }: ReadInput, context: ToolContext): Promise<number> {
  const { host, signal } = context
  const began = host.now()
  const until = began + Math.min(wait_ms, timeLeft(context))
  await session.wait(until - began, { stream, signal })
  await quiet(session, Math.min(until, host.now() + PIECES_MS), context)
  return host.now() - began
}

/** Waits until the output pauses. A program prints in pieces, and the first is often only the echo of its input. */
async function quiet(session: Session, until: number, { host, signal }: ToolContext): Promise<void> {
  while (session.info.state === 'running' && host.now() < until && !signal.aborted) {
    const before = unreadOf(session)
    await host.sleep(Math.min(QUIET_MS, until - host.now()), signal)
    if (unreadOf(session) === before) return
  }
}

const unreadOf = ({ info }: Session): number => info.unread.stdout + info.unread.stderr

/** Reads at most `room` bytes from both streams together. Each stream gets at least half of the room if it needs that much. */
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

interface BackgroundRead extends StateFields, StreamFields {
  readonly waited_ms: number
}

/** Renders the output, followed by one line about the session. */
function renderRead(output: BackgroundRead): string {
  const { stdout, stderr } = output
  return [
    ...(stdout === '' ? [] : [withoutLineEnd(stdout)]),
    ...(stderr === '' ? [] : [`[stderr]\n${withoutLineEnd(stderr)}`]),
    ...(stdout === '' && stderr === '' ? ['(nothing new)'] : []),
    `[${factsOf(output).join(', ')}]`,
  ].join('\n')
}

function factsOf(output: BackgroundRead): readonly string[] {
  const more = [...(output.stdout_has_more ? ['stdout'] : []), ...(output.stderr_has_more ? ['stderr'] : [])]
  const dropped = { stdout: output.stdout_dropped, stderr: output.stderr_dropped }
  return [
    stateText(output),
    ...(output.state === 'lost' ? ['its last output before that may be missing', 'start it again if it is still needed'] : []),
    ...(more.length === 0 ? [] : [`more of ${more.join(' and ')}: read again`]),
    ...(['stdout', 'stderr'] as const).flatMap((name) =>
      dropped[name] === 0 ? [] : [`${dropped[name]} characters of ${name} before this were lost`],
    ),
  ]
}

const withoutLineEnd = (text: string): string => (text.endsWith('\n') ? text.slice(0, -1) : text)

interface WriteInput {
  readonly session_id: string
  readonly input?: string | undefined
  readonly key?: string | undefined
  readonly repeat: number
  readonly append_newline: boolean
}

interface BackgroundWrite extends StateFields {
  /** Number of UTF-8 bytes. */
  readonly bytes_written: number
  /** In which way the effect differs from the request. */
  readonly note?: string
}

const NOT_TAKEN = 'the program has not read all of this input yet'

/** The body of `write_background_bash` and `write_background_js`. */
export async function runWrite({ kind }: BackgroundFamily, input: WriteInput, context: ToolContext): Promise<ToolReply<BackgroundWrite>> {
  checkTogether(kind, input)
  const session = findSession(context, kind, input.session_id)
  const bytes = await takenInTime(send(session, input), context)
  const output = {
    ...stateFields(session.info),
    bytes_written: bytes ?? 0,
    ...(bytes === undefined && { note: NOT_TAKEN }),
  }
  return reply(output, [{ type: 'text', text: render(output, input) }])
}

/** @throws {InputError} for fields that cannot be combined */
function checkTogether(kind: BackgroundFamily['kind'], { input, key, repeat, append_newline }: WriteInput): void {
  const refusal = (path: string, message: string): InputError =>
    new InputError('invalid_input', `Cannot call "write_background_${kind}": ${path}: ${message}`, { issues: [{ path, message }] })
  if ((input === undefined) === (key === undefined)) throw refusal('input', 'pass either input or key')
  if (key === undefined && repeat !== 1) throw refusal('repeat', 'applies to keys only: repeat the text in input')
  if (input === '' && !append_newline) throw refusal('input', 'is empty and append_newline is false: nothing to send')
}

function send(session: Session, { input, key, repeat, append_newline }: WriteInput): Promise<number> {
  if (key !== undefined) return session.press(key, { repeat })
  // On a terminal, send the Enter key: programs that read keys wait for it. For all others the terminal converts it to a line feed.
  const enter = session.info.transport === 'pty' ? '\r' : '\n'
  return session.write(`${input}${append_newline ? enter : ''}`)
}

function render(output: BackgroundWrite, { key, repeat }: WriteInput): string {
  const { bytes_written, note } = output
  const done =
    key === undefined ? `Sent ${bytes_written} bytes` : `Pressed ${key.trim().toLowerCase()}${repeat === 1 ? '' : ` ${repeat} times`}`
  return `${note === undefined ? done : `[${note}]`}\n[${stateText(output)}]`
}

/**
 * Maximum milliseconds to wait until a program has read its input. Without a limit, a program that never reads would block the call until
 * its deadline.
 */
const TAKE_MS = 5000

/** Waits for a write and returns its number of bytes. Undefined if the program did not read them in time. @throws errors of `writing` */
export async function takenInTime(writing: Promise<number>, context: ToolContext): Promise<number | undefined> {
  const over = new AbortController()
  const late = context.host.sleep(Math.min(TAKE_MS, timeLeft(context)), over.signal).then(() => undefined)
  try {
    return await Promise.race([writing, late])
  } finally {
    over.abort()
  }
}

interface StopInput {
  readonly session_id: string
  readonly force: boolean
  readonly grace_ms: number
}

interface BackgroundStop extends StateFields {
  readonly status: 'stopped' | 'already_stopped'
  /** Whether the program was killed because it did not end by itself. */
  readonly escalated: boolean
}

/** Maximum share of the call's remaining time for the grace period. The rest is for killing the program. */
const KILL_SHARE = 0.5

/** The body of `stop_background_bash` and `stop_background_js`. */
export async function runStop(
  { kind }: BackgroundFamily,
  { session_id, force, grace_ms }: StopInput,
  context: ToolContext,
): Promise<ToolReply<BackgroundStop>> {
  const session = findSession(context, kind, session_id)
  const wasRunning = session.info.state === 'running'
  const graceMs = Math.min(grace_ms, Math.floor(timeLeft(context) * KILL_SHARE))
  const { escalated, ...info } = await session.stop({ force, graceMs })
  const output: BackgroundStop = { status: wasRunning ? 'stopped' : 'already_stopped', ...stateFields(info), escalated }
  const facts = [stateText(output), ...unreadText(info.unread)]
  return reply(output, [{ type: 'text', text: `${doneText(output)}\n[${facts.join(', ')}]` }])
}

function doneText({ status, escalated }: BackgroundStop): string {
  if (status === 'already_stopped') return 'The session had already ended'
  return escalated ? 'Killed, because it did not end in time' : 'Stopped'
}

interface ListInput {
  readonly include_exited: boolean
}

/** A session in a list. Its command is truncated. */
interface ListedSession extends StateFields, PlaceFields {
  /** Number of unread characters. */
  readonly unread_stdout: number
  readonly unread_stderr: number
}

interface BackgroundList {
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

/** Says which sessions the list hides. Always names lost sessions, because the model assumes that they still run. */
function hiddenText(hidden: readonly SessionInfo[]): string {
  const lost = hidden.filter(({ state }) => state === 'lost').map(({ id }) => id)
  const which = lost.length > SHOWN_LOST ? `${lost.slice(0, SHOWN_LOST).join(', ')} and ${lost.length - SHOWN_LOST} more` : lost.join(', ')
  const told = lost.length === 0 ? '' : `; lost in a restart of the host: ${which}`
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

interface ResizeInput {
  readonly session_id: string
  readonly cols: number
  readonly rows: number
}

interface BackgroundResize extends StateFields {
  readonly status: 'resized'
  readonly cols: number
  readonly rows: number
}

/** The body of `resize_background_bash`. */
export async function runResize({ session_id, cols, rows }: ResizeInput, context: ToolContext): Promise<ToolReply<BackgroundResize>> {
  const session = findSession(context, BASH.kind, session_id)
  await session.resize({ cols, rows })
  const output: BackgroundResize = { status: 'resized', ...stateFields(session.info), cols, rows }
  return reply(output, [{ type: 'text', text: `The terminal is ${cols}x${rows} now\n[${stateText(output)}]` }])
}
