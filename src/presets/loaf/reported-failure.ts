import type { JsonValue } from '../../types/tool.js'

/** The output field of a failure that contains the answer of a documented tool. */
export const REPORTED = 'reported'

/** The fields of a documented tool's answer besides `ok: false`. */
export interface Reported {
  readonly output: JsonValue
  readonly error?: string
}

/** Carries the answer of a failed tool through the runtime, which treats it as any other failure. */
export class ReportedFailure extends Error {
  /** The runtime copies details only of errors with this name. */
  override readonly name = 'InputError'
  readonly code: string
  readonly details: { readonly [REPORTED]: Reported }

  /** `code`: a code of the error table, for readers of the standard result. */
  constructor(reported: Reported, code = 'tool_threw') {
    const { error, output } = reported
    super(error ?? (typeof output === 'string' ? output : JSON.stringify(output)))
    this.code = code
    this.details = { [REPORTED]: reported }
  }
}
