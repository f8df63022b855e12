import type { Host } from '../../types/host.js'
import { CustomToolFailed } from './failed.js'

/** Timers cannot wait longer: they would ring at once. */
const LONGEST_MS = 2 ** 31 - 1

export interface Bounds {
  readonly host: Pick<Host, 'sleep'>
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * What the work gives, unless the time or the signal comes first: nothing ends code of this process, so it then goes on, and is not heard.
 * The work's own signal tells it of both.
 *
 * @throws {CustomToolFailed} timeout, aborted; what the work throws
 */
export async function inTime<T>(what: string, { host, timeoutMs, signal }: Bounds, work: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController()
  const over = new AbortController()
  // What has begun cannot be ended.
  if (signal?.aborted) throw new CustomToolFailed(`${what} was aborted before it began`, 'aborted')
  const stop = signal ? AbortSignal.any([signal, late.signal]) : late.signal
  let fail = (): void => {}
  const stopped = new Promise<never>((_, reject) => {
    fail = () => reject(tooLate(what, late.signal.aborted ? timeoutMs : undefined))
  })
  stop.addEventListener('abort', fail)
  void host.sleep(Math.min(timeoutMs, LONGEST_MS), over.signal).then(() => {
    if (!over.signal.aborted) late.abort()
  })
  try {
    return await Promise.race([stopped, work(stop)])
  } finally {
    over.abort()
    stop.removeEventListener('abort', fail)
  }
}

const tooLate = (what: string, timeoutMs: number | undefined): CustomToolFailed =>
  timeoutMs === undefined
    ? new CustomToolFailed(`${what} was aborted, and may go on: code that runs in this process cannot be ended`, 'aborted')
    : new CustomToolFailed(
        `${what} did not end within ${timeoutMs} ms, and may go on: code that runs in this process cannot be ended`,
        'timeout',
      )
