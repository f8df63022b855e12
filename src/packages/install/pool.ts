/** Runs so many bodies at a time, the others in the order in which they came. */
export type Pool = <T>(body: () => Promise<T>) => Promise<T>

export function createPool(size: number): Pool {
  let free = size
  const waiting: (() => void)[] = []
  return async (body) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await body()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}

/** Runs work with a signal of its own; the result, or the reason as soon as all of it is aborted, whether the work heeds that or not. */
export type Abortable = <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>

/** With one listener for any number of works: Node warns of more than ten. */
export function createAbortable(signal: AbortSignal): Abortable {
  const running = new Set<() => void>()
  const stopAll = (): void => {
    for (const stop of running) stop()
  }
  signal.addEventListener('abort', stopAll, { once: true })
  return (work) => {
    if (signal.aborted) return Promise.reject(signal.reason)
    const own = new AbortController()
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        reject(signal.reason)
        own.abort(signal.reason)
      }
      running.add(stop)
      work(own.signal)
        .then(resolve, reject)
        .finally(() => running.delete(stop))
    })
  }
}
