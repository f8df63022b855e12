import type { JsResult } from '../../types/js.js'
import type { ToolContext } from '../../types/tool.js'
import { deadlineOf, isTimeout, timeLeft } from '../shell/time-left.js'

/** How a program ended. If the deadline of the call comes before the program's timeout, that is a timeout too. */
export interface Settled {
  readonly timedOut: boolean
  readonly aborted: boolean
  readonly durationMs: number
  /** Whether the deadline of the call ended the program before the requested timeout. */
  readonly cut: boolean
}

/** Starts measuring a program's time. Returns its time limit within the call, and a function that tells how the program ended. */
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
