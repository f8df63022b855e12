/** Limits the number of concurrent tasks. Further tasks wait in order of arrival. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>

export function createLimit(size: number): Limit {
  let free = size
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}

/**
 * Runs the work for each item, at most `size` at a time, in the order of the items. After a failure it waits for all running work, and then
 * rejects with the first error.
 */
export async function forEachLimited<T>(items: readonly T[], size: number, work: (item: T) => Promise<void>): Promise<void> {
  let next = 0
  let failed: { readonly error: unknown } | undefined
  const worker = async (): Promise<void> => {
    while (next < items.length && !failed) {
      try {
        await work(items[next++] as T)
      } catch (error) {
        failed ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(size, items.length) }, worker))
  if (failed) throw failed.error
}

/**
 * Returns the result of the work, or rejects with the signal's reason as soon as the signal aborts. The work may go on after that, but its
 * result or failure is ignored.
 */
export async function untilAborted<T>(work: T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort))
  })
}
