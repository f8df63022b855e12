/** The separator between two commands. */
export type Separator = ';' | '|' | '|&' | '&&' | '||' | '&' | '\n'

/** Offsets in UTF-16 code units of the command line; `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface ShellWord extends Span {
  /** The text without quotes and escapes; expansions as written. */
  readonly text: string
  /**
   * `text` as a pattern, before the shell's expansions: a quoted character of `PATTERN_CHARS` has a backslash before it. A character
   * without a backslash is part of a glob, a brace or a tilde.
   */
  readonly pattern: string
  /** Offset in `text` of the first quoted or escaped part, which may be empty; undefined if nothing is quoted. */
  readonly quotedAt?: number
  /** Whether the word contains an expansion (`$x`, `$(...)`, a backtick, `<(...)`), so that the program receives another text. */
  readonly expands: boolean
}

export interface Assignment extends Span {
  readonly name: string
  readonly value: string
}

export type RedirectOperator = '<' | '>' | '>>' | '>|' | '<>' | '<&' | '>&' | '&>' | '&>>' | '<<' | '<<-' | '<<<'

export interface Redirection extends Span {
  readonly operator: RedirectOperator
  /** The descriptor as written: `2`, or `{name}`; undefined for the operator's default. */
  readonly fd?: string
  /** A file, a descriptor, the text of a here-string, or the delimiter of a heredoc. */
  readonly target: ShellWord
  /** Whether the redirection accesses no file: null devices, the shell's own streams, other descriptors, heredocs, here-strings. */
  readonly safe: boolean
}

export type ExpansionKind = 'backtick' | 'command' | 'parameter' | 'arithmetic' | 'process' | 'quote'

export interface Expansion extends Span {
  /** `quote`: `$'...'` and `$"..."`. */
  readonly kind: ExpansionKind
}

export type ConstructKind = 'subshell' | 'group' | 'function' | 'compound' | 'case' | 'array'

/** A construct beyond a list of simple commands. */
export interface Construct extends Span {
  readonly kind: ConstructKind
  /** The text as written: `(`, `{`, `if`, ... */
  readonly text: string
}

/** One simple command, without a reserved word before it (`then`, `!`). */
export interface ShellSegment extends Span {
  readonly assignments: readonly Assignment[]
  readonly words: readonly ShellWord[]
  readonly redirections: readonly Redirection[]
  /** The separator after the command; undefined at the end of the line. */
  readonly separator?: Separator
}

export interface ShellLine {
  readonly segments: readonly ShellSegment[]
  readonly expansions: readonly Expansion[]
  readonly constructs: readonly Construct[]
  /** The position and reason if the line cannot be parsed. `segments` does not include anything after it. */
  readonly unparsable?: { readonly at: number; readonly reason: string }
}

/** Characters with a meaning in patterns unless they are quoted. */
export const PATTERN_CHARS = '\\*?[]{},~!^'
