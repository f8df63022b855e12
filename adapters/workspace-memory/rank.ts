import type { Slicer } from '../../src/workspace/slicer.js'
import type { Note } from './lines.js'

export interface Ranked {
  readonly note: Note
  /** From 0 to 1, three decimals. */
  readonly score: number
}

/** Low: in a short note, that a word is there at all says more than how often. */
const SATURATION = 0.4
/** How much long notes lose: the usual value of BM25. */
const LENGTH_SHARE = 0.75

interface Counted {
  readonly note: Note
  /** Of each term of the query. */
  readonly counts: readonly number[]
  readonly length: number
}

/**
 * Notes that hold a term of the query, the best first: term frequency times inverse document frequency (BM25), as a share of what the
 * query could reach. Equal scores: the newest first, then the last of the file.
 */
export async function rankNotes(notes: readonly Note[], query: string, slicer: Slicer): Promise<Ranked[]> {
  const terms = [...new Set(termsOf(query))]
  const counted = await countTerms(notes, terms, slicer)
  const mean = counted.reduce((sum, { length }) => sum + length, 0) / counted.length || 1
  const weights = terms.map((_, i) => rarity(counted.filter(({ counts }) => (counts[i] as number) > 0).length, counted.length))
  const best = weights.reduce((sum, weight) => sum + weight, 0)
  const ranked = counted.flatMap(({ note, counts, length }) => {
    const dampen = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / mean)
    const sum = counts.reduce((total, count, i) => total + ((weights[i] as number) * count) / (count + dampen), 0)
    return sum > 0 ? [{ note, score: rounded(sum / best) }] : []
  })
  return ranked.reverse().sort((a, b) => b.score - a.score || b.note.createdMs - a.note.createdMs)
}

async function countTerms(notes: readonly Note[], terms: readonly string[], slicer: Slicer): Promise<Counted[]> {
  const index = new Map(terms.map((term, i) => [term, i]))
  const counted: Counted[] = []
  for (const note of notes) {
    const counts = terms.map(() => 0)
    const found = termsOf(note.key === undefined ? note.text : `${note.key} ${note.text}`)
    for (const term of found) {
      const i = index.get(term)
      if (i !== undefined) counts[i] = (counts[i] as number) + 1
    }
    counted.push({ note, counts, length: found.length })
    if (slicer.due(5 + (note.text.length >> 3))) await slicer.pause()
  }
  return counted
}

/** Above 0 for every term, also one that all notes have. */
const rarity = (having: number, all: number): number => Math.log(1 + (all - having + 0.5) / (having + 0.5))

/** So that the last digit of a logarithm, which engines may see differently, decides nothing. A hit is never 0. */
const rounded = (score: number): number => Math.max(0.001, Math.round(score * 1000) / 1000)

/** Accents and the like, of Latin, Greek and Cyrillic. Marks of other scripts are letters there and stay. */
const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g
/** More marks on one character than any writing has: normalising takes the square of them. */
const PILED = /(\p{M}{30})\p{M}+/gu
/** One term is a character of a script that puts no spaces between words, a pictogram, or a run of other letters and digits. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`
const TERM = new RegExp(String.raw`[${UNSPACED}]|(?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}])+|\p{Extended_Pictographic}`, 'gu')

/** The terms of a text, case and accents folded, in order. */
function termsOf(text: string): string[] {
  return fold(text).match(TERM) ?? []
}

function fold(text: string): string {
  // Composed again: a Hangul syllable is one character, and so is a kana with its mark.
  return text.replace(PILED, '$1').normalize('NFKD').toLowerCase().replace(ACCENTS, '').replaceAll('ς', 'σ').normalize('NFC')
}
