import type { JsonValue } from '../../types/tool.js'

/** Of the error table: what a custom tool's failure counts as. */
type CustomToolCode = 'tool_threw' | 'timeout' | 'aborted' | 'out_of_memory'

/** A custom tool did not do what it should. `reported`: what it answered itself beside `ok: false`. */
export class CustomToolFailed extends Error {
  /** The one whose details get into the result. */
  override readonly name = 'InputError'
  readonly code: string
  readonly details: { readonly reported?: { readonly output: JsonValue; readonly error?: string } }

  constructor(message: string, code: CustomToolCode = 'tool_threw', reported?: { readonly output: JsonValue; readonly error?: string }) {
    super(message)
    this.code = code
    this.details = reported ? { reported } : {}
  }
}
