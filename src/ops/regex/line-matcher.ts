import type { Span } from './span.js'

export interface PatternOptions {
  /** The pattern is text to be found as it stands. Default false. */
  readonly literal?: boolean
  /** Default false. */
  readonly ignoreCase?: boolean
  /** A match may go over several lines. Default false: every line is searched on its own. */
  readonly multiline?: boolean
}

/** Finds matches in a text. Searches are synchronous and keep nothing but `end` between two calls. */
export interface LineMatcher {
  readonly engine: 'literal' | 'native' | 're2'
  readonly multiline: boolean
  /** Text that every match holds: where it is absent nothing has to be searched. */
  readonly required: string | undefined
  /** The pattern names carriage returns, so `\r\n` is not to be read as one line break. */
  readonly seesReturns: boolean
  /** How far a match may go. */
  readonly span: Span
  /** How many characters one call of `search` should be given at the most so that it takes a few milliseconds. */
  readonly slice: number
  /** Characters of the longest line that it searches in some tens of milliseconds: no engine can stop inside one. */
  readonly longestLine: number
  /** How many characters the searches of one step may have before them, all together: each may read them to the end. */
  readonly reach: number
  /**
   * Where the first match at or after `from` begins, or -1. By lines (`multiline` off), `from` has to be the beginning of a line and the
   * match is the leftmost one of the first line that has any. A match without characters behind a final line break is not a match.
   */
  search(text: string, from: number): number
  /** Where the match last found ends. Meaningful with `multiline` only. */
  readonly end: number
}
