import type { JsonValue } from '../../types/tool.js'

/** The field of a failure's output that holds what a documented tool itself answered. */
export const REPORTED = 'reported'

/** What a documented tool answered beside `ok: false`. */
export interface Reported {
  readonly output: JsonValue
  readonly error?: string
}

/** Carries such an answer through the runtime, to which it is a tool's failure like any other. */
export class ReportedFailure extends Error {
  /** The one whose details get into the result. */
  override readonly name = 'InputError'
  readonly code: string
  readonly details: { readonly [REPORTED]: Reported }

  /** `code`: one of the error table, for whoever reads the failure in our own shape. */
  constructor(reported: Reported, code = 'tool_threw') {
    const { error, output } = reported
    super(error ?? (typeof output === 'string' ? output : JSON.stringify(output)))
    this.code = code
    this.details = { [REPORTED]: reported }
  }
}
