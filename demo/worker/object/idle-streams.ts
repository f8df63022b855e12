import { type Endable, endable, hasBody } from './endable.js'

/**
 * Open streams of MCP clients that wait for server messages, by session. If a client disconnects silently, its stream stays open until a
 * write fails.
 */
export class IdleStreams {
  /** Session -> stream. The most recently used session comes last. */
  readonly #streams = new Map<string, Endable>()

  /** Registers a session's stream and returns the wrapped response. */
  add(session: string, response: Response): Response {
    if (!response.ok || !hasBody(response)) return response
    const stream = endable(response, () => {
      if (this.#streams.get(session) === stream) this.#streams.delete(session)
    })
    this.#streams.set(session, stream)
    return stream.response
  }

  /** Marks the session as most recently used. */
  use(session: string): void {
    const stream = this.#streams.get(session)
    if (stream && this.#streams.delete(session)) this.#streams.set(session, stream)
  }

  /** Ends the stream of the least recently used session that `mayEnd` allows. Returns false if there is none. */
  async endIdlest(mayEnd: (session: string) => boolean): Promise<boolean> {
    const idlest = [...this.#streams].find(([session]) => mayEnd(session))
    if (!idlest) return false
    this.#streams.delete(idlest[0])
    await idlest[1].end()
    return true
  }
}
