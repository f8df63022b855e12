import { expand } from 'brace-expansion'
import { PATTERN_CHARS, type ShellWord } from './types.js'

const MAX_WORDS = 1000
const MAX_LENGTH = 10_000
/** One stand-in for each quoted character, from the private use area. */
const FIRST_HIDDEN = 0xe000
const HIDDEN = /[\ue000-\ue01f]/

/**
 * The patterns that a word stands for: one, or as many as its braces make (`a.{js,ts}`). Shells without braces take the word as it is.
 * Undefined for more than 1,000 or what cannot be told.
 */
export function spreadWord({ pattern }: Pick<ShellWord, 'pattern'>): readonly string[] | undefined {
  if (!/(^|[^\\]|\\\\)\{/.test(pattern)) return [pattern]
  if (pattern.length > MAX_LENGTH || HIDDEN.test(pattern)) return undefined
  const hidden = pattern.replaceAll(/\\([\s\S])/g, (_, char: string) => String.fromCharCode(FIRST_HIDDEN + PATTERN_CHARS.indexOf(char)))
  const words = expand(hidden, { max: MAX_WORDS + 1 })
  if (words.length > MAX_WORDS) return undefined
  const shown = (char: string): string => `\\${PATTERN_CHARS[char.charCodeAt(0) - FIRST_HIDDEN]}`
  // Braces that make nothing leave the word as it was.
  return words.length === 0 ? [pattern] : words.map((word) => word.replaceAll(new RegExp(HIDDEN, 'g'), shown))
}

/** A pattern as text: without the backslashes that mark what is quoted. */
export const toText = (pattern: string): string => pattern.replaceAll(/\\([\s\S])/g, '$1')

/** Whether a pattern has a `*`, `?` or `[` that is not quoted. */
export const globbed = (pattern: string): boolean => /[*?[]/.test(pattern.replaceAll(/\\[\s\S]/g, ''))
