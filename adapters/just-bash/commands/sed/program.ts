import type { Regex } from '../shared/regex/regex.js'

export type Address =
  | { readonly kind: 'line'; readonly line: number }
  | { readonly kind: 'step'; readonly first: number; readonly step: number }
  | { readonly kind: 'last' }
  /** Undefined: the expression that was used last. */
  | { readonly kind: 'match'; readonly regex: Regex | undefined }
  /** As a second address: so many lines more, or up to a multiple. */
  | { readonly kind: 'plus'; readonly lines: number }
  | { readonly kind: 'multiple'; readonly of: number }

/** A part of what replaces a match: text, a group, or how case changes from here on. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'group'; readonly index: number }
  | { readonly kind: 'case'; readonly to: 'U' | 'L' | 'u' | 'l' | 'E' }

export interface Substitution {
  readonly regex: Regex | undefined
  readonly pieces: readonly Piece[]
  readonly all: boolean
  /** The first match that is replaced, from 1. */
  readonly from: number
  readonly print: boolean
  readonly file: string | undefined
}

export interface SedCommand {
  readonly first: Address | undefined
  readonly second: Address | undefined
  readonly negated: boolean
  readonly name: string
  /** Text of `a i c`, a label, or the name of a file. */
  readonly text: string
  readonly number: number | undefined
  readonly substitution: Substitution | undefined
  readonly map: ReadonlyMap<string, string> | undefined
  /** Where it jumps to: of `{` the command behind its `}`, of `b t T` that behind their label. */
  target: number
}

export interface Program {
  readonly commands: readonly SedCommand[]
  /** Begins with `#n`. */
  readonly quiet: boolean
}
