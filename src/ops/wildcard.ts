/**
 * Whether the name matches the pattern, in which `*` matches any text and `one` any single character (default: no such character). Uses two
 * indices and backtracks only to the last star.
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
