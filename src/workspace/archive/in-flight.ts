/** Writes at a time: storages that wait for a disk or a database take as long for many as for one. */
const AT_ONCE = 32
/** Of the content that waits to be written. One larger entry goes alone. */
const BYTES_AT_ONCE = 4 * 1024 * 1024

interface Failure {
  readonly error: unknown
}

interface Running {
  readonly bytes: number
  /** Never rejects. */
  readonly ended: Promise<Failure | undefined>
  readonly after: () => void
}

/** Work that goes on while the next is prepared. It is waited for in the order in which it began, and so are its failures. */
export class InFlight {
  readonly #signal: AbortSignal | undefined
  readonly #most: number
  readonly #running: Running[] = []
  #bytes = 0
  /** One of them has failed: nothing more begins. */
  #hasFailed = false
  /** It was told already why all of it ends. */
  #isOver = false

  constructor({ signal, most = AT_ONCE }: { readonly signal?: AbortSignal | undefined; readonly most?: number | undefined }) {
    this.#signal = signal
    this.#most = most
  }

  /** Waits until so many bytes can be begun with. @throws what has failed; the signal's reason */
  async room(bytes: number): Promise<void> {
    while (this.#running.length >= this.#most || (this.#running.length > 0 && this.#bytes + bytes > BYTES_AT_ONCE)) await this.#first()
    if (this.#hasFailed) await this.end()
  }

  /** `after` is called when it is done, and all before it. */
  begin(bytes: number, work: () => Promise<void>, after: () => void): void {
    this.#bytes += bytes
    const ended = work().then(
      () => undefined,
      (error: unknown) => {
        this.#hasFailed = true
        return { error }
      },
    )
    this.#running.push({ bytes, ended, after })
  }

  /** Waits for all of it. @throws the first failure; the signal's reason */
  async end(): Promise<void> {
    while (this.#running.length > 0) await this.#first()
  }

  /** Waits for all of it after something else has failed. Gives what failed before that. */
  async settle(): Promise<Failure | undefined> {
    let failure: Failure | undefined
    if (!this.#isOver) failure = await this.#firstFailure()
    await Promise.all(this.#running.map(({ ended }) => ended))
    return failure
  }

  async #firstFailure(): Promise<Failure | undefined> {
    try {
      await this.end()
      return undefined
    } catch (error) {
      return this.#signal?.aborted ? undefined : { error }
    }
  }

  /** @throws its failure; the signal's reason, before it waits; what `after` throws */
  async #first(): Promise<void> {
    const [first] = this.#running
    if (!first) return
    try {
      this.#signal?.throwIfAborted()
      const failure = await first.ended
      this.#running.shift()
      this.#bytes -= first.bytes
      if (failure) throw failure.error
      first.after()
    } catch (error) {
      this.#isOver = true
      throw error
    }
  }
}
