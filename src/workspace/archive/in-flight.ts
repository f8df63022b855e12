/** Maximum number of concurrent writes. A disk or a database takes about as long for many writes as for one. */
const AT_ONCE = 32
/** Maximum bytes of pending content. A larger entry is written alone. */
const BYTES_AT_ONCE = 4 * 1024 * 1024

interface Failure {
  readonly error: unknown
}

/** Runs work while the next item is prepared. Completions and failures are reported in order. */
export class InFlight {
  readonly #signal: AbortSignal | undefined
  /** For each running item: resolves when it and all earlier items have ended. Never rejects. */
  readonly #ends: Promise<void>[] = []
  #bytes = 0
  /** Whether an item has failed, so that no more items start. */
  #isFailing = false
  /** The first failure in order. Later items are not reported. */
  #failure: Failure | undefined
  #onFailing = (): void => undefined

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal
  }

  /** Waits until there is room for an item of this size. @throws as `end`, if an item has failed */
  async room(bytes: number): Promise<void> {
    while (this.#ends.length >= AT_ONCE || (this.#ends.length > 0 && this.#bytes + bytes > BYTES_AT_ONCE)) await this.#ends[0]
    if (this.#isFailing) await this.end()
  }

  /** `after` is called when this item and all earlier ones are done; its exceptions count as failures. */
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

  /** Waits for all items. @throws the first failure; the signal's reason */
  async end(): Promise<void> {
    const failure = await this.settle()
    if (failure) throw failure.error
  }

  /** Waits for all items and returns the first failure in order, if any. */
  async settle(): Promise<Failure | undefined> {
    await this.#ends.at(-1)
    return this.#failure
  }

  /** Yields the items of `items`. @throws as `end` at the first failure, even while it waits for the next item, which may never come */
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
      // A pending `next` has to settle before the source can end.
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
