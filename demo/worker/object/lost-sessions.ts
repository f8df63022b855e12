import { type Endable, endable, hasBody } from './endable.js'

/**
 * Open requests of clients whose MCP session is gone. A `notifications/cancelled` message can still cancel them, although no MCP server
 * knows them.
 */
export class LostSessions {
  /** Session and request id -> open responses. */
  readonly #open = new Map<string, Set<Endable>>()

  /** Registers the response: the request with this id is open until the response ends. */
  add(session: string, id: unknown, response: Response): Response {
    if (!hasBody(response)) return response
    const key = keyOf(session, id)
    const open = this.#open.get(key) ?? new Set()
    this.#open.set(key, open)
    const answer = endable(response, () => {
      open.delete(answer)
      if (open.size === 0 && this.#open.get(key) === open) this.#open.delete(key)
    })
    open.add(answer)
    return answer.response
  }

  /** Ends the request with this id and cancels its call. As the protocol requires, the request gets no response. */
  async cancel(session: string, id: unknown): Promise<void> {
    await Promise.all([...(this.#open.get(keyOf(session, id)) ?? [])].map((answer) => answer.end()))
  }
}

/** JSON keeps the id `1` distinct from the id `"1"`. */
const keyOf = (session: string, id: unknown): string => JSON.stringify([session, id])
