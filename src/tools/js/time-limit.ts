import type { JsResult } from '../../types/js.js'
import type { ToolContext } from '../../types/tool.js'
import { deadlineOf, isTimeout, timeLeft } from '../shell/time-left.js'

/** How a program ended for the call. If the deadline of the call comes first, that is a timeout too. */
export interface Settled {
  readonly timedOut: boolean
  readonly aborted: boolean
  readonly durationMs: number
  /** The deadline of the call ended it before the requested timeout. */
  readonly cut: boolean
}

/** The time limit of a program within its call, and how it ended. */
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
