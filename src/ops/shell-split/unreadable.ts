/** Characters that shells drop, or take for a blank in one locale and for a letter in another. */
const ODD = /[^\P{Cc}\t\n]|[^\P{Z} ]|\ufeff|\p{Surrogate}/u
/** A line that goes on right behind these would join into another operator or an expansion. */
const SPLIT_OPERATOR = /[$<>&|(;{`]\\\n/

/** What no reading of the command line can be trusted with. */
export function unreadable(command: string): { readonly at: number; readonly reason: string } | undefined {
  const odd = ODD.exec(command)
  if (odd) return { at: odd.index, reason: `it has ${nameOf(odd[0])}` }
  const split = SPLIT_OPERATOR.exec(command)
  return split ? { at: split.index, reason: `a backslash breaks the line right behind "${split[0][0]}"` } : undefined
}

function nameOf(char: string): string {
  const code = char.charCodeAt(0)
  if (code === 0) return 'a NUL character'
  if (code === 13) return 'a carriage return'
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  if (code >= 0xd800 && code <= 0xdfff) return `a lone surrogate (${name})`
  return code < 32 || (code >= 127 && code < 160) ? `a control character (${name})` : `an odd blank (${name})`
}
