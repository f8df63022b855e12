import { type CallRecord, outcomeOf } from '../calls.js'

/** A call that was made, and when it was listed. */
export interface PastCall {
  readonly record: CallRecord
  /** Milliseconds since the epoch. */
  readonly time: number
}

/** Which of them are shown. */
export interface CallFilter {
  /** Undefined: of any. */
  readonly tool: string | undefined
  readonly failed: boolean
}

export const fitsFilter = ({ record }: PastCall, { tool, failed }: CallFilter): boolean =>
  (tool === undefined || record.tool === tool) && !(failed && outcomeOf(record).isOk)

/** The calls as JSON, in the order in which they were made. In parts: all of it as one text could be too long for one. */
export function callsAsJson(calls: readonly PastCall[]): Blob {
  const parts = calls.toReversed().flatMap(({ record, time }, index) => {
    const { preset, tool, input, result, duration } = record
    const told = { time: new Date(time).toISOString(), preset, name: tool, input, result, duration_ms: Math.round(duration * 1000) / 1000 }
    return [index === 0 ? '' : ',\n', JSON.stringify(told)]
  })
  return new Blob(['{"calls":[\n', ...parts, '\n]}\n'], { type: 'application/json' })
}
