import { codePointBoundary, headUnits, tailStart, utf8Length } from './utf8.js'

const HEAD_SHARE = 0.6
/** Maximum share of each part that may be dropped so that the cut is at the end of a line. */
const LINE_SEARCH_SHARE = 0.15

export interface Cut {
  readonly text: string
  /** Number of omitted bytes; 0 for none. */
  readonly cut: number
}

/** The text that replaces the omitted bytes. */
export type CutNote = (cutBytes: number) => string

/**
 * Keeps the beginning (about 60%) and the end (about 40%) of `text`, with `note(omitted bytes)` in between, so that everything fits into
 * `maxBytes` of UTF-8. If the note alone does not fit, the result is the note. `cut` is the exact number of omitted bytes.
 */
export function headTail(text: string, maxBytes: number, note: CutNote): Cut {
  if (text.length * 3 <= maxBytes) return { text, cut: 0 }
  const total = utf8Length(text)
  return total <= maxBytes ? { text, cut: 0 } : cutBetween(text, text, total, maxBytes, note)
}

/**
 * Computes `headTail` for a text that arrives in pieces. The result does not depend on how the text is split. Holds at most about three
 * times `maxBytes`.
 */
export class HeadTail {
  readonly #maxBytes: number
  #head = ''
  #headBytes = 0
  #tail = ''
  #tailBytes = 0
  #total = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Total number of bytes so far. */
  get total(): number {
    return this.#total
  }

  push(piece: string): void {
    const bytes = utf8Length(piece)
    this.#total += bytes
    if (this.#headBytes <= this.#maxBytes) {
      this.#head += piece.length > this.#maxBytes ? piece.slice(0, codePointBoundary(piece, this.#maxBytes + 2)) : piece
      this.#headBytes += bytes
    }
    this.#tail += piece
    this.#tailBytes += bytes
    if (this.#tailBytes > 2 * this.#maxBytes) this.#trim()
  }

  finish(note: CutNote): Cut {
    if (this.#total <= this.#maxBytes) return { text: this.#tail, cut: 0 }
    return cutBetween(this.#head, this.#tail, this.#total, this.#maxBytes, note)
  }

  /** Keeps one character more than the result needs, because a preceding line break affects the cut. */
  #trim(): void {
    const from = tailStart(this.#tail, this.#maxBytes)
    this.#tail = this.#tail.slice(Math.max(0, codePointBoundary(this.#tail, from - 1)))
    this.#tailBytes = utf8Length(this.#tail)
  }
}

/**
 * Cuts between `head`, the start of the text, and `tail`, its end. Each has at least `maxBytes`. The whole text has `total` bytes, which is
 * more than `maxBytes`.
 */
function cutBetween(head: string, tail: string, total: number, maxBytes: number, note: CutNote): Cut {
  // The length of the note depends on the number of omitted bytes. First reserve space for the note with the largest number. If a smaller
  // number makes the note longer, try again.
  let reserve = utf8Length(note(total))
  for (let attempt = 0; attempt < 3 && reserve < maxBytes; attempt++) {
    const parts = split(head, tail, maxBytes - reserve)
    const cut = total - utf8Length(parts.head) - utf8Length(parts.tail)
    const between = note(cut)
    const noteBytes = utf8Length(between)
    if (noteBytes <= reserve) return { text: parts.head + between + parts.tail, cut }
    reserve = noteBytes
  }
  return { text: note(total), cut: total }
}

function split(head: string, tail: string, budget: number): { readonly head: string; readonly tail: string } {
  const headBytes = Math.floor(budget * HEAD_SHARE)
  return {
    head: head.slice(0, backToLine(head, headUnits(head, headBytes))),
    tail: tail.slice(onToLine(tail, tailStart(tail, budget - headBytes))),
  }
}

/** Returns the offset after the last line break before `end`, if that break is near; otherwise `end`. */
function backToLine(text: string, end: number): number {
  const at = text.lastIndexOf('\n', end - 1) + 1
  return end > 0 && at > 0 && end - at <= end * LINE_SEARCH_SHARE ? at : end
}

/** Returns the offset after the first line break from `start` on, if that break is near; otherwise `start`. */
function onToLine(text: string, start: number): number {
  if (start === 0 || text.charCodeAt(start - 1) === 10) return start
  const at = text.indexOf('\n', start) + 1
  return at > 0 && at < text.length && at - start <= (text.length - start) * LINE_SEARCH_SHARE ? at : start
}

/** The note in a truncated output stream, the same for every shell. */
export const streamNote: CutNote = (bytes) => `\n[... ${bytes} bytes left out ...]\n`
