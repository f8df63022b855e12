/** Below this many code units a loop is faster than the next comparison of halves. */
const SHORT = 64

/** Code units that both texts begin with, at most `limit`. Halves are compared, which engines do at the speed of memory. */
export function commonPrefix(a: string, b: string, limit: number): number {
  let low = 0
  let high = limit
  while (high - low > SHORT) {
    const middle = (low + high + 1) >>> 1
    if (a.slice(low, middle) === b.slice(low, middle)) low = middle
    else high = middle - 1
  }
  while (low < high && a.charCodeAt(low) === b.charCodeAt(low)) low++
  return low
}

/** Code units that both texts end with, at most `limit`. */
export function commonSuffix(a: string, b: string, limit: number): number {
  let low = 0
  let high = limit
  while (high - low > SHORT) {
    const middle = (low + high + 1) >>> 1
    if (a.slice(a.length - middle, a.length - low) === b.slice(b.length - middle, b.length - low)) low = middle
    else high = middle - 1
  }
  while (low < high && a.charCodeAt(a.length - 1 - low) === b.charCodeAt(b.length - 1 - low)) low++
  return low
}
