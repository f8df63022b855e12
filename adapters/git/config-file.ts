/**
 * The values of a git configuration file in their order (git-config(1)): `section.key` and `section.subsection.key`, section and key in small
 * letters. A key without a value is `true`. What is no line of such a file is passed over.
 */
export function parseConfig(text: string): [key: string, value: string][] {
  const values: [string, string][] = []
  let section = ''
  // A backslash joins the next line.
  for (const line of text.replaceAll(/\\\r?\n/g, '').split('\n')) {
    const [head = '', name, sub] = /^\s*\[\s*([-.\w]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line) ?? []
    if (name !== undefined) section = `${name.toLowerCase()}.${sub === undefined ? '' : `${sub.replaceAll(/\\(.)/g, '$1')}.`}`
    const [, key, sign, rest = ''] = /^\s*([A-Za-z][-A-Za-z0-9]*)\s*(=?)(.*)$/.exec(line.slice(head.length)) ?? []
    if (key !== undefined && section !== '') values.push([section + key.toLowerCase(), sign === '' ? 'true' : textOf(rest)])
  }
  return values
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' }

/** Without the comment, the quotes and the blanks at its ends. */
function textOf(source: string): string {
  let value = ''
  let end = 0
  let isQuoted = false
  for (const [piece, escaped] of source.trim().matchAll(/\\(.)|./g)) {
    if (piece === '"') isQuoted = !isQuoted
    else if (/[#;]/.test(piece) && !isQuoted) break
    else value += escaped === undefined ? piece : (ESCAPES[escaped] ?? escaped)
    if (isQuoted || !/\s/.test(piece)) end = value.length
  }
  return value.slice(0, end)
}

/** As git reads a value that is true or false; a number is true but for 0. */
export const isTrue = (value: string): boolean => /^(?:true|yes|on|[-+]?0*[1-9]\d*[kmg]?)$/i.test(value)
