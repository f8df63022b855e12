/** Room for the calls of one request: reserved before its body is read, freed after its response and all its calls have ended. */
export class Place {
  /** Number of calls that the request may have. */
  reserved: number
  /** MCP session of the request, if any. */
  readonly session: string | null
  readonly #calls = new Set<string>()
  readonly #onFree: () => void
  #answered = false

  constructor(reserved: number, session: string | null, onFree: () => void) {
    this.reserved = reserved
    this.session = session
    this.#onFree = onFree
  }

  /** Places that count as taken. Calls may still run after the client has disconnected. */
  get taken(): number {
    return this.#answered ? this.#calls.size : Math.max(this.reserved, this.#calls.size)
  }

  began(call: string): void {
    this.#calls.add(call)
  }

  ended(call: string): void {
    if (this.#calls.delete(call)) this.#freeIfDone()
  }

  /** Marks the request as answered or rejected. Idempotent. */
  release(): void {
    this.#answered = true
    this.#freeIfDone()
  }

  #freeIfDone(): void {
    if (this.#answered && this.#calls.size === 0) this.#onFree()
  }
}
