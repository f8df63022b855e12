/** Returns a function whose first call starts the work. All calls get its result. After a failure, the next call starts the work again. */
export function startOnce<T>(work: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | undefined
  return () => {
    started ??= work().catch((error: unknown) => {
      started = undefined
      throw error
    })
    return started
  }
}
