/**
 * The streams that MCP clients hold open for what the server may say, by their sessions. A client that has gone without a word holds its
 * own until something cannot be sent to it.
 */
export class IdleStreams {
  /** Session -> what ends its stream; the session that was used last is the last one. */
  readonly #ends = new Map<string, () => Promise<void>>()

  /** The same response, which can be ended from here. */
  add(session: string, response: Response): Response {
    if (!response.ok || !response.body) return response
    const reader = response.body.getReader()
    // What waits to be read has its end then, as at the end of the stream.
    const end = (): Promise<void> => reader.cancel()
    const forget = (): void => {
      if (this.#ends.get(session) === end) this.#ends.delete(session)
    }
    this.#ends.set(session, end)
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const step = await reader.read()
        if (!step.done) return controller.enqueue(step.value)
        forget()
        controller.close()
      },
      async cancel(reason) {
        forget()
        await reader.cancel(reason)
      },
    })
    return new Response(body, response)
  }

  /** The session is used now. */
  use(session: string): void {
    const end = this.#ends.get(session)
    if (end && this.#ends.delete(session)) this.#ends.set(session, end)
  }

  /** Ends that of the session which was not used for longest; false: there is none. */
  async endIdlest(): Promise<boolean> {
    const [idlest] = this.#ends
    if (!idlest) return false
    this.#ends.delete(idlest[0])
    await idlest[1]()
    return true
  }
}
