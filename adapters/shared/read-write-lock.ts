interface Waiting {
  readonly isShared: boolean
  start(): void
}

/**
 * Runs work in order: readers run at the same time, a writer runs alone. So nothing else can change between the checks of a call and its
 * effect. If the lock is free, the work starts synchronously.
 */
export class ReadWriteLock {
  #running = 0
  #isAlone = false
  #waiting: Waiting[] = []

  shared<T>(work: () => Promise<T>): Promise<T> {
    return this.#run(true, work)
  }

  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#run(false, work)
  }

  #run<T>(isShared: boolean, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        this.#running++
        this.#isAlone = !isShared
        void this.#settle(work, resolve, reject)
      }
      if (this.#waiting.length === 0 && this.#isFree(isShared)) start()
      else this.#waiting.push({ isShared, start })
    })
  }

  async #settle<T>(work: () => Promise<T>, resolve: (value: T) => void, reject: (reason: unknown) => void): Promise<void> {
    try {
      resolve(await work())
    } catch (error) {
      reject(error)
    }
    this.#running--
    if (this.#running === 0) this.#isAlone = false
    for (let next = this.#waiting[0]; next && this.#isFree(next.isShared); next = this.#waiting[0]) {
      this.#waiting.shift()
      next.start()
    }
  }

  #isFree(isShared: boolean): boolean {
    return this.#running === 0 || (isShared && !this.#isAlone)
  }
}
