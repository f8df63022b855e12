/** What stands between two commands. */
export type Separator = ';' | '|' | '|&' | '&&' | '||' | '&' | '\n'

/** Offsets are UTF-16 code units into the command line; `end` is behind the last. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface ShellWord extends Span {
  /** Quotes and escapes removed; expansions as they are written. */
  readonly text: string
  /**
   * `text` as the shell goes on to expand it: a character of `PATTERN_CHARS` that was quoted has a backslash before it, one without
   * is a glob, a brace or a tilde.
   */
  readonly pattern: string
  /** Where in `text` the first quoted or escaped part begins (also an empty one); undefined: nothing is quoted. */
  readonly quotedAt?: number
  /** It has an expansion (`$x`, `$(...)`, a backtick, `<(...)`), so `text` is not what the program gets. */
  readonly expands: boolean
}

export interface Assignment extends Span {
  readonly name: string
  readonly value: string
}

export type RedirectOperator = '<' | '>' | '>>' | '>|' | '<>' | '<&' | '>&' | '&>' | '&>>' | '<<' | '<<-' | '<<<'

export interface Redirection extends Span {
  readonly operator: RedirectOperator
  /** As written: `2`, or `{name}`; undefined: the operator's own. */
  readonly fd?: string
  /** A file, a descriptor, the text of a here-string, or the delimiter of a heredoc. */
  readonly target: ShellWord
  /** It touches no file: null devices, the shell's own streams, other descriptors, heredocs, here-strings. */
  readonly safe: boolean
}

export type ExpansionKind = 'backtick' | 'command' | 'parameter' | 'arithmetic' | 'process' | 'quote'

export interface Expansion extends Span {
  /** `quote` is `$'...'` and `$"..."`. */
  readonly kind: ExpansionKind
}

export type ConstructKind = 'subshell' | 'group' | 'function' | 'compound' | 'case' | 'array'

/** What makes the line more than a list of simple commands. */
export interface Construct extends Span {
  readonly kind: ConstructKind
  /** As written: `(`, `{`, `if`, ... */
  readonly text: string
}

/** One simple command. A reserved word before it (`then`, `!`) is left out. */
export interface ShellSegment extends Span {
  readonly assignments: readonly Assignment[]
  readonly words: readonly ShellWord[]
  readonly redirections: readonly Redirection[]
  /** What ends it; undefined at the end of the line. */
  readonly separator?: Separator
}

export interface ShellLine {
  readonly segments: readonly ShellSegment[]
  readonly expansions: readonly Expansion[]
  readonly constructs: readonly Construct[]
  /** It could not be understood here; what comes later is not in `segments`. */
  readonly unparsable?: { readonly at: number; readonly reason: string }
}

/** Characters that mean something in a pattern unless they are quoted. */
export const PATTERN_CHARS = '\\*?[]{},~!^'
