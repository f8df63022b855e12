import type { Match, Regex } from '../regex/regex.js'
import type { Piece, Substitution } from './program.js'

/** The text with its matches replaced; undefined where none was. */
export function substitute(text: string, regex: Regex, { pieces, all, from }: Substitution): string | undefined {
  const plain = pieces.every(({ kind }) => kind !== 'case')
  let out = ''
  let done = 0
  let at = 0
  let count = 0
  let replaced = false
  let lastEnd = -1
  while (at <= text.length) {
    const match = regex.exec(text, at)
    if (!match) break
    const { index, end } = match
    // An empty match right behind the one before is none.
    if (index === end && index === lastEnd) {
      at = next(text, end)
      continue
    }
    count++
    lastEnd = end
    if (count >= from) {
      out += text.slice(done, index) + (plain ? filled(pieces, match) : cased(pieces, match))
      done = end
      replaced = true
      if (!all) break
    }
    at = index === end ? next(text, end) : end
  }
  return replaced ? out + text.slice(done) : undefined
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
    const changed = all === 'U' ? text.toUpperCase() : all === 'L' ? text.toLowerCase() : text
    const [first] = changed
    if (first === undefined) continue
    out += (once === 'u' ? first.toUpperCase() : once === 'l' ? first.toLowerCase() : first) + changed.slice(first.length)
    once = undefined
  }
  return out
}
