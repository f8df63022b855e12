/**
 * Whether the name fits the pattern, in which `*` stands for any run of characters and `one` for any single one (default: nothing does).
 * Two indices, no backtracking beyond the last star.
 */
export function fitsWildcard(pattern: string, name: string, one?: string): boolean {
  let p = 0
  let star = -1
  let resume = 0
  for (let n = 0; n < name.length; ) {
    if (pattern[p] === '*') {
      star = p++
      resume = n
    } else if (pattern[p] === name[n] || (one !== undefined && pattern[p] === one)) {
      p++
      n++
    } else if (star >= 0) {
      p = star + 1
      n = ++resume
    } else {
      return false
    }
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}
