import { chunkedText } from './chunked-text.js'
import { finish, type Steps } from './steps.js'

/** Code units composed in one step. */
const UNITS_A_STEP = 262_144

/** What NFC may change: a letter with combining marks, a Hangul syllable in parts, a sign that stands for another. */
const SINGLES = '\\u0340\\u0341\\u0343\\u0344\\u0374\\u037e\\u0387\\u2126\\u212a\\u212b\\uf900-\\ufaff'
const CLUSTER = new RegExp(`[^\\p{M}\\n]\\p{M}+|[\\u1100-\\u1112][\\u1161-\\u1175][\\u11a8-\\u11c2]?|[${SINGLES}]`, 'gu')
const MAY_CHANGE = new RegExp(`\\p{M}|[\\u1161-\\u1175${SINGLES}]`, 'u')

/** A text without what its level ignores, and the way back from an offset in it to one in the original. */
export interface FoldedText {
  readonly text: string
  /** The original offset. At the end of a line it lies before the white space and the CR that were taken out there. */
  toOriginal(offset: number): number
}

/** Whether `composeText` may change anything. */
export function isComposable(text: string): boolean {
  return MAY_CHANGE.test(text)
}

export const compose = (text: string): string => composeText(text).text

export function composeText(text: string): FoldedText {
  return finish(composeSteps(text))
}

/** The text in NFC, so that one letter is spelled in one way; in steps. */
export function* composeSteps(text: string): Steps<FoldedText> {
  if (!isComposable(text)) return { text, toOriginal: (offset) => offset }
  const out = chunkedText()
  // Behind each cluster that changed: the composed offset, and how many units were taken out up to there.
  const sites: number[] = []
  const removed: number[] = []
  let total = 0
  let from = 0
  for (let at = 0; at < text.length; ) {
    const end = endOfStep(text, at + UNITS_A_STEP)
    for (const { 0: cluster, index } of text.slice(at, end).matchAll(CLUSTER)) {
      const fresh = cluster.normalize('NFC')
      if (fresh === cluster) continue
      out.push(text.slice(from, at + index))
      out.push(fresh)
      from = at + index + cluster.length
      total += cluster.length - fresh.length
      sites.push(out.length())
      removed.push(total)
    }
    at = end
    yield
  }
  if (sites.length === 0) return { text, toOriginal: (offset) => offset }
  out.push(text.slice(from))
  return { text: out.join(), toOriginal: (offset) => offset + (removed[countUpTo(sites, offset) - 1] ?? 0) }
}

/** A step ends before a plain character, which belongs to no cluster before it. */
function endOfStep(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) > 0x7f) at++
  return Math.min(at, text.length)
}

/** How many of the ascending `values` are not above `limit`. */
function countUpTo(values: readonly number[], limit: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((values[middle] as number) <= limit) low = middle + 1
    else high = middle
  }
  return low
}
