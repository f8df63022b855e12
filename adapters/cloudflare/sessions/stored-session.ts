import { ShellError } from '../../../src/errors/index.js'
import { createRingBuffer } from '../../../src/ops/ring-buffer.js'
import type { Session, SessionInfo, SessionStream, SessionText } from '../../../src/types/session.js'
import { type Bounds, infoOf, type SessionRecord, STREAMS, type StreamBounds } from './record.js'
import type { SessionStore } from './store.js'

const MAX_CHARS = 8000
/** Maximum number of earlier characters of each stream that a new listener receives. */
const BACKLOG = 64 * 1024

/** Returns a session that has ended or was lost, backed by its record. */
export function createStoredSession(recorded: SessionRecord, store: SessionStore): Session {
  const { id, state, standing } = recorded
  let record = recorded

  const moveTo = (bounds: Bounds): void => {
    if (STREAMS.every((stream) => bounds[stream].cursor === record.bounds[stream].cursor)) return
    record = { ...record, bounds }
    try {
      store.saveCursors(id, bounds)
    } catch {
      // Ignored: reading still works, but after a restart, the same text is read again.
    }
  }
  const readOne = (stream: SessionStream, from: number, maxChars: number): SessionText =>
    readFrom(store, id, stream, record.bounds[stream], from, maxChars)
  const refuse = (what: string): Promise<never> => {
    const why = state === 'lost' ? 'it was lost when the object that ran it was evicted' : 'it has ended'
    return Promise.reject(new ShellError('not_running', `Cannot ${what} session "${id}": ${why}`))
  }
  const info = (): SessionInfo => infoOf(record)

  return {
    id,
    get info() {
      return info()
    },
    read({ stream = 'both', maxChars = MAX_CHARS, peek = false, from } = {}) {
      const { bounds } = record
      const one = (name: SessionStream): SessionText => {
        const { cursor } = bounds[name]
        return stream === 'both' || stream === name
          ? readOne(name, from?.[name] ?? cursor, maxChars)
          : { text: '', cursor, hasMore: false, dropped: 0 }
      }
      const texts = { stdout: one('stdout'), stderr: one('stderr') }
      const moved = (name: SessionStream): StreamBounds => ({ ...bounds[name], cursor: texts[name].cursor })
      if (!peek && from === undefined) moveTo({ stdout: moved('stdout'), stderr: moved('stderr') })
      return texts
    },
    wait: async () => {},
    write: () => refuse('write to'),
    press: () => refuse('press a key in'),
    resize: () => refuse('resize'),
    stop: async () => ({ ...info(), escalated: false }),
    kill: async () => {},
    exited: Promise.resolve({ exitCode: standing.exitCode, ...(standing.signal !== undefined && { signal: standing.signal }) }),
    onOutput(listener) {
      for (const stream of STREAMS) {
        const { start, end } = record.bounds[stream]
        const { text } = readOne(stream, Math.max(start, end - BACKLOG), BACKLOG)
        if (text !== '') listener({ stream, text })
      }
      return () => {}
    },
  }
}

/** Reads as a running session does: never splits a surrogate pair, and counts dropped characters. */
function readFrom(
  store: SessionStore,
  id: string,
  stream: SessionStream,
  { start, end }: StreamBounds,
  from: number,
  maxChars: number,
): SessionText {
  const asked = Math.min(Math.max(0, Math.floor(from) || 0), end)
  const first = Math.max(start, asked)
  // Read one more character on either side, because it may be the other half of a surrogate pair.
  const begin = Math.max(start, first - 1)
  const text = store.text(id, stream, begin, Math.min(end, first + Math.max(0, Math.floor(maxChars) || 0) + 1))
  if (text === undefined) return { text: '', cursor: end, hasMore: false, dropped: end - asked }
  const ring = createRingBuffer(Math.max(2, text.length))
  ring.push(text)
  const part = ring.read(first - begin, maxChars)
  const cursor = begin + part.next
  return { text: part.text, cursor, hasMore: cursor < end, dropped: Math.max(0, start - asked) }
}
