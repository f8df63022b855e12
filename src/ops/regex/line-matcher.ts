import type { Span } from './span.js'

export interface PatternOptions {
  /** Search for the pattern as literal text. Default false. */
  readonly literal?: boolean
  /** Ignore case. Default false. */
  readonly ignoreCase?: boolean
  /** Allow a match across several lines. Default false: each line is searched separately. */
  readonly multiline?: boolean
}

/** Finds matches in a text. Searches are synchronous and keep no state between calls except `end`. */
export interface LineMatcher {
  readonly engine: 'literal' | 'native' | 're2'
  readonly multiline: boolean
  /** Text that every match contains. If a file does not contain this text, it needs no search. */
  readonly required: string | undefined
  /**
   * Whether the pattern contains carriage returns, so that `\r
   * ` must not be treated as one line break.
   */
  readonly seesReturns: boolean
  /** The maximum extent of a match. */
  readonly span: Span
  /** Maximum characters per call of `search`, so that a call takes a few milliseconds. */
  readonly slice: number
  /** Maximum length of a line, so that its search takes some tens of milliseconds: no engine can stop within a line. */
  readonly longestLine: number
  /**
   * Maximum total number of characters after the start positions of all searches in one step, because each search may read up to the end.
   */
  readonly reach: number
  /**
   * Returns the start of the first match at or after `from`, or -1. Without `multiline`, `from` must be the start of a line, and the match
   * is the leftmost one in the first line that matches. An empty match after a final line break does not count.
   */
  search(text: string, from: number): number
  /** The end of the last match that `search` returned. Valid only with `multiline`. */
  readonly end: number
}
