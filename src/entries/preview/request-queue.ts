/** Runs tasks in order, up to a maximum number at a time. */
export interface RequestQueue {
  /**
   * Runs a task when its turn comes. If too many tasks wait, resolves to undefined without running the task.
   *
   * @throws the reason of the signal, if it aborts before the turn of the task
   */
  run<Result>(task: () => Promise<Result>, signal: AbortSignal): Promise<Result | undefined>
}

export function createRequestQueue(limits: { readonly running: number; readonly waiting: number }): RequestQueue {
  let running = 0
  const waiting = new Set<() => void>()
  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const start = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        waiting.delete(start)
        reject(signal.reason)
      }
      waiting.add(start)
      signal.addEventListener('abort', leave)
    })
  return {
    async run(task, signal) {
      signal.throwIfAborted()
      if (running < limits.running) running++
      else if (waiting.size >= limits.waiting) return undefined
      // The task that ends hands its place over.
      else await turn(signal)
      try {
        return await task()
      } finally {
        const [next] = waiting
        if (next) {
          waiting.delete(next)
          next()
        } else running--
      }
    },
  }
}
