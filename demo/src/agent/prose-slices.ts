/** Limits per frame, so that the page stays responsive: characters, and marks that may become an element or a line. */
const SLICE = 6000
const MOST_MARKS = 200
/** Line limit of plain text. */
const MOST_LINES = 500

const MARKS = /\n|\|{1,4}|`+|\*+|(?:(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{DI}])+/gu
const LINES = /\n/g

/** Where the slice that begins at `from` ends: after a line or a word if possible. */
export function endOfSlice(text: string, from: number, isPlain: boolean): number {
  const most = text.slice(from, from + SLICE)
  const length = isPlain ? lengthUpTo(most, LINES, MOST_LINES) : lengthUpTo(most, MARKS, MOST_MARKS)
  const to = from + length
  if (to >= text.length) return text.length
  const slice = most.slice(0, length)
  const end = Math.max(slice.lastIndexOf('\n'), 0) || Math.max(slice.lastIndexOf(' '), 0)
  if (end > 0) return from + end + 1
  // Never splits a surrogate pair.
  return /[\ud800-\udbff]$/.test(slice) ? to - 1 : to
}

/** Length of the text up to its mark number `most`. */
function lengthUpTo(text: string, marks: RegExp, most: number): number {
  let count = 0
  for (const { 0: mark, index } of text.matchAll(marks)) {
    count += 1
    if (count === most) return index + mark.length
  }
  return text.length
}

/** Characters with a Markdown meaning at the start of a line, and blanks, which may precede them. */
const SIGN = /^[-*+#`~|\d ]?$/

/** The last position between `least` and `to` where a line can be split so that no Markdown marker starts the new line. */
export function endOfWord(text: string, to: number, least: number): number | undefined {
  for (let at = text.lastIndexOf(' ', to - 1) + 1; at > least; at = text.lastIndexOf(' ', at - 2) + 1) {
    if (!SIGN.test(text.charAt(at))) return at
    if (at < 2) return undefined
  }
  return undefined
}
