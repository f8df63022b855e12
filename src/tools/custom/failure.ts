import type { JsonValue } from '../../types/tool.js'

/** The error codes for failures of custom tools. */
type CustomToolCode = 'tool_threw' | 'timeout' | 'aborted' | 'out_of_memory'

/** The error of a custom tool. `reported`: the fields that the tool returned next to `ok: false`. */
export class CustomToolFailed extends Error {
  /** The cause, whose details go into the result. */
  override readonly name = 'InputError'
  readonly code: string
  readonly details: { readonly reported?: { readonly output: JsonValue; readonly error?: string } }

  constructor(message: string, code: CustomToolCode = 'tool_threw', reported?: { readonly output: JsonValue; readonly error?: string }) {
    super(message)
    this.code = code
    this.details = reported ? { reported } : {}
  }
}
