import { type Endable, endable, hasBody } from './endable.js'

/** The requests of clients whose sessions are gone, so that they can be cancelled by a message all the same: its server knows of none. */
export class LostSessions {
  /** Session and id of a request -> its responses. */
  readonly #open = new Map<string, Set<Endable>>()

  /** The same response, until which the request with this id is open. */
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

  /** Ends the request with this id, and with it its call: there is no answer then, as the protocol has it. */
  async cancel(session: string, id: unknown): Promise<void> {
    await Promise.all([...(this.#open.get(keyOf(session, id)) ?? [])].map((answer) => answer.end()))
  }
}

/** Ids are numbers and strings, which are not the same. */
const keyOf = (session: string, id: unknown): string => JSON.stringify([session, id])
