/** Below this length a loop is faster than comparing another half. */
const SHORT = 64

/** Counts the code units at the start that both texts share, at most `limit`. Compares halves, which engines do at memory speed. */
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

/** Counts the code units at the end that both texts share, at most `limit`. */
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
