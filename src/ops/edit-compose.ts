import { chunkedText } from './chunked-text.js'
import { IntList } from './int-list.js'
import { finish, type Steps } from './steps.js'
import { countBelow } from './text-search.js'
import { normalized } from './unicode-form.js'

/** Code units composed in one step. */
const UNITS_A_STEP = 16_384

const OTHER = /[\u0080-\uffff]/
/** ASCII composes with nothing behind it but marks. */
const RUN = /[^\n]?[\u0080-\u{10ffff}]+/gu
/** A character with its marks, a Hangul syllable in parts: what NFC looks at together. */
const CLUSTER = /[^\p{M}]?\p{M}+|[\u1100-\u115f\uac00-\ud7a3][\u1160-\u11ff]*|./gsu

/** A text without what its level ignores, and the way back from an offset in it to one in the original. */
export interface FoldedText {
  readonly text: string
  /**
   * The original offset. At the end of a line it lies before the white space and the CR that were taken out there. Below 0: the offset is
   * within a character of the original.
   */
  toOriginal(offset: number): number
}

/** Whether `composeText` may change anything. */
export function isComposable(text: string): boolean {
  return OTHER.test(text)
}

export function composeText(text: string): FoldedText {
  return finish(composeSteps(text))
}

/** The text in NFC, so that one letter is spelled in one way; in steps. */
export function* composeSteps(text: string): Steps<FoldedText> {
  if (!isComposable(text)) return { text, toOriginal: (offset) => offset }
  const out = chunkedText()
  // Of each cluster that changed: the composed offsets where it begins and ends, and how many units were taken out up to its end.
  const begins = new IntList()
  const ends = new IntList()
  const takenOut = new IntList()
  let total = 0
  let from = 0
  const change = (at: number, cluster: string, fresh: string): void => {
    out.push(text.slice(from, at))
    begins.push(out.length())
    out.push(fresh)
    from = at + cluster.length
    total += cluster.length - fresh.length
    ends.push(out.length())
    takenOut.push(total)
  }
  for (let at = 0; at < text.length; ) {
    const end = endOfStep(text, at + UNITS_A_STEP)
    for (const { 0: run, index } of text.slice(at, end).matchAll(RUN)) {
      if (normalized(run) === run) continue
      for (const { 0: cluster, index: inRun } of run.matchAll(CLUSTER)) {
        const fresh = normalized(cluster)
        if (fresh !== cluster) change(at + index + inRun, cluster, fresh)
      }
    }
    at = end
    yield
  }
  const [starts, sites, removed] = [begins.values(), ends.values(), takenOut.values()]
  if (sites.length === 0) return { text, toOriginal: (offset) => offset }
  out.push(text.slice(from))
  return {
    text: out.join(),
    toOriginal(offset) {
      const changed = countBelow(sites, offset + 1)
      return offset > (starts[changed] ?? offset) ? -1 : offset + (removed[changed - 1] ?? 0)
    },
  }
}

/** Of a cluster that has begun: marks, the rest of a Hangul syllable, the second half of a character. */
const GOES_ON = /[\p{M}\u1160-\u11ff\udc00-\udfff]/u
/** No writing has longer clusters. */
const LONG_CLUSTER = 64

/** A step ends between two clusters. */
function endOfStep(text: string, from: number): number {
  let at = from
  while (at < text.length && at < from + LONG_CLUSTER && GOES_ON.test(String.fromCodePoint(text.codePointAt(at) ?? 0))) at++
  return Math.min(at, text.length)
}
