import { packed } from '../../bytes.js'

const NAMES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}

/** A line as `l` shows it: without a doubt, and folded. */
export function listed(text: string, width = 70): string {
  const shown = Array.from(packed(text), (char) => {
    const code = char.charCodeAt(0)
    return NAMES[char] ?? (code < 32 || code > 126 ? `\\${code.toString(8).padStart(3, '0')}` : char)
  })
  let out = ''
  let column = 0
  for (const part of shown) {
    if (width > 1 && column + part.length > width - 1) {
      out += '\\\n'
      column = 0
    }
    out += part
    column += part.length
  }
  return `${out}$\n`
}
