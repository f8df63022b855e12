/** What a tool itself answers when it failed, word for word. Carries what it printed through the runtime, to the `output` of the result. */
export class ToolFailed extends Error {
  /** The one whose details get into the result. */
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
