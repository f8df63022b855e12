/** What is drawn in one frame, so that the page goes on meanwhile: characters, and what may become an element or a line. */
const SLICE = 6000
const MOST_MARKS = 200
/** Of text that is no Markdown. */
const MOST_LINES = 500

const MARKS = /\n|\|{1,4}|`+|\*+|(?:(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{DI}])+/gu
const LINES = /\n/g

/** Where the slice of a text ends that begins there: at the end of a line or of a word, where there is one. */
export function endOfSlice(text: string, from: number, isPlain: boolean): number {
  const most = text.slice(from, from + SLICE)
  const length = isPlain ? lengthUpTo(most, LINES, MOST_LINES) : lengthUpTo(most, MARKS, MOST_MARKS)
  const to = from + length
  if (to >= text.length) return text.length
  const slice = most.slice(0, length)
  const end = Math.max(slice.lastIndexOf('\n'), 0) || Math.max(slice.lastIndexOf(' '), 0)
  if (end > 0) return from + end + 1
  // Both halves of a character are on one side.
  return /[\ud800-\udbff]$/.test(slice) ? to - 1 : to
}

/** As much of it as has no more marks than that. */
function lengthUpTo(text: string, marks: RegExp, most: number): number {
  let count = 0
  for (const { 0: mark, index } of text.matchAll(marks)) {
    count += 1
    if (count === most) return index + mark.length
  }
  return text.length
}

/** What would mean something at the beginning of a line, or a blank, which may stand before that. */
const SIGN = /^[-*+#`~|\d ]?$/

/** The last place up to `to`, behind `least`, where a line can be parted: nothing of it is taken for a sign then. */
export function endOfWord(text: string, to: number, least: number): number | undefined {
  for (let at = text.lastIndexOf(' ', to - 1) + 1; at > least; at = text.lastIndexOf(' ', at - 2) + 1) {
    if (!SIGN.test(text.charAt(at))) return at
    if (at < 2) return undefined
  }
  return undefined
}
