/** Who may do what at a time: one change after another, looks side by side with each other and with a change. */
export class ChangeQueue {
  #last: Promise<unknown> = Promise.resolve()
  #changes = 0
  #looks = 0
  #alone: Promise<void> | undefined
  #onQuiet: (() => void) | undefined

  /** After all the changes that were asked for before it. What it looks at, it has to find at once: a change may come in between. */
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

  /** A change during which nobody looks either. */
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
