/** Maximum number of items that run concurrently. */
const WIDEST = 8

/**
 * Runs items in order. Adjacent items that only read run concurrently; a writer waits for all earlier items. `reads` is evaluated when an
 * item's turn comes, because an earlier item may have changed the answer. Results keep the order of the items.
 */
export async function runGrouped<T, R>(items: readonly T[], reads: (item: T) => boolean, run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < items.length; ) {
    const end = groupEnd(items, start, reads)
    await runSideBySide(items, start, end, run, results)
    start = end
  }
  return results
}

function groupEnd<T>(items: readonly T[], start: number, reads: (item: T) => boolean): number {
  let end = start
  while (end < items.length && reads(items[end] as T)) end++
  return Math.max(end, start + 1)
}

async function runSideBySide<T, R>(
  items: readonly T[],
  start: number,
  end: number,
  run: (item: T) => Promise<R>,
  results: R[],
): Promise<void> {
  let next = start
  const worker = async (): Promise<void> => {
    while (next < end) {
      const index = next++
      results[index] = await run(items[index] as T)
    }
  }
  await Promise.all(Array.from({ length: Math.min(WIDEST, end - start) }, worker))
}
