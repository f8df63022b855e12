import type { Context } from '../library-types.js'
import type { Place } from './interpreter-context.js'

/**
 * Returns the state of the generator since the last assignment to RANDOM in this shell. The assigned value is the seed. The library leaves
 * this value in the variable.
 */
export function randomOf({ place, state: { env } }: Context): Place['random'] {
  const assigned = env.get('RANDOM')
  if (assigned !== undefined) place.random = { seed: Number(assigned) >>> 0, last: 0 }
  env.delete('RANDOM')
  return place.random
}

/**
 * Returns the next random number after an assignment to RANDOM. Like bash 5.2, uses Park and Miller's generator and never repeats a number
 * at once.
 */
export function nextRandom(context: Context): number | undefined {
  const random = randomOf(context)
  if (!random) return undefined
  const { last } = random
  while (random.last === last) {
    const seed = random.seed || 123_459_876
    const high = Math.floor(seed / 127_773)
    const next = (16_807 * (seed - 127_773 * high) - 2_836 * high) | 0
    random.seed = next < 0 ? next + 0x7fff_ffff : next
    random.last = ((random.seed >>> 16) ^ (random.seed & 0xffff)) & 0x7fff
  }
  return random.last
}
