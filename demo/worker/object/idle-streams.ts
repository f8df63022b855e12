import { type Endable, endable, hasBody } from './endable.js'

/**
 * The streams that MCP clients hold open for what the server may say, by their sessions. A client that has gone without a word holds its
 * own until something cannot be sent to it.
 */
export class IdleStreams {
  /** Session -> its stream; the session that was used last is the last one. */
  readonly #streams = new Map<string, Endable>()

  /** The same response, which can be ended from here. */
  add(session: string, response: Response): Response {
    if (!response.ok || !hasBody(response)) return response
    const stream = endable(response, () => {
      if (this.#streams.get(session) === stream) this.#streams.delete(session)
    })
    this.#streams.set(session, stream)
    return stream.response
  }

  /** The session is used now. */
  use(session: string): void {
    const stream = this.#streams.get(session)
    if (stream && this.#streams.delete(session)) this.#streams.set(session, stream)
  }

  /** Ends that of the session which was not used for longest, of those that may end; false: there is none. */
  async endIdlest(mayEnd: (session: string) => boolean): Promise<boolean> {
    const idlest = [...this.#streams].find(([session]) => mayEnd(session))
    if (!idlest) return false
    this.#streams.delete(idlest[0])
    await idlest[1].end()
    return true
  }
}
