/** Runs changes one after another. Reads run concurrently with each other and with a change. */
export class ChangeQueue {
  #last: Promise<unknown> = Promise.resolve()
  #changes = 0
  #looks = 0
  #alone: Promise<void> | undefined
  #onQuiet: (() => void) | undefined

  /**
   * Runs a read after all changes that were requested before. The read has to take its snapshot synchronously, because another change may
   * start meanwhile.
   */
  async look<T>(body: () => T | Promise<T>): Promise<T> {
    if (this.#changes > 0) await this.#last
    while (this.#alone) await this.#alone
    this.#looks++
    try {
      return await body()
    } finally {
      if (--this.#looks === 0) this.#onQuiet?.()
    }
  }

  change<T>(body: () => Promise<T>): Promise<T> {
    this.#changes++
    const turn = this.#last.then(body)
    const end = (): void => {
      this.#changes--
    }
    this.#last = turn.then(end, end)
    return turn
  }

  /** Runs a change while no read runs. */
  alone<T>(body: () => Promise<T>): Promise<T> {
    return this.change(async () => {
      let done = (): void => undefined
      this.#alone = new Promise((resolve) => {
        done = resolve
      })
      try {
        if (this.#looks > 0) {
          await new Promise<void>((resolve) => {
            this.#onQuiet = resolve
          })
        }
        return await body()
      } finally {
        this.#alone = undefined
        this.#onQuiet = undefined
        done()
      }
    })
  }
}
