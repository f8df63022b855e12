/**
 * Parses a git configuration file (git-config(1)) into ordered values of `section.key` and `section.subsection.key`, with section and key
 * in lower case. A key without a value is `true`. Skips invalid lines.
 */
export function parseConfig(text: string): [key: string, value: string][] {
  const values: [string, string][] = []
  let section = ''
  // A backslash at the end of a line joins it with the next line.
  for (const line of text.replaceAll(/\\\r?\n/g, '').split('\n')) {
    const [head = '', name, sub] = /^\s*\[\s*([-.\w]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line) ?? []
    if (name !== undefined) section = `${name.toLowerCase()}.${sub === undefined ? '' : `${sub.replaceAll(/\\(.)/g, '$1')}.`}`
    const [, key, sign, rest = ''] = /^\s*([A-Za-z][-A-Za-z0-9]*)\s*(=?)(.*)$/.exec(line.slice(head.length)) ?? []
    if (key !== undefined && section !== '') values.push([section + key.toLowerCase(), sign === '' ? 'true' : textOf(rest)])
  }
  return values
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' }

/** Returns a value without its comment, quotes and surrounding white space. */
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

/** Parses a boolean like git: a number other than 0 is true. */
export const isTrue = (value: string): boolean => /^(?:true|yes|on|[-+]?0*[1-9]\d*[kmg]?)$/i.test(value)
