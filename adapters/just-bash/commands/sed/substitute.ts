import { toLower, toUpper } from '../shared/letter-case.js'
import type { Match } from '../shared/regex/match.js'
import type { Regex } from '../shared/regex/regex.js'
import type { Piece, Substitution } from './program.js'

/** Replaces the matches in a text, a batch at a time. */
export class Substituting {
  /** The new text when finished, or undefined if nothing was replaced. */
  result: string | undefined
  readonly #text: string
  readonly #regex: Regex
  readonly #substitution: Substitution
  readonly #fill: (pieces: readonly Piece[], match: Match) => string
  #out = ''
  #done = 0
  #at = 0
  #count = 0
  #replaced = false
  #lastEnd = -1

  constructor(text: string, regex: Regex, substitution: Substitution) {
    this.#text = text
    this.#regex = regex
    this.#substitution = substitution
    this.#fill = substitution.pieces.every(({ kind }) => kind !== 'case') ? filled : cased
  }

  /** Length of the output so far. */
  get length(): number {
    return this.#out.length
  }

  /** Processes up to `matches` further matches. Returns false when finished. */
  more(matches: number): boolean {
    for (let i = 0; i < matches; i++) if (!this.#match()) return this.#finish()
    return true
  }

  /** Processes one match. Returns false if nothing is left to replace. */
  #match(): boolean {
    const text = this.#text
    const match = this.#at > text.length ? undefined : this.#regex.exec(text, this.#at)
    if (!match) return false
    const { index, end } = match
    this.#at = index === end ? next(text, end) : end
    // POSIX: an empty match directly after the previous match does not count.
    if (index === end && index === this.#lastEnd) return true
    this.#lastEnd = end
    const { pieces, all, from } = this.#substitution
    if (++this.#count < from) return true
    this.#out += text.slice(this.#done, index) + this.#fill(pieces, match)
    this.#done = end
    this.#replaced = true
    return all
  }

  #finish(): false {
    if (this.#replaced) this.result = this.#out + this.#text.slice(this.#done)
    return false
  }
}

const next = (text: string, at: number): number => at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)

function filled(pieces: readonly Piece[], { groups }: Match): string {
  let out = ''
  for (const piece of pieces) out += piece.kind === 'text' ? piece.text : piece.kind === 'group' ? (groups[piece.index] ?? '') : ''
  return out
}

function cased(pieces: readonly Piece[], { groups }: Match): string {
  let out = ''
  let all: 'U' | 'L' | 'E' = 'E'
  let once: 'u' | 'l' | undefined
  for (const piece of pieces) {
    if (piece.kind === 'case') {
      if (piece.to === 'u' || piece.to === 'l') once = piece.to
      else {
        all = piece.to
        once = undefined
      }
      continue
    }
    const text = piece.kind === 'text' ? piece.text : (groups[piece.index] ?? '')
    const changed = all === 'U' ? toUpper(text) : all === 'L' ? toLower(text) : text
    const [first] = changed
    if (first === undefined) continue
    out += (once === 'u' ? toUpper(first) : once === 'l' ? toLower(first) : first) + changed.slice(first.length)
    once = undefined
  }
  return out
}
