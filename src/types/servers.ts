/** The options of `LocalServers.listen`: a server of a program. */
export interface LocalServerOptions {
  /** Port number: 1 to 65535, or 0 for any free port. */
  readonly port: number
  /** Answers one request. Several requests can run at once. A rejection becomes a response with status 502 and the error's message. */
  handle(request: Request): Promise<Response>
}

/** A registered server. */
export interface LocalServer {
  readonly port: number
  /** Frees the port. Later requests fail. Running requests continue. */
  close(): void
}

/**
 * The HTTP servers of sandboxed programs, by port. No sockets are involved: any holder of this object can send requests to the servers.
 * Grant it to programs (`createQuickJs({ grants: { servers } })`), and pass it to the code that may send requests.
 */
export interface LocalServers {
  /** Registers a server. @throws {Error} with `code` EADDRINUSE for a port in use; {TypeError} for an invalid port */
  listen(options: LocalServerOptions): LocalServer
  /**
   * Sends a request to the server on the URL's port, whatever its host name. The response body streams. Resolves to status 502 if the
   * server fails before it responds.
   *
   * @throws {NetworkError} no server listens on the port; the reason of the request's signal after an abort
   */
  fetch(request: Request): Promise<Response>
  /** Ports in use, ascending. */
  readonly ports: readonly number[]
  /** Calls `listener` after each change of `ports`. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void
}
