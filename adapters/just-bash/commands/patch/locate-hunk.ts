import type { Hunk } from './read-patch.js'

export interface Placing {
  /** The lines of the file, with their line breaks. */
  readonly lines: readonly string[]
  /** Lines that hunks before have used up. */
  readonly used: number
  /** How far hunks before were from where they said. */
  readonly drift: number
  readonly ignoreSpace: boolean
}

const isOld = ({ mark }: Hunk['lines'][number]): boolean => mark !== '+'
const folded = (text: string): string => text.replaceAll(/[ \t]+/g, ' ').replace(/ ?\n?$/, '')

/**
 * Where the old lines of a hunk begin, 1-based; 0: nowhere. As far as possible where it says, else as near as possible. `fuzz`: so many
 * lines of context at each end do not count. With less context at one end than at the other it belongs to that end of the file.
 */
export function placeOf(hunk: Hunk, fuzz: number, { lines, used, drift, ignoreSpace }: Placing): number {
  const old = hunk.lines.filter(isOld).map(({ text }) => text)
  const first = hunk.oldStart + (old.length === 0 ? 1 : 0)
  const guess = first + drift
  if (old.length === 0) return Math.min(Math.max(guess, used + 1), lines.length + 1)
  const [before, after] = contextOf(hunk)
  const context = Math.max(before, after)
  let head = fuzz + before - context
  const tail = fuzz + after - context
  const same = (a: string | undefined, b: string): boolean => a === b || (ignoreSpace && a !== undefined && folded(a) === folded(b))
  const fits = (at: number, skipHead: number, skipTail: number): boolean => {
    if (at < 1 || at <= used - skipHead) return false
    for (let i = skipHead; i < old.length - skipTail; i++) if (!same(lines[at - 1 + i], old[i] as string)) return false
    return true
  }
  if (head < 0 && first <= 1) {
    if (tail < 0 && old.length !== lines.length) return 0
    return fits(1, 0, Math.max(0, tail)) ? 1 : 0
  }
  head = Math.max(0, head)
  if (tail < 0) {
    const at = lines.length - old.length + 1
    return fits(at, head, 0) ? at : 0
  }
  const last = lines.length - (old.length - tail) + 1
  const reach = Math.max(last - guess, guess - used - 1)
  for (let offset = 0; offset <= reach; offset++) {
    if (guess + offset <= last && fits(guess + offset, head, tail)) return guess + offset
    if (offset > 0 && guess - offset <= last && fits(guess - offset, head, tail)) return guess - offset
  }
  return 0
}

/** Unchanged lines at both ends. */
export function contextOf({ lines }: Hunk): readonly [before: number, after: number] {
  const before = lines.findIndex(({ mark }) => mark !== ' ')
  if (before < 0) return [lines.length, lines.length]
  return [before, lines.length - 1 - lines.findLastIndex(({ mark }) => mark !== ' ')]
}
