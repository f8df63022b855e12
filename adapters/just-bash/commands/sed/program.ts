import type { Regex } from '../shared/regex/regex.js'

export type Address =
  | { readonly kind: 'line'; readonly line: number }
  | { readonly kind: 'step'; readonly first: number; readonly step: number }
  | { readonly kind: 'last' }
  /** Undefined: the last regex that was used. */
  | { readonly kind: 'match'; readonly regex: Regex | undefined }
  /** Kinds of a second address. `plus`: this many further lines. `multiple`: up to the next multiple of this number. */
  | { readonly kind: 'plus'; readonly lines: number }
  | { readonly kind: 'multiple'; readonly of: number }

/** A part of a replacement: text, a group, or a case conversion that applies from here on. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'group'; readonly index: number }
  | { readonly kind: 'case'; readonly to: 'U' | 'L' | 'u' | 'l' | 'E' }

export interface Substitution {
  readonly regex: Regex | undefined
  readonly pieces: readonly Piece[]
  readonly all: boolean
  /** Number of the first match to replace, counted from 1. */
  readonly from: number
  readonly print: boolean
  readonly file: string | undefined
}

export interface SedCommand {
  readonly first: Address | undefined
  readonly second: Address | undefined
  readonly negated: boolean
  readonly name: string
  /** The text of `a`, `i` or `c`, a label, or a file name. */
  readonly text: string
  readonly number: number | undefined
  readonly substitution: Substitution | undefined
  readonly map: ReadonlyMap<string, string> | undefined
  /** Index of the jump target: for `{` the command after its `}`, for `b`, `t` and `T` the command after the label. */
  target: number
}

export interface Program {
  readonly commands: readonly SedCommand[]
  /** Whether the script starts with `#n`. */
  readonly quiet: boolean
}
