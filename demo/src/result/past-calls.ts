import { type CallRecord, outcomeOf } from '../calls.js'

/** A call and the time when it was listed. */
export interface PastCall {
  readonly record: CallRecord
  /** Milliseconds since the epoch. */
  readonly time: number
}

/** Which calls to show. */
export interface CallFilter {
  /** Undefined: all tools. */
  readonly tool: string | undefined
  readonly failed: boolean
}

export const fitsFilter = ({ record }: PastCall, { tool, failed }: CallFilter): boolean =>
  (tool === undefined || record.tool === tool) && !(failed && outcomeOf(record).isOk)

/** The calls as JSON in chronological order. Built from parts, because a single string could exceed the maximum length. */
export function callsAsJson(calls: readonly PastCall[]): Blob {
  const parts = calls.toReversed().flatMap(({ record, time }, index) => {
    const { preset, tool, input, result, duration } = record
    const told = { time: new Date(time).toISOString(), preset, name: tool, input, result, duration_ms: Math.round(duration * 1000) / 1000 }
    return [index === 0 ? '' : ',\n', JSON.stringify(told)]
  })
  return new Blob(['{"calls":[\n', ...parts, '\n]}\n'], { type: 'application/json' })
}
