/**
 * The error that a request is answered with. Replaces the SDK's `McpError`: both its constructor and the client's SDK would add "MCP error"
 * and the code to the message.
 */
export class RequestError extends Error {
  /** A code of JSON-RPC, or of MCP. */
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}
