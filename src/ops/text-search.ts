/** Below this many comparisons in the worst case, `indexOf` is fast whatever the pattern is. */
const SAFE_COMPARISONS = 100_000_000
/** A pattern whose end does not repeat for longer than this cannot make `indexOf` slow. */
const SAFE_REPEAT = 32

/**
 * `indexOf` for one pattern (not empty): the offset of its first occurrence at `from` or later, else -1. It remembers its last find, so that
 * asking again for the same stretch costs nothing, and stays linear: on long repetitive patterns ("aaa...b...aaa" in "aaa...") the
 * engine's own search needs minutes for a megabyte.
 */
export function createSearch(text: string, pattern: string): (from: number) => number {
  const find = isSlowToFind(text, pattern) ? linearSearch(text, pattern) : (from: number): number => text.indexOf(pattern, from)
  let searchedFrom = 0
  let found = -2
  return (from) => {
    if (from >= searchedFrom && (found === -1 || found >= from)) return found
    searchedFrom = from
    found = find(from)
    return found
  }
}

function isSlowToFind(text: string, pattern: string): boolean {
  if (text.length * pattern.length < SAFE_COMPARISONS || pattern.length <= SAFE_REPEAT) return false
  // Engines compare from the pattern's end, so it is the repeats of its end that cost.
  const last = pattern.length - 1
  return borders(pattern.length, (i) => pattern.charCodeAt(last - i)).some((length) => length > SAFE_REPEAT)
}

/** For each prefix, the length of the longest shorter prefix that it ends with. */
function borders(length: number, unitAt: (index: number) => number): Int32Array {
  const table = new Int32Array(length)
  let border = 0
  for (let i = 1; i < length; i++) {
    const unit = unitAt(i)
    while (border > 0 && unitAt(border) !== unit) border = table[border - 1] ?? 0
    if (unitAt(border) === unit) border++
    table[i] = border
  }
  return table
}

/** Knuth, Morris and Pratt's search: never looks back in the text. */
function linearSearch(text: string, pattern: string): (from: number) => number {
  const table = borders(pattern.length, (i) => pattern.charCodeAt(i))
  return (from) => {
    let matched = 0
    for (let i = from; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      while (matched > 0 && pattern.charCodeAt(matched) !== unit) matched = table[matched - 1] ?? 0
      if (pattern.charCodeAt(matched) === unit) matched++
      if (matched === pattern.length) return i + 1 - matched
    }
    return -1
  }
}
