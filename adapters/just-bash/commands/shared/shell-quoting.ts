// biome-ignore-all lint/suspicious/noControlCharactersInRegex: those are what has to be quoted.

/** Quotes a word like `printf %q`. */
export function quotedForShell(word: string): string {
  if (word === '') return "''"
  if (/[\0-\x1f\x7f\udc80-\udcff]/u.test(word)) {
    const body = word
      .replace(/[\\']/g, '\\$&')
      .replace(/[\0-\x1f\x7f\udc80-\udcff]/gu, (char) => NAMES[char] ?? `\\${(char.charCodeAt(0) & 0xff).toString(8).padStart(3, '0')}`)
    return `$'${body}'`
  }
  return word.replace(/[ !"$&'()*;<>?[\\\]^`{|},]/g, '\\$&').replace(/^[~#]/, '\\$&')
}

const NAMES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
  '\x1b': '\\E',
}
