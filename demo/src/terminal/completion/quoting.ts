/** The quotes of a shell that may be open; `''`: none. */
export type Quote = '' | "'" | '"' | "$'"

// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would obey must not get into a line as it is.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/
const SPLIT = new RegExp(`(${CONTROLS.source})`)

/** What may mean something to a shell, somewhere in a word. */
const SPECIAL = /[^\w@%+,./^\-\u00a0-\uffff]/g

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\u001b': '\\e' }

/** The text as it is written within a quote that is open already, and stays open. */
export function escapeIn(quote: Quote, text: string): string {
  if (quote === "$'") return text.replace(/[\\']/g, '\\$&').split(SPLIT).map(escapeControls).join('')
  return text
    .split(SPLIT)
    .map((part) => (CONTROLS.test(part) ? `${closerOf(quote)}$'${escapeControls(part)}'${quote}` : escapePlain(quote, part)))
    .join('')
}

/** What closes a quote. */
export const closerOf = (quote: Quote): string => quote.slice(-1)

/** A text as one word of a script. */
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

/** Above 7f `\x` is a byte. */
function numbered(code: number): string {
  return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}
