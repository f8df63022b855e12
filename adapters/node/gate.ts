/** Lets a bounded number of operations run at once; the others wait in the order they came. */
export interface Gate {
  run<T>(work: () => Promise<T>): Promise<T>
}

export function createGate(limit: number): Gate {
  let running = 0
  const waiting: (() => void)[] = []
  let next = 0

  function release(): void {
    const wake = waiting[next]
    if (!wake) {
      running--
      return
    }
    next++
    // `shift` would move the whole queue each time.
    if (next * 2 > waiting.length) {
      waiting.splice(0, next)
      next = 0
    }
    // The slot is handed over, not given back: nobody can slip in between.
    wake()
  }

  return {
    async run(work) {
      if (running < limit) running++
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}
