/** Writes at a time: storages that wait for a disk or a database take as long for many as for one. */
const AT_ONCE = 32
/** Of the content that waits to be written. One larger entry goes alone. */
const BYTES_AT_ONCE = 4 * 1024 * 1024

interface Running {
  readonly bytes: number
  /** Never rejects. */
  readonly ended: Promise<{ readonly error: unknown } | undefined>
  readonly after: () => void
}

/** Work that goes on while the next is prepared. It is waited for in the order in which it began, and so are its failures. */
export class InFlight {
  #signal: AbortSignal | undefined
  readonly #running: Running[] = []
  #bytes = 0

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal
  }

  /** Begins something once there is room for it. `after` is called when it is done, and all before it. @throws what has failed before it; the signal's reason */
  async begin(bytes: number, work: () => Promise<void>, after: () => void): Promise<void> {
    while (this.#running.length >= AT_ONCE || (this.#running.length > 0 && this.#bytes + bytes > BYTES_AT_ONCE)) await this.#first()
    this.#bytes += bytes
    const ended = work().then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    this.#running.push({ bytes, ended, after })
  }

  /** Waits for all of it. @throws the first failure */
  async end(): Promise<void> {
    while (this.#running.length > 0) await this.#first()
  }

  /** Waits for all of it after something has failed, which is the failure to tell. */
  async settle(): Promise<void> {
    this.#signal = undefined
    while (this.#running.length > 0) await this.#first().catch(() => undefined)
  }

  /** @throws its failure; the signal's reason, before it waits */
  async #first(): Promise<void> {
    const [first] = this.#running
    if (!first) return
    this.#signal?.throwIfAborted()
    const failure = await first.ended
    this.#running.shift()
    this.#bytes -= first.bytes
    if (failure) throw failure.error
    first.after()
  }
}
