/** Runs work in the order it comes: at most `width` at once, and alone what has to be alone. */
export class SideBySide {
  readonly #width: number
  readonly #running = new Set<Promise<void>>()

  constructor(width: number) {
    this.#width = width
  }

  /** Resolves when the next may come. `work` must not reject. */
  async start(alone: boolean, work: () => Promise<void>): Promise<void> {
    if (alone) await this.idle()
    const running = work().then(() => void this.#running.delete(running))
    this.#running.add(running)
    if (alone) await running
    while (this.#running.size >= this.#width) await Promise.race(this.#running)
  }

  async idle(): Promise<void> {
    await Promise.all(this.#running)
  }
}
