import { type AnsiCleaner, createAnsiCleaner } from '../ops/ansi.js'
import { notify } from '../ops/notify.js'
import { createRingBuffer, type RingBuffer } from '../ops/ring-buffer.js'
import type { SessionReadOptions, SessionStream, SessionText } from '../types/session.js'
import type { ShellOutput } from '../types/shell.js'

/** The output of a session: plain text with cursors for readers, raw text for terminals. */
export interface SessionOutput {
  readonly unread: Readonly<Record<SessionStream, number>>
  /** Whether the program has enabled application cursor keys (DECCKM). */
  readonly applicationKeys: boolean
  /** Whether the stream has unread output. */
  has(stream: SessionStream | 'both'): boolean
  read(options?: SessionReadOptions): Readonly<Record<SessionStream, SessionText>>
  push(output: ShellOutput): void
  /** Drops later output. */
  end(): void
  listen(listener: (output: ShellOutput) => void): () => void
}

interface Stream {
  readonly ring: RingBuffer
  readonly cleaner: AnsiCleaner
  cursor: number
}

const MAX_CHARS = 8000
/** Matches `ESC [ ? 1 h` and `ESC [ ? 1 l`, also with further modes. */
const CURSOR_MODE = /^\?(?:\d+;)*1(?:;|$)/

export function createSessionOutput(): SessionOutput {
  let applicationKeys = false
  const onSequence = (parameters: string, final: string): void => {
    if ((final === 'h' || final === 'l') && CURSOR_MODE.test(parameters)) applicationKeys = final === 'h'
  }
  const createStream = (): Stream => ({ ring: createRingBuffer(), cleaner: createAnsiCleaner({ onSequence }), cursor: 0 })
  const streams = { stdout: createStream(), stderr: createStream() }
  const backlog = createBacklog()
  const listeners = new Set<(output: ShellOutput) => void>()

  return {
    get applicationKeys() {
      return applicationKeys
    },
    get unread() {
      return { stdout: unreadOf(streams.stdout), stderr: unreadOf(streams.stderr) }
    },
    has: (stream) => (stream === 'both' ? [streams.stdout, streams.stderr] : [streams[stream]]).some((one) => unreadOf(one) > 0),
    read({ stream = 'both', maxChars = MAX_CHARS, peek = false, from } = {}) {
      const readOne = (name: SessionStream): SessionText => {
        if (stream !== 'both' && stream !== name) return nothingOf(streams[name])
        return readFrom(streams[name], maxChars, peek || from !== undefined, from?.[name])
      }
      return { stdout: readOne('stdout'), stderr: readOne('stderr') }
    },
    push(output) {
      const { ring, cleaner } = streams[output.stream]
      ring.push(cleaner.push(output.text))
      backlog.push(output)
      for (const listener of [...listeners]) notify(listener, output)
    },
    end() {
      for (const { ring, cleaner } of [streams.stdout, streams.stderr]) ring.push(cleaner.end())
    },
    listen(listener) {
      // Wraps the listener, because the same function may be registered twice.
      const own = (output: ShellOutput): void => listener(output)
      for (const output of backlog.all()) notify(own, output)
      listeners.add(own)
      return () => listeners.delete(own)
    },
  }
}

const unreadOf = ({ ring, cursor }: Stream): number => ring.end - Math.max(cursor, ring.start)

const nothingOf = ({ cursor }: Stream): SessionText => ({ text: '', cursor, hasMore: false, dropped: 0 })

function readFrom(stream: Stream, maxChars: number, peek: boolean, from: number = stream.cursor): SessionText {
  const { ring } = stream
  const { text, next, lost } = ring.read(Math.floor(from) || 0, maxChars)
  if (!peek) stream.cursor = next
  return { text, cursor: next, hasMore: next < ring.end, dropped: lost }
}

/** The most recent raw output, for a terminal that is opened later. */
interface Backlog {
  push(output: ShellOutput): void
  /** Returns the kept output, oldest first. Consecutive output of the same stream is merged. */
  all(): readonly ShellOutput[]
}

const CAPACITY = 64 * 1024

/** Keeps the last 64 Ki characters of both streams together, in order. */
function createBacklog(): Backlog {
  const ring = createRingBuffer(CAPACITY)
  /** Whether the character at a position belongs to stderr. Created on the first output, because many sessions print nothing. */
  let isError: Uint8Array | undefined
  return {
    push({ stream, text }) {
      const length = Math.min(text.length, CAPACITY)
      const first = (ring.end + text.length - length) % CAPACITY
      const mark = stream === 'stderr' ? 1 : 0
      isError ??= new Uint8Array(CAPACITY)
      isError.fill(mark, first, first + length).fill(mark, 0, Math.max(0, first + length - CAPACITY))
      ring.push(text)
    },
    all() {
      const runs: ShellOutput[] = []
      for (let from = ring.start; from < ring.end; ) {
        const mark = isError?.[from % CAPACITY]
        let end = from + 1
        while (end < ring.end && isError?.[end % CAPACITY] === mark) end++
        runs.push({ stream: mark === 1 ? 'stderr' : 'stdout', text: ring.read(from, end - from).text })
        from = end
      }
      return runs
    },
  }
}
