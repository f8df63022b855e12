/** An open quote of a shell; `''`: none. */
export type Quote = '' | "'" | '"' | "$'"

// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would obey must not get into a line as it is.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/
const SPLIT = new RegExp(`(${CONTROLS.source})`)

/** Characters that may have a special meaning in a word. */
const SPECIAL = /[^\w@%+,./^\-\u00a0-\uffff]/g

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\u001b': '\\e' }

/** Escapes a text inside an open quote, which stays open. */
export function escapeIn(quote: Quote, text: string): string {
  if (quote === "$'") return text.replace(/[\\']/g, '\\$&').split(SPLIT).map(escapeControls).join('')
  return text
    .split(SPLIT)
    .map((part) => (CONTROLS.test(part) ? `${closerOf(quote)}$'${escapeControls(part)}'${quote}` : escapePlain(quote, part)))
    .join('')
}

/** The closing character of a quote. */
export const closerOf = (quote: Quote): string => quote.slice(-1)

/** Quotes a text as one word of a script. */
export const quoted = (text: string): string => `'${escapeIn("'", text)}'`

function escapePlain(quote: Exclude<Quote, "$'">, text: string): string {
  if (quote === '"') return text.replace(/[\\"$`]/g, '\\$&')
  if (quote === "'") return text.replaceAll("'", `'\\''`)
  return text.replace(SPECIAL, '\\$&')
}

function escapeControls(text: string): string {
  if (!CONTROLS.test(text)) return text
  return [...text].map((one) => NAMED[one] ?? numbered(one.charCodeAt(0))).join('')
}

/** From 0x80 on, `\x` would mean a byte. */
function numbered(code: number): string {
  return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}
