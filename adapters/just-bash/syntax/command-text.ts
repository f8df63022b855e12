interface Token {
  readonly start: number
  readonly end: number
}

const REDIRECTION = /^(?:[<>]|>>|<<<|<>|>\||&>>?|>&|<&|<<-?)$/
/** What stands behind these stands close to them. */
const CLOSE = /^(?:[<>]&|<<-?)$/

/** A command as bash shows it: its words with one blank between them. Built into the library (patches/sources.patch). */
export function commandText(tokens: readonly Token[], from: number, to: number, input: string): string {
  let text = ''
  let before = { raw: '', end: -1 }
  // Lists of words: other parentheses are words.
  let lists = 0
  for (const { start, end } of tokens.slice(from, to)) {
    const raw = input.slice(start, end)
    const isListEnd = raw === ')' && lists > 0
    if (isListEnd) lists--
    text += text === '' || text.endsWith('=(') || isListEnd || isClose(before, raw, start) ? raw : ` ${raw}`
    if (text.endsWith('=(')) lists++
    before = { raw, end }
  }
  return text
}

function isClose(before: { readonly raw: string; readonly end: number }, raw: string, start: number): boolean {
  if (REDIRECTION.test(before.raw)) return CLOSE.test(before.raw)
  if (REDIRECTION.test(raw)) return before.end === start && /^(?:\d+|\{\w+\})$/.test(before.raw)
  return before.end === start && before.raw !== '(' && raw !== ')'
}
