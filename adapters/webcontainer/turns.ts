interface Waiter {
  readonly alone: boolean
  readonly start: () => void
}

/** Looks run side by side, a change runs alone, in the order they were asked for: what a change has seen holds while it acts. */
export class Turns {
  #looking = 0
  #changing = false
  readonly #waiting: Waiter[] = []

  async look<T>(body: () => Promise<T>): Promise<T> {
    await this.#take(false)
    try {
      return await body()
    } finally {
      this.#looking--
      this.#admit()
    }
  }

  async change<T>(body: () => Promise<T>): Promise<T> {
    await this.#take(true)
    try {
      return await body()
    } finally {
      this.#changing = false
      this.#admit()
    }
  }

  #take(alone: boolean): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#free(alone)) {
      this.#hold(alone)
      return undefined
    }
    return new Promise((start) => this.#waiting.push({ alone, start }))
  }

  #free(alone: boolean): boolean {
    return !this.#changing && (!alone || this.#looking === 0)
  }

  #hold(alone: boolean): void {
    if (alone) this.#changing = true
    else this.#looking++
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next && this.#free(next.alone); next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#hold(next.alone)
      next.start()
    }
  }
}
