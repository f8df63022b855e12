/** Writes at a time: storages that wait for a disk or a database take as long for many as for one. */
const AT_ONCE = 32
/** Of the content that waits to be written. One larger entry goes alone. */
const BYTES_AT_ONCE = 4 * 1024 * 1024

interface Failure {
  readonly error: unknown
}

/** Work that goes on while the next is prepared. Each is told of when it has ended and all before it have, and so are failures. */
export class InFlight {
  readonly #signal: AbortSignal | undefined
  /** Of each that runs: when it and all before it have ended. They never reject. */
  readonly #ends: Promise<void>[] = []
  #bytes = 0
  /** One of them has failed: nothing more begins. */
  #isFailing = false
  /** The first in their order. Nothing is told of what comes after it. */
  #failure: Failure | undefined
  #onFailing = (): void => undefined

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal
  }

  /** Waits until so many bytes can be begun with. @throws as `end`, when something has failed */
  async room(bytes: number): Promise<void> {
    while (this.#ends.length >= AT_ONCE || (this.#ends.length > 0 && this.#bytes + bytes > BYTES_AT_ONCE)) await this.#ends[0]
    if (this.#isFailing) await this.end()
  }

  /** `after` is called when it is done, and all before it; what it throws is a failure. */
  begin(bytes: number, work: () => Promise<void>, after: () => void): void {
    this.#bytes += bytes
    const worked = work().then(
      () => undefined,
      (error: unknown) => {
        this.#fail()
        return { error }
      },
    )
    this.#ends.push(this.#inTurn(this.#ends.at(-1), worked, bytes, after))
  }

  /** Waits for all of it. @throws the first failure; the signal's reason */
  async end(): Promise<void> {
    const failure = await this.settle()
    if (failure) throw failure.error
  }

  /** The same, giving the failure. */
  async settle(): Promise<Failure | undefined> {
    await this.#ends.at(-1)
    return this.#failure
  }

  /** The same items. @throws as `end`, when something fails, also while the next is waited for: that may take for ever */
  async *given<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
    const iterate = (items as AsyncIterable<T>)[Symbol.asyncIterator]
    if (!iterate) return yield* items
    const iterator = iterate.call(items)
    let [isAsked, isDone] = [false, false]
    try {
      while (!isDone) {
        if (this.#isFailing) await this.end()
        isAsked = true
        const next = await this.#unlessFailing(iterator.next())
        isAsked = false
        isDone = next.done === true
        if (!next.done) yield next.value
      }
    } finally {
      const ended = isDone ? undefined : Promise.resolve(iterator.return?.())
      // One that was asked for its next ends only when it has given that.
      if (isAsked) ended?.catch(() => undefined)
      else await ended
    }
  }

  async #unlessFailing<T>(waiting: Promise<T>): Promise<T> {
    const failing = new Promise<never>((_, reject) => {
      this.#onFailing = () => void this.end().catch(reject)
    })
    try {
      return await Promise.race([waiting, failing])
    } finally {
      this.#onFailing = () => undefined
    }
  }

  async #inTurn(before: Promise<void> | undefined, worked: Promise<Failure | undefined>, bytes: number, after: () => void): Promise<void> {
    await before
    const failure = await worked
    this.#ends.shift()
    this.#bytes -= bytes
    if (this.#failure) return
    try {
      this.#signal?.throwIfAborted()
      if (failure) throw failure.error
      after()
    } catch (error) {
      this.#failure = { error }
      this.#fail()
    }
  }

  #fail(): void {
    this.#isFailing = true
    this.#onFailing()
  }
}
