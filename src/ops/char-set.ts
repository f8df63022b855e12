/** A set of code points as sorted, disjoint, non-adjacent ranges: `[lo, hi, lo, hi, ...]`, both ends inclusive. */
export type CharSet = readonly number[]

const LAST = 0x10ffff

export const NONE: CharSet = []
export const ALL: CharSet = [0, LAST]
export const NEWLINE: CharSet = [10, 10]
// In RE2 these classes are ASCII only, and `\s` excludes the vertical tab.
export const DIGIT: CharSet = [48, 57]
export const SPACE: CharSet = [9, 10, 12, 13, 32, 32]
export const WORD: CharSet = [48, 57, 65, 90, 95, 95, 97, 122]

/** Creates a set from ranges, which may overlap and be in any order. */
export function charSet(ranges: readonly number[]): CharSet {
  const pairs: [number, number][] = []
  for (let i = 0; i + 1 < ranges.length; i += 2) pairs.push([ranges[i] ?? 0, ranges[i + 1] ?? 0])
  pairs.sort((a, b) => a[0] - b[0])
  const out: number[] = []
  let end = -2
  for (const [lo, hi] of pairs) {
    if (lo > end + 1) {
      out.push(lo, hi)
      end = hi
    } else if (hi > end) {
      out[out.length - 1] = hi
      end = hi
    }
  }
  return out
}

export function single(code: number): CharSet {
  return [code, code]
}

/** Returns the only code point of a set; undefined if the set has several or none. */
export function only(set: CharSet): number | undefined {
  return set.length === 2 && set[0] === set[1] ? set[0] : undefined
}

export function union(a: CharSet, b: CharSet): CharSet {
  return charSet([...a, ...b])
}

export function negate(set: CharSet): CharSet {
  const out: number[] = []
  let next = 0
  for (let i = 0; i + 1 < set.length; i += 2) {
    const lo = set[i] ?? 0
    if (lo > next) out.push(next, lo - 1)
    next = (set[i + 1] ?? 0) + 1
  }
  if (next <= LAST) out.push(next, LAST)
  return out
}

export function without(set: CharSet, removed: CharSet): CharSet {
  return negate(union(negate(set), removed))
}

export function intersects(a: CharSet, b: CharSet): boolean {
  let i = 0
  let j = 0
  while (i + 1 < a.length && j + 1 < b.length) {
    const aHi = a[i + 1] ?? 0
    const bHi = b[j + 1] ?? 0
    if ((a[i] ?? 0) <= bHi && (b[j] ?? 0) <= aHi) return true
    if (aHi < bHi) i += 2
    else j += 2
  }
  return false
}

/** Whether the set contains a character outside the basic plane, which requires the flag `u`. */
export function isWide(set: CharSet): boolean {
  return (set[set.length - 1] ?? 0) > 0xffff
}

/** Adds the other case of every ASCII letter, and the two non-ASCII characters that fold to an ASCII letter. For ASCII sets only. */
export function foldAscii(set: CharSet): CharSet {
  const out = [...set]
  const overlap = (lo: number, hi: number, shift: number): void => {
    for (let i = 0; i + 1 < set.length; i += 2) {
      const from = Math.max(lo, set[i] ?? 0)
      const to = Math.min(hi, set[i + 1] ?? 0)
      if (from <= to) out.push(from + shift, to + shift)
    }
  }
  overlap(65, 90, 32)
  overlap(97, 122, -32)
  const folded = charSet(out)
  const extra: number[] = []
  if (intersects(folded, single(0x6b))) extra.push(0x212a, 0x212a)
  if (intersects(folded, single(0x73))) extra.push(0x17f, 0x17f)
  return extra.length > 0 ? charSet([...folded, ...extra]) : folded
}

export function has(set: CharSet, code: number): boolean {
  for (let i = 0; i + 1 < set.length; i += 2) if (code >= (set[i] ?? 0) && code <= (set[i + 1] ?? 0)) return true
  return false
}
