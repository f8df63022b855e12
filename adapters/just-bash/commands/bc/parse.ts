import { Failure } from '../shared/failure.js'
import { type Argument, type Definition, type Expression, type Name, type Place, type Statement, SyntaxFault, type Unit } from './syntax.js'

interface Token {
  readonly text: string
  readonly line: number
}

const TOKEN = /[ \t\r]*(\n|;|"[^"]*"|[\dA-F]*\.?[\dA-F]+\.?|[a-z][a-z0-9_]*|\+\+|--|&&|\|\||[-+*/%^<>=!]=|[-+*/%^<>=!(){},.[\]])/y
const KEYWORDS = new Set([
  'if',
  'else',
  'while',
  'for',
  'define',
  'auto',
  'return',
  'break',
  'continue',
  'quit',
  'halt',
  'print',
  'read',
  'limits',
  'warranty',
])
const ASSIGNMENT = /^(?:[-+*/%^]=|=)$/
/** Maximum nesting depth, which prevents a stack overflow. */
const MAX_DEPTH = 300

/** Parses a program unit by unit. Reports invalid lines and skips them. */
export class Parser {
  readonly #tokens: readonly Token[]
  readonly #tell: (fault: SyntaxFault) => void
  #at = 0
  #start = 0
  #depth = 0

  constructor(text: string, tell: (fault: SyntaxFault) => void) {
    this.#tell = tell
    this.#tokens = tokensOf(text, tell)
  }

  /** Address that bc would print in a runtime error, approximated from the length of the last unit. */
  get address(): number {
    return this.#tokens.slice(this.#start, this.#at).reduce((sum, { text }) => sum + text.length, 0)
  }

  /** Returns the next unit, or undefined at the end of the program. */
  next(): Unit | undefined {
    for (;;) {
      while (this.#take('\n', ';'));
      if (this.#at >= this.#tokens.length) return undefined
      try {
        this.#depth = 0
        this.#start = this.#at
        return this.#unit()
      } catch (error) {
        if (!(error instanceof SyntaxFault)) throw error
        this.#tell(error)
        while (this.#at < this.#tokens.length && this.#peek() !== '\n') this.#at++
      }
    }
  }

  #unit(): Unit {
    if (this.#take('define')) return this.#definition()
    const statements: Statement[] = []
    for (;;) {
      while (this.#take(';'));
      if (this.#peek() === '\n') break
      if (this.#peek() === 'quit') return 'quit'
      // An incomplete last line is a syntax error. As in bc, none of its statements run.
      if (this.#peek() === '') throw this.#fault()
      statements.push(this.#statement())
      this.#endOfStatement()
    }
    return statements
  }

  #endOfStatement(): void {
    if (!['', ';', '\n', '}'].includes(this.#peek())) throw this.#fault()
  }

  #peek(ahead = 0): string {
    return this.#tokens[this.#at + ahead]?.text ?? ''
  }

  #fault(): SyntaxFault {
    return new SyntaxFault((this.#tokens[this.#at] ?? this.#tokens.at(-1))?.line ?? 1)
  }

  #take(...wanted: readonly string[]): string | undefined {
    const token = this.#peek()
    if (token === '' || !wanted.includes(token)) return undefined
    this.#at++
    return token
  }

  #need(wanted: string): void {
    if (!this.#take(wanted)) throw this.#fault()
  }

  #name(): string {
    const token = this.#peek()
    if (!/^[a-z]/.test(token) || KEYWORDS.has(token)) throw this.#fault()
    this.#at++
    return token
  }

  #definition(): Definition {
    if (this.#peek() === 'void') throw new Failure('"define void" is not supported here: leave "void" out')
    const name = this.#name()
    this.#need('(')
    const parameters = this.#take(')') ? [] : this.#names()
    if (parameters.length > 0) this.#need(')')
    while (this.#take('\n'));
    this.#need('{')
    while (this.#take('\n', ';'));
    const autos = this.#take('auto') ? this.#names() : []
    return { kind: 'define', name, parameters, autos, body: this.#untilBrace() }
  }

  #names(): Name[] {
    const names: Name[] = []
    do {
      if (this.#peek() === '*') throw new Failure('arrays by reference ("*name[]") are not supported here')
      const name = this.#name()
      const isArray = this.#take('[') !== undefined
      if (isArray) this.#need(']')
      names.push({ name, isArray })
    } while (this.#take(','))
    return names
  }

  #untilBrace(): Statement[] {
    const statements: Statement[] = []
    for (;;) {
      while (this.#take('\n', ';'));
      if (this.#take('}')) return statements
      statements.push(this.#statement())
      this.#endOfStatement()
    }
  }

  #statement(): Statement {
    if (++this.#depth > MAX_DEPTH) throw new Failure(`statements and parentheses are nested deeper than ${MAX_DEPTH}`)
    const statement = this.#anyStatement()
    this.#depth--
    return statement
  }

  #anyStatement(): Statement {
    const token = this.#peek()
    if (token.startsWith('"')) {
      this.#at++
      return { kind: 'text', text: token.slice(1, -1) }
    }
    if (KEYWORDS.has(token) || token === '{') {
      this.#at++
      return this.#keyword(token)
    }
    return { kind: 'expression', value: this.#or() }
  }

  #keyword(token: string): Statement {
    switch (token) {
      case '{':
        return { kind: 'block', body: this.#untilBrace() }
      case 'if':
        return this.#if()
      case 'while': {
        const condition = this.#inParentheses()
        return { kind: 'loop', first: undefined, condition, next: undefined, body: this.#body() }
      }
      case 'for':
        return this.#for()
      case 'print':
        return { kind: 'print', parts: this.#parts() }
      case 'return':
        return { kind: 'return', value: ['', ';', '\n', '}'].includes(this.#peek()) ? undefined : this.#or() }
      case 'break':
      case 'continue':
      case 'halt':
        return { kind: token }
      case 'read':
      case 'limits':
      case 'warranty':
        throw new Failure(`"${token}" is not supported here`)
      default:
        throw this.#fault()
    }
  }

  #inParentheses(): Expression {
    this.#need('(')
    const value = this.#or()
    this.#need(')')
    return value
  }

  #body(): Statement {
    while (this.#take('\n'));
    return this.#peek() === ';' ? { kind: 'block', body: [] } : this.#statement()
  }

  #if(): Statement {
    const condition = this.#inParentheses()
    const then = this.#body()
    const at = this.#at
    // Allows `if (x) y; else z`.
    this.#take(';')
    if (this.#take('else')) return { kind: 'if', condition, then, otherwise: this.#body() }
    this.#at = at
    return { kind: 'if', condition, then, otherwise: undefined }
  }

  #for(): Statement {
    this.#need('(')
    const first = this.#peek() === ';' ? undefined : this.#or()
    this.#need(';')
    const condition = this.#peek() === ';' ? undefined : this.#or()
    this.#need(';')
    const next = this.#peek() === ')' ? undefined : this.#or()
    this.#need(')')
    return { kind: 'loop', first, condition, next, body: this.#body() }
  }

  #parts(): (Expression | string)[] {
    const parts: (Expression | string)[] = []
    do {
      const token = this.#peek()
      if (token.startsWith('"')) {
        this.#at++
        parts.push(token.slice(1, -1))
      } else parts.push(this.#or())
    } while (this.#take(','))
    return parts
  }

  #or(): Expression {
    if (++this.#depth > MAX_DEPTH) throw new Failure(`statements and parentheses are nested deeper than ${MAX_DEPTH}`)
    const value = this.#binary(() => this.#binary(() => this.#not(), '&&'), '||')
    this.#depth--
    return value
  }

  #binary(operand: () => Expression, ...operators: readonly string[]): Expression {
    let left = operand()
    for (let operator = this.#take(...operators); operator; operator = this.#take(...operators)) {
      left = { kind: 'binary', operator, left, right: operand() }
    }
    return left
  }

  #not(): Expression {
    return this.#take('!') ? { kind: 'not', of: this.#not() } : this.#binary(() => this.#sum(), '<', '>', '<=', '>=', '==', '!=')
  }

  #sum(): Expression {
    return this.#binary(() => this.#binary(() => this.#power(), '*', '/', '%'), '+', '-')
  }

  /** Parses a power. `^` is right-associative and binds weaker than a sign: `-2^2` is 4. */
  #power(): Expression {
    const left = this.#signed()
    return this.#take('^') ? { kind: 'binary', operator: '^', left, right: this.#power() } : left
  }

  #signed(): Expression {
    if (this.#take('-')) return { kind: 'negative', of: this.#signed() }
    const step = this.#take('++', '--')
    if (!step) return this.#primary()
    return { kind: 'step', place: this.#place(this.#name()), operator: step[0] as '+' | '-', isBefore: true }
  }

  #primary(): Expression {
    const token = this.#peek()
    if (token === '(') return { kind: 'parentheses', of: this.#inParentheses() }
    if (/^[\dA-F]|^\.[\dA-F]/.test(token)) {
      this.#at++
      return { kind: 'number', text: token }
    }
    if (token === '.') {
      this.#at++
      return this.#used({ name: 'last' })
    }
    if (token === 'read' && this.#peek(1) === '(') throw new Failure('"read" is not supported here')
    const name = this.#name()
    return this.#peek() === '(' ? this.#call(name) : this.#used(this.#place(name))
  }

  #place(name: string): Place {
    if (!this.#take('[')) return { name }
    const index = this.#or()
    this.#need(']')
    return { name, index }
  }

  #used(place: Place): Expression {
    const token = this.#peek()
    if (ASSIGNMENT.test(token)) {
      this.#at++
      return { kind: 'set', place, operator: token, value: this.#sum() }
    }
    const step = this.#take('++', '--')
    return step ? { kind: 'step', place, operator: step[0] as '+' | '-', isBefore: false } : { kind: 'get', place }
  }

  #call(name: string): Expression {
    this.#need('(')
    const args: Argument[] = []
    if (!this.#take(')')) {
      do args.push(this.#argument())
      while (this.#take(','))
      this.#need(')')
    }
    return { kind: 'call', name, args }
  }

  #argument(): Argument {
    if (this.#peek(1) !== '[' || this.#peek(2) !== ']') return this.#or()
    const name = this.#name()
    this.#at += 2
    return { kind: 'array', name }
  }
}

function tokensOf(text: string, tell: (fault: SyntaxFault) => void): Token[] {
  const tokens: Token[] = []
  let [line, at] = [1, 0]
  while (at < text.length) {
    TOKEN.lastIndex = at
    const found = TOKEN.exec(text)
    if (found) {
      tokens.push({ text: found[1] as string, line })
      for (const char of found[1] as string) if (char === '\n') line++
      at = TOKEN.lastIndex
      continue
    }
    const rest = /^[ \t\r]*/.exec(text.slice(at, at + 1000))?.[0].length ?? 0
    at += rest
    if (at < text.length && rest === 0) {
      tell(new SyntaxFault(line, `illegal character: ${text[at]}`))
      at++
    }
  }
  return tokens
}
