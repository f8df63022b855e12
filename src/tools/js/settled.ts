import type { JsResult } from '../../types/js.js'
import type { ToolContext } from '../../types/tool.js'
import { deadlineOf, isTimeout, timeLeft } from '../shell/time-left.js'

/** How a program ended, seen from the call: the deadline of the call is a timeout too, when it comes first. */
export interface Settled {
  readonly timedOut: boolean
  readonly aborted: boolean
  readonly durationMs: number
  /** The deadline of the call ended it, not the timeout that was asked for. */
  readonly cut: boolean
}

/** What a program may take of a call, and the reading of its end. */
export function stopwatch(
  context: ToolContext,
  timeoutMs: number,
): { readonly timeoutMs: number; readonly settle: (result: Pick<JsResult, 'timedOut' | 'aborted'>) => Settled } {
  const { host, signal } = context
  const started = host.now()
  const left = timeLeft(context)
  return {
    timeoutMs: Math.min(timeoutMs, left),
    settle({ timedOut, aborted }) {
      const late = aborted && isTimeout(signal.reason)
      return {
        timedOut: timedOut || late,
        aborted: aborted && !late,
        durationMs: host.now() - started,
        cut: left < timeoutMs && (timedOut || (late && host.now() >= deadlineOf(context))),
      }
    },
  }
}
