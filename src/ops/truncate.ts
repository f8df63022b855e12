import { headUnits, tailStart, utf8Length } from './utf8.js'

const HEAD_SHARE = 0.6
/** How much of each part may be given up so that the cut falls at a line's end. */
const LINE_SEARCH_SHARE = 0.15

/**
 * Keeps the beginning and the end of `text`, about 60 to 40, with `note(bytes cut)` between them, so that everything fits in `maxBytes` of
 * UTF-8. A note that does not fit stands alone. `cut` is the exact number of bytes left out.
 */
export function headTail(text: string, maxBytes: number, note: (cutBytes: number) => string): { text: string; cut: number } {
  if (text.length * 3 <= maxBytes) return { text, cut: 0 }
  const total = utf8Length(text)
  if (total <= maxBytes) return { text, cut: 0 }
  // The note's own length depends on the number in it: reserve for the largest, and once more where a smaller one made it longer.
  let reserve = utf8Length(note(total))
  for (let attempt = 0; attempt < 3 && reserve < maxBytes; attempt++) {
    const parts = split(text, maxBytes - reserve)
    const cut = total - utf8Length(parts.head) - utf8Length(parts.tail)
    const between = note(cut)
    const noteBytes = utf8Length(between)
    if (noteBytes <= reserve) return { text: parts.head + between + parts.tail, cut }
    reserve = noteBytes
  }
  return { text: note(total), cut: total }
}

function split(text: string, budget: number): { readonly head: string; readonly tail: string } {
  const headBytes = Math.floor(budget * HEAD_SHARE)
  const headEnd = headUnits(text, headBytes)
  const tailFrom = Math.max(headEnd, tailStart(text, budget - headBytes))
  return { head: text.slice(0, backToLine(text, headEnd)), tail: text.slice(onToLine(text, tailFrom)) }
}

/** Just after the last line break before `end`, if that is near. */
function backToLine(text: string, end: number): number {
  const at = text.lastIndexOf('\n', end - 1) + 1
  return end > 0 && at > 0 && end - at <= end * LINE_SEARCH_SHARE ? at : end
}

/** Just after the first line break from `start` on, if that is near. */
function onToLine(text: string, start: number): number {
  if (start === 0 || text.charCodeAt(start - 1) === 10) return start
  const at = text.indexOf('\n', start) + 1
  return at > 0 && at < text.length && at - start <= (text.length - start) * LINE_SEARCH_SHARE ? at : start
}
