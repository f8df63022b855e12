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

/** What makes an input dearer to compare with a JSON Schema than its number of values says. */
export interface Costs {
  /** The items of all lists, each with each of its list. */
  readonly pairs: number
  /** Fields of all objects. */
  readonly fields: number
}

export function costsOf(input: unknown): Costs {
  const costs = { pairs: 0, fields: 0 }
  const left: unknown[] = [input]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value !== 'object' || value === null) continue
    const children = Object.values(value)
    if (Array.isArray(value)) costs.pairs += value.length ** 2
    else costs.fields += children.length
    for (const child of children) left.push(child)
  }
  return costs
}
