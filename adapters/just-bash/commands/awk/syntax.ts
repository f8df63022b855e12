export type Expr =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'regex'; readonly source: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'field'; readonly at: Expr }
  | { readonly kind: 'index'; readonly array: string; readonly keys: readonly Expr[] }
  | { readonly kind: 'assign'; readonly op: string; readonly target: Target; readonly value: Expr }
  | { readonly kind: 'step'; readonly by: 1 | -1; readonly before: boolean; readonly target: Target }
  | { readonly kind: 'unary'; readonly op: '!' | '-' | '+'; readonly value: Expr }
  | { readonly kind: 'binary'; readonly op: string; readonly left: Expr; readonly right: Expr }
  | { readonly kind: 'choice'; readonly test: Expr; readonly then: Expr; readonly otherwise: Expr }
  | { readonly kind: 'match'; readonly negated: boolean; readonly text: Expr; readonly regex: Expr }
  | { readonly kind: 'in'; readonly keys: readonly Expr[]; readonly array: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expr[] }
  | { readonly kind: 'builtin'; readonly name: string; readonly args: readonly Expr[] }
  | {
      readonly kind: 'getline'
      readonly from: 'main' | 'file' | 'command'
      readonly source: Expr | undefined
      readonly target: Target | undefined
    }
  | { readonly kind: 'group'; readonly inner: Expr }
  /** `(a, b)`, allowed only before `in` and after `print`. */
  | { readonly kind: 'list'; readonly items: readonly Expr[] }

export type Target = Extract<Expr, { kind: 'name' | 'field' | 'index' }>

export type Stmt =
  | { readonly kind: 'block'; readonly body: readonly Stmt[] }
  | { readonly kind: 'expr'; readonly value: Expr }
  | { readonly kind: 'print'; readonly args: readonly Expr[]; readonly format: boolean; readonly to: Redirect | undefined }
  | { readonly kind: 'if'; readonly test: Expr; readonly then: Stmt; readonly otherwise: Stmt | undefined }
  | { readonly kind: 'while'; readonly test: Expr; readonly body: Stmt }
  | { readonly kind: 'do'; readonly test: Expr; readonly body: Stmt }
  | {
      readonly kind: 'for'
      readonly init: Stmt | undefined
      readonly test: Expr | undefined
      readonly step: Stmt | undefined
      readonly body: Stmt
    }
  | { readonly kind: 'forIn'; readonly name: string; readonly array: string; readonly body: Stmt }
  | { readonly kind: 'next' | 'nextfile' | 'break' | 'continue' }
  | { readonly kind: 'exit' | 'return'; readonly value: Expr | undefined }
  | { readonly kind: 'delete'; readonly array: string; readonly keys: readonly Expr[] | undefined }

export interface Redirect {
  readonly how: '>' | '>>' | '|'
  readonly target: Expr
}

export interface FunctionDef {
  readonly name: string
  readonly params: readonly string[]
  readonly body: Stmt
}

export interface Rule {
  readonly when: 'begin' | 'end' | 'record'
  readonly test: Expr | undefined
  /** The end condition of a range pattern. */
  readonly until: Expr | undefined
  /** Statements of the rule, or undefined if the rule prints the record. */
  readonly body: Stmt | undefined
}

export interface AwkProgram {
  readonly rules: readonly Rule[]
  readonly functions: ReadonlyMap<string, FunctionDef>
}

/** Built-in functions with their minimum and maximum number of arguments. */
export const BUILTINS: Readonly<Record<string, readonly [number, number]>> = {
  length: [0, 1],
  substr: [2, 3],
  index: [2, 2],
  split: [2, 4],
  sub: [2, 3],
  gsub: [2, 3],
  gensub: [3, 4],
  match: [2, 3],
  sprintf: [1, Number.POSITIVE_INFINITY],
  sin: [1, 1],
  cos: [1, 1],
  atan2: [2, 2],
  exp: [1, 1],
  log: [1, 1],
  sqrt: [1, 1],
  int: [1, 1],
  rand: [0, 0],
  srand: [0, 1],
  tolower: [1, 1],
  toupper: [1, 1],
  system: [1, 1],
  close: [1, 2],
  fflush: [0, 1],
  systime: [0, 0],
  strftime: [0, 3],
  mktime: [1, 2],
  and: [2, Number.POSITIVE_INFINITY],
  or: [2, Number.POSITIVE_INFINITY],
  xor: [2, Number.POSITIVE_INFINITY],
  lshift: [2, 2],
  rshift: [2, 2],
  compl: [1, 1],
  strtonum: [1, 1],
  asort: [1, 2],
  asorti: [1, 2],
}

/** Positions of array arguments of built-in functions. */
export const ARRAY_ARGS: Readonly<Record<string, readonly number[]>> = { split: [1, 3], asort: [0, 1], asorti: [0, 1], match: [2] }
