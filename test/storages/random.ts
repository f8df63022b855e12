/** mulberry32, a random number generator: the same seed gives the same numbers in every runtime. */
export interface Random {
  /** From 0 inclusive to 1 exclusive. */
  next(): number
  /** An integer from 0 inclusive to `limit` exclusive. */
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
