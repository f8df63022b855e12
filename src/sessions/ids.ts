import type { Host } from '../types/host.js'

const HEX = 2 ** 32

/** Gives ids `bg-<kind>-<ms>-<8 hex digits>`, each once, also where the host's random numbers repeat and its clock stands still. */
export function createIds({ now, random }: Pick<Host, 'now' | 'random'>): (kind: string) => string {
  const given = new Set<number>()
  let last: number | undefined
  return (kind) => {
    const time = Math.floor(now())
    if (time !== last) given.clear()
    last = time
    let number = Math.floor(random() * HEX) % HEX
    while (given.has(number)) number = (number + 1) % HEX
    given.add(number)
    return `bg-${kind}-${time}-${number.toString(16).padStart(8, '0')}`
  }
}
