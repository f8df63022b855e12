import { encodeEscaped } from '../escaped-bytes.js'

const BUCKETS = 1024
/** bash quadruples the table when it holds twice as many keys as buckets. */
const GROWS_AT = 2
const GROWTH = 4

/**
 * Sorts the keys of an associative array, given in creation order, into the order of bash 5. Built into the library (patches/arrays.patch).
 */
export function hashOrder(keys: readonly string[]): string[] {
  let table = new Map<number, string[]>()
  let buckets = BUCKETS
  // The newest key comes first in its bucket.
  const put = (key: string): void => {
    const bucket = hashOf(key) % buckets
    const others = table.get(bucket)
    if (others) others.unshift(key)
    else table.set(bucket, [key])
  }
  for (const [count, key] of keys.entries()) {
    if (count >= buckets * GROWS_AT) {
      const chains = [...table.values()]
      table = new Map()
      buckets *= GROWTH
      for (const each of chains.flat()) put(each)
    }
    put(key)
  }
  return [...table].sort(([a], [b]) => a - b).flatMap(([, chain]) => chain)
}

/** Returns the FNV-1 hash of a key. Like bash, sign-extends each byte. */
function hashOf(key: string): number {
  let hash = 2_166_136_261
  for (const byte of encodeEscaped(key)) hash = Math.imul(hash, 16_777_619) ^ ((byte << 24) >> 24)
  return hash >>> 0
}
