/** The results in order; so many at a time. Rejects with the first error, when what has begun has ended. */
export async function pooled<T, R>(items: readonly T[], concurrency: number, body: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length)
  const failures: unknown[] = []
  let next = 0
  const work = async (): Promise<void> => {
    while (next < items.length && failures.length === 0) {
      const at = next++
      try {
        results[at] = await body(items[at] as T)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, work))
  if (failures.length > 0) throw failures[0]
  return results
}
