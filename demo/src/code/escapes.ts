/** Invisible characters, and characters that change the text direction. Escaped, so that readers see what the code contains. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
/** Markup that would end a script or start a comment when the code is placed in an HTML page. */
const MARKUP = /<(?=\/?script|!--)/gi

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')

/** Escapes each UTF-16 code unit as `\uXXXX`, which both JSON and TypeScript read. */
const byNumber = (letter: string): string => Array.from(letter.split(''), (half) => `\\u${hex(half.charCodeAt(0), 4)}`).join('')

/** Indented JSON that is safe in a page, a terminal or a chat. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? 'null'
  return text.replace(HIDDEN, (letter) => (letter === '\n' ? letter : byNumber(letter))).replace(MARKUP, '\\u003c')
}

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const hidden = (letter: string): string => SHORT[letter] ?? byNumber(letter)

/** A string literal, with the quotes that need fewer backslashes. */
function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const safe = text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)
  return `${quote}${safe.replace(HIDDEN, hidden).replace(MARKUP, '\\x3c')}${quote}`
}

/**
 * A template literal for a text of several lines. Keeps line breaks and tabs. Escapes carriage returns, because template literals normalize
 * them.
 */
function template(text: string): string {
  const safe = text
    .replace(/[\\`]|\$(?=\{)/g, '\\$&')
    .replace(HIDDEN, (letter) => (letter === '\n' || letter === '\t' ? letter : hidden(letter)))
    .replace(MARKUP, '\\x3c')
  return `\`${safe}\``
}

/** A text as TypeScript: a template literal if the text has several lines. */
export const stringLiteral = (text: string): string => (/\n./s.test(text) ? template(text) : quoted(text))
