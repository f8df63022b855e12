/** The error with the exact answer of a failed tool. Carries printed output through the runtime to the `output` of the result. */
export class ToolFailed extends Error {
  /** The runtime copies details only of errors with this name. */
  override readonly name = 'InputError'
  readonly code: 'tool_threw' | 'timeout' | 'EACCES'
  readonly details: { readonly printed: string; readonly reported: true }

  constructor(
    error: string,
    { printed = '', code = 'tool_threw' }: { readonly printed?: string; readonly code?: ToolFailed['code'] } = {},
  ) {
    super(error)
    this.code = code
    this.details = { printed, reported: true }
  }
}
