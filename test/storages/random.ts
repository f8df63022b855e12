/** mulberry32: the same numbers for the same seed, in every runtime. */
export interface Random {
  /** From 0 up to 1. */
  next(): number
  /** A whole number from 0 up to `limit`. */
  below(limit: number): number
  pick<T>(from: readonly T[]): T
}

export function randomOf(seed: number): Random {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    pick: (from) => {
      const chosen = from[below(from.length)]
      if (chosen === undefined) throw new RangeError('There is nothing to pick from')
      return chosen
    },
  }
}
