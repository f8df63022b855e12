/** Runs tasks in order, a few at a time. */
export interface RequestQueue {
  /** Runs a task when its turn comes. Resolves to undefined, without a run, if too many tasks wait. */
  run<Result>(task: () => Promise<Result>): Promise<Result | undefined>
}

export function createRequestQueue(limits: { readonly running: number; readonly waiting: number }): RequestQueue {
  let running = 0
  const waiting: (() => void)[] = []
  return {
    async run(task) {
      if (running < limits.running) running++
      else if (waiting.length >= limits.waiting) return undefined
      // The task that ends hands over its place.
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await task()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running--
      }
    },
  }
}
