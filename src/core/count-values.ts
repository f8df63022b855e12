/** Whether an input holds more than `most` fields and items. Stops at the first one above; objects that occur twice count once. */
export function hasMoreValues(input: unknown, most: number): boolean {
  let count = 0
  const seen = new Set<unknown>()
  const left = [input]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value !== 'object' || value === null || seen.has(value) || ArrayBuffer.isView(value)) continue
    seen.add(value)
    // A list may claim a length that it has no items for.
    if (Array.isArray(value) && value.length > most) return true
    for (const name in value) {
      if (++count > most) return true
      left.push((value as Record<string, unknown>)[name])
    }
  }
  return false
}
