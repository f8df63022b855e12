import { expand } from 'brace-expansion'
import { ShellScanner } from './shell-split/scanner.js'
import { PATTERN_CHARS, type ShellLine, type ShellWord } from './shell-split/types.js'

export type { Construct, Expansion, Redirection, ShellLine, ShellSegment, ShellWord } from './shell-split/types.js'

/**
 * Splits a command line of sh, bash or zsh into simple commands, as these shells do: at `;` `|` `|&` `&&` `||` `&` and newlines that are
 * not quoted, escaped, commented out or in a heredoc. Expands nothing. Takes linear time and never throws: text that these shells may parse
 * differently, or not at all, is `unparsable`.
 */
export function splitShell(command: string): ShellLine {
  const problem = unreadable(command)
  return problem ? { segments: [], expansions: [], constructs: [], unparsable: problem } : new ShellScanner(command).run()
}

/** Characters that shells drop, or treat as a blank or a letter depending on the locale. */
const ODD = /[^\P{Cc}\t\n]|[^\P{Z} ]|\ufeff|\p{Surrogate}/u
/** A line continuation directly after these characters would form another operator or an expansion. */
const SPLIT_OPERATOR = /[$<>&|(;{`]\\\n/

/** Finds characters that make every reading of the command line unreliable. */
function unreadable(command: string): { readonly at: number; readonly reason: string } | undefined {
  const odd = ODD.exec(command)
  if (odd) return { at: odd.index, reason: `it has ${nameOf(odd[0])}` }
  const split = SPLIT_OPERATOR.exec(command)
  return split ? { at: split.index, reason: `a backslash breaks the line right after "${split[0][0]}"` } : undefined
}

function nameOf(char: string): string {
  const code = char.charCodeAt(0)
  if (code === 0) return 'a NUL character'
  if (code === 13) return 'a carriage return'
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  if (code >= 0xd800 && code <= 0xdfff) return `a lone surrogate (${name})`
  return code < 32 || (code >= 127 && code < 160) ? `a control character (${name})` : `an unusual space (${name})`
}

const MAX_WORDS = 1000
const MAX_LENGTH = 10_000
/** The first placeholder for quoted characters, from the private use area. */
const FIRST_HIDDEN = 0xe000
const HIDDEN = /[\ue000-\ue01f]/

/**
 * Returns the patterns of a word after brace expansion (`a.{js,ts}`); most words have one. Shells without brace expansion use the word
 * unchanged. Undefined for more than 1,000 patterns, and if the expansion is uncertain.
 */
export function spreadWord({ pattern }: Pick<ShellWord, 'pattern'>): readonly string[] | undefined {
  if (!/(^|[^\\]|\\\\)\{/.test(pattern)) return [pattern]
  if (pattern.length > MAX_LENGTH || HIDDEN.test(pattern)) return undefined
  const hidden = pattern.replaceAll(/\\([\s\S])/g, (_, char: string) => String.fromCharCode(FIRST_HIDDEN + PATTERN_CHARS.indexOf(char)))
  const words = expand(hidden, { max: MAX_WORDS + 1 })
  if (words.length > MAX_WORDS) return undefined
  const shown = (char: string): string => `\\${PATTERN_CHARS[char.charCodeAt(0) - FIRST_HIDDEN]}`
  // Braces without an expansion leave the word unchanged.
  return words.length === 0 ? [pattern] : words.map((word) => word.replaceAll(new RegExp(HIDDEN, 'g'), shown))
}

/** Converts a pattern to text: removes the backslashes that mark quoted characters. */
export const toText = (pattern: string): string => pattern.replaceAll(/\\([\s\S])/g, '$1')

/** Whether a pattern has an unquoted `*`, `?` or `[`. */
export const globbed = (pattern: string): boolean => /[*?[]/.test(pattern.replaceAll(/\\[\s\S]/g, ''))
