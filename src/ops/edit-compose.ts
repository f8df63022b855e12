import { chunkedText } from './chunked-text.js'
import { IntList } from './int-list.js'
import { finish, type Steps } from './steps.js'
import { countBelow } from './text-search.js'
import { normalized } from './unicode-form.js'

/** Code units composed in one step. */
const UNITS_A_STEP = 16_384

const OTHER = /[\u0080-\uffff]/
/** Matches text that may compose: non-ASCII characters, and the character before them. */
const RUN = /[^\n]?[\u0080-\u{10ffff}]+/gu
/** The unit that NFC processes together: a character with its marks, or the parts of a Hangul syllable. */
const CLUSTER = /[^\p{M}]?\p{M}+|[\u1100-\u115f\uac00-\ud7a3][\u1160-\u11ff]*|./gsu

/** A folded text, with a mapping from its offsets to the original offsets. */
export interface FoldedText {
  readonly text: string
  /**
   * Returns the offset in the original text. At the end of a line, this offset is before the removed white space and CR. Negative if
   * `offset` is within a character of the original.
   */
  toOriginal(offset: number): number
}

/** Whether `composeText` may change the text. */
export function isComposable(text: string): boolean {
  return OTHER.test(text)
}

export function composeText(text: string): FoldedText {
  return finish(composeSteps(text))
}

/** Converts the text to NFC, so that each letter has one spelling. Runs in steps. */
export function* composeSteps(text: string): Steps<FoldedText> {
  if (!isComposable(text)) return { text, toOriginal: (offset) => offset }
  const out = chunkedText()
  // For each changed cluster: its start and end in the composed text, and the total number of removed units up to its end.
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

/** Continues a cluster: a mark, a part of a Hangul syllable, the second half of a surrogate pair. */
const GOES_ON = /[\p{M}\u1160-\u11ff\udc00-\udfff]/u
/** Maximum length of a cluster in code units. No writing system has longer clusters. */
const LONG_CLUSTER = 64

/** Returns the end of a step that would end at `from`: the next position between clusters. */
function endOfStep(text: string, from: number): number {
  let at = from
  while (at < text.length && at < from + LONG_CLUSTER && GOES_ON.test(String.fromCodePoint(text.codePointAt(at) ?? 0))) at++
  return Math.min(at, text.length)
}
