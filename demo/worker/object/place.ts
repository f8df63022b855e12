/** Room for the calls of one request, from before its body is read until it is answered and they have ended. */
export class Place {
  /** Calls that it may have. */
  reserved: number
  /** The MCP session that asks, if one does. */
  readonly session: string | null
  readonly #calls = new Set<string>()
  readonly #onFree: () => void
  #answered = false

  constructor(reserved: number, session: string | null, onFree: () => void) {
    this.reserved = reserved
    this.session = session
    this.#onFree = onFree
  }

  /** How many count: a client that has left an answer may have left calls behind. */
  get taken(): number {
    return this.#answered ? this.#calls.size : Math.max(this.reserved, this.#calls.size)
  }

  began(call: string): void {
    this.#calls.add(call)
  }

  ended(call: string): void {
    if (this.#calls.delete(call)) this.#freeIfDone()
  }

  /** Its request is answered, or refused. Idempotent. */
  release(): void {
    this.#answered = true
    this.#freeIfDone()
  }

  #freeIfDone(): void {
    if (this.#answered && this.#calls.size === 0) this.#onFree()
  }
}
