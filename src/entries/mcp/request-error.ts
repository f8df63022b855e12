/**
 * The error of a request. Not the SDK's `McpError`, because both its constructor and the client's SDK add "MCP error" and the code to the
 * message.
 */
export class RequestError extends Error {
  /** A code of JSON-RPC, or of MCP. */
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}
