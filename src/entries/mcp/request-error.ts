/** The error of a request. `McpError` of the SDK puts "MCP error", with the code, before the message, and the SDK of the client does so again. */
export class RequestError extends Error {
  /** A code of JSON-RPC, or of MCP. */
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}
