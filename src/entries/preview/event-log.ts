import { systemHost } from '../../host.js'
import { notify } from '../../ops/notify.js'
import type { Host } from '../../types/host.js'
import type { PreviewEvent, PreviewEventPage, PreviewReport } from '../../types/preview.js'

/** Options of `createEventLog`. */
export interface EventLogOptions {
  /** Number of events that the log keeps. Default 1,000. */
  readonly keep?: number
  /**
   * Maximum number of events per second. Console messages and other events have this limit separately. A `dropped` event says how many
   * events exceeded the limit. Default 200.
   */
  readonly perSecond?: number
  /** Clock. Default: the system's clock. */
  readonly host?: Pick<Host, 'now'>
}

/** A bounded log of preview events. Readers follow it with a cursor. */
export interface EventLog {
  /** Appends an event, or counts the event as dropped if there were too many in this second. */
  push(report: PreviewReport): void
  /** Returns the events after a cursor, oldest first. `after` defaults to 0, `limit` to 100. */
  read(options?: { readonly after?: number; readonly limit?: number }): PreviewEventPage
  /** Calls `listener` with each later event. Returns a function that removes the listener. */
  onEvent(listener: (event: PreviewEvent) => void): () => void
}

const SECOND_MS = 1000

/**
 * Creates an empty log.
 *
 * @throws {TypeError} for a limit that is not a positive integer
 */
export function createEventLog(options: EventLogOptions = {}): EventLog {
  const { keep = 1000, perSecond = 200, host = systemHost } = { ...options }
  for (const [name, value] of Object.entries({ keep, perSecond })) {
    if (!Number.isInteger(value) || value < 1) throw new TypeError(`createEventLog: "${name}" must be a positive integer`)
  }
  let events: PreviewEvent[] = []
  const listeners = new Set<(event: PreviewEvent) => void>()
  let cursor = 0
  let dropped = 0
  let second = { start: Number.NEGATIVE_INFINITY, console: 0, other: 0 }

  function append(report: PreviewReport): void {
    const event: PreviewEvent = { ...report, cursor: ++cursor, time: host.now() }
    events.push(event)
    // Trim in batches, because removing one event at a time would copy the array each time.
    if (events.length >= keep * 2) events = events.slice(-keep)
    for (const listener of listeners) notify(listener, event)
  }

  function reportDropped(): void {
    if (dropped === 0) return
    const count = dropped
    dropped = 0
    append({ type: 'dropped', count })
  }

  return {
    push(report) {
      const now = host.now()
      if (now - second.start >= SECOND_MS || now < second.start) {
        second = { start: now, console: 0, other: 0 }
        reportDropped()
      }
      if (++second[report.type === 'console' ? 'console' : 'other'] <= perSecond) append(report)
      else dropped += report.type === 'dropped' ? report.count : 1
    },
    read({ after = 0, limit = 100 } = {}) {
      reportDropped()
      const kept = events.slice(-keep)
      const oldest = cursor - kept.length
      const from = Math.max(0, Math.min(after, cursor) - oldest)
      const page = kept.slice(from, from + Math.max(1, limit))
      const next = page.at(-1)?.cursor ?? cursor
      return { events: page, next, missed: Math.max(0, oldest - Math.max(0, after)), more: next < cursor }
    },
    onEvent(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
