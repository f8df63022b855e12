/** Letters that do not show, or that show in another place than they stand: whoever reads the code has to see what it says. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
/** Ends a script, or begins a comment in one, where the code is put into a page. */
const MARKUP = /<(?=\/?script|!--)/gi

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')

/** Each half of a letter that takes two, by its number: what JSON and TypeScript read alike. */
const byNumber = (letter: string): string => Array.from(letter.split(''), (half) => `\\u${hex(half.charCodeAt(0), 4)}`).join('')

/** JSON, indented, that can stand anywhere: in a page, in a terminal, in a chat. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? 'null'
  return text.replace(HIDDEN, (letter) => (letter === '\n' ? letter : byNumber(letter))).replace(MARKUP, '\\u003c')
}

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const hidden = (letter: string): string => SHORT[letter] ?? byNumber(letter)

/** A text in single quotes, or in those that spare it a backslash. */
function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const safe = text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)
  return `${quote}${safe.replace(HIDDEN, hidden).replace(MARKUP, '\\x3c')}${quote}`
}

/** A text of several lines, as it is read. Line breaks and tabs stand as they are; a carriage return would not stay one. */
function template(text: string): string {
  const safe = text
    .replace(/[\\`]|\$(?=\{)/g, '\\$&')
    .replace(HIDDEN, (letter) => (letter === '\n' || letter === '\t' ? letter : hidden(letter)))
    .replace(MARKUP, '\\x3c')
  return `\`${safe}\``
}

/** A text as TypeScript: on lines of its own where it has several. */
export const stringLiteral = (text: string): string => (/\n./s.test(text) ? template(text) : quoted(text))
