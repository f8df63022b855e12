import { endOfBacktick, endOfNested } from './nested.js'
import type { Expansion } from './types.js'

export const UNTERMINATED = 'unterminated'

/** Parses the expansion at `at` (a `$` or a backtick); undefined if the character is literal. */
export function expansionAt(text: string, at: number, quoted: boolean): Expansion | typeof UNTERMINATED | undefined {
  const next = text[at + 1] ?? ''
  if (text[at] === '`') return found('backtick', at, endOfBacktick(text, at + 1))
  if (next === '(') return found(text[at + 2] === '(' ? 'arithmetic' : 'command', at, endOfNested(text, at + 2, ')'))
  if (next === '{') return found('parameter', at, endOfNested(text, at + 2, '}'))
  if (next === '[') return found('arithmetic', at, at + 2)
  if (/[A-Za-z_]/.test(next)) return found('parameter', at, endOfName(text, at + 1))
  if (/[0-9@*#?$!-]/.test(next)) return found('parameter', at, at + 2)
  // The content is parsed as ordinary text: its decoded value does not matter, because callers reject this construct.
  if (!quoted && (next === "'" || next === '"')) return found('quote', at, at + 1)
  return undefined
}

function found(kind: Expansion['kind'], start: number, end: number): Expansion | typeof UNTERMINATED {
  return end < 0 ? UNTERMINATED : { kind, start, end }
}

function endOfName(text: string, from: number): number {
  let end = from
  while (end < text.length && /\w/.test(text[end] as string)) end++
  return end
}
