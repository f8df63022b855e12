/** An assignable place: a variable, an array element, or `scale`, `ibase`, `obase` or `last`. */
export interface Place {
  readonly name: string
  readonly index?: Expression
}

export type Expression =
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'get'; readonly place: Place }
  | { readonly kind: 'set'; readonly place: Place; readonly operator: string; readonly value: Expression }
  | { readonly kind: 'step'; readonly place: Place; readonly operator: '+' | '-'; readonly isBefore: boolean }
  | { readonly kind: 'negative' | 'not' | 'parentheses'; readonly of: Expression }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Argument[] }

/** An argument: an expression, or a whole array. */
export type Argument = Expression | { readonly kind: 'array'; readonly name: string }

export type Statement =
  | { readonly kind: 'expression'; readonly value: Expression }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly parts: readonly (Expression | string)[] }
  | { readonly kind: 'block'; readonly body: readonly Statement[] }
  | { readonly kind: 'if'; readonly condition: Expression; readonly then: Statement; readonly otherwise: Statement | undefined }
  | {
      readonly kind: 'loop'
      readonly first: Expression | undefined
      readonly condition: Expression | undefined
      readonly next: Expression | undefined
      readonly body: Statement
    }
  | { readonly kind: 'return'; readonly value: Expression | undefined }
  | { readonly kind: 'break' | 'continue' | 'halt' }

export interface Name {
  readonly name: string
  readonly isArray: boolean
}

export interface Definition {
  readonly kind: 'define'
  readonly name: string
  readonly parameters: readonly Name[]
  readonly autos: readonly Name[]
  readonly body: readonly Statement[]
}

/** A unit that bc parses before it runs anything: a line, or several lines while braces are open. */
export type Unit = readonly Statement[] | Definition | 'quit'

export class SyntaxFault extends Error {
  readonly line: number

  constructor(line: number, message = 'syntax error') {
    super(message)
    this.line = line
  }
}
