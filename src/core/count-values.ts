/**
 * Whether an input has more than `most` fields and items. Stops as soon as the limit is exceeded. Counts the content of a repeated object
 * once.
 */
export function hasMoreValues(input: unknown, most: number): boolean {
  let count = 0
  const seen = new Set<unknown>()
  const left = [input]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value !== 'object' || value === null || seen.has(value) || ArrayBuffer.isView(value)) continue
    seen.add(value)
    // Check `length` first: a sparse list can claim a huge length.
    if (Array.isArray(value) && value.length > most) return true
    for (const name in value) {
      if (++count > most) return true
      left.push((value as Record<string, unknown>)[name])
    }
  }
  return false
}

/** Properties of an input that make its check against a JSON Schema more expensive than its number of values suggests. */
export interface Costs {
  /** The sum, over all lists, of the pairs of items. */
  readonly pairs: number
  /** The number of fields of all objects. */
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
