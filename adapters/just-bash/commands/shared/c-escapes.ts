/** What C, and GNU's programs, write for characters that cannot be seen. */
export const C_ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}
