/** Whether an input holds more than `most` fields and items. Stops at the first one above; objects that occur twice count once. */
export function hasMoreValues(input: unknown, most: number): boolean {
  let count = 0
  const seen = new Set<unknown>()
  const left: unknown[] = [input]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || seen.has(value)) continue
    seen.add(value)
    if (Array.isArray(value)) {
      count += value.length
      if (count > most) return true
      for (const item of value) left.push(item)
    } else {
      for (const name in value) {
        if (++count > most) return true
        left.push((value as Record<string, unknown>)[name])
      }
    }
  }
  return false
}
