import { Failure } from '../failure.js'
import {
  add,
  compare,
  type Decimal,
  decimal,
  divide,
  modulo,
  multiply,
  negated,
  parseDecimal,
  raise,
  rescaled,
  shown,
  squareRoot,
  ZERO,
} from './decimal.js'

const TOKEN = /\s*(\n|;|[\dA-F]*\.?[\dA-F]+\.?|[a-z][a-z0-9_]*|"[^"]*"|\+\+|--|&&|\|\||[-+*/%^<>=!]=|[-+*/%^<>=!(){},.[\]])/y
/** What is programming: awk does it better. */
const STATEMENTS = new Set([
  'if',
  'else',
  'while',
  'for',
  'define',
  'auto',
  'return',
  'break',
  'continue',
  'read',
  'halt',
  'limits',
  'warranty',
])
const SPECIAL = new Set(['scale', 'ibase', 'obase', 'last'])

export class SyntaxFault extends Error {
  readonly line: number

  constructor(line: number, message = 'syntax error') {
    super(message)
    this.line = line
  }
}

/** What a program's lines print; its variables last as long as it. */
export class Interpreter {
  readonly #variables = new Map<string, Decimal>()
  #scale: number
  #input = 10
  #output = 10
  #last: Decimal = ZERO
  #tokens: readonly string[] = []
  #at = 0

  constructor(scale: number) {
    this.#scale = scale
  }

  /** Prints through `print`. Gives whether the program ended with `quit`. @throws {SyntaxFault}, {Failure}, and what arithmetic throws */
  run(line: string, number: number, print: (text: string) => void): boolean {
    this.#tokens = tokensOf(line, number)
    this.#at = 0
    // Seen while the line is still being read: nothing of it runs.
    if (this.#tokens.includes('quit')) return true
    while (this.#at < this.#tokens.length) this.#statement(number, print)
    return false
  }

  #statement(number: number, print: (text: string) => void): void {
    const token = this.#peek()
    if (token === ';' || token === '\n') {
      this.#at++
      return
    }
    if (STATEMENTS.has(token) || token === '{') throw new Failure(`(standard_in) ${number}: "${token}" is not supported here: use awk`)
    if (token === 'print') this.#print(print)
    else if (token.startsWith('"')) {
      this.#at++
      print(token.slice(1, -1))
    } else {
      const isAssignment = /^[a-z]/.test(token) && /^(?:[-+*/%^]=|=)$/.test(this.#tokens[this.#at + 1] ?? '')
      const value = this.#or()
      if (!isAssignment) {
        print(`${shown(value, this.#output)}\n`)
        this.#last = value
      }
    }
    const end = this.#peek()
    if (end !== '' && end !== ';' && end !== '\n') throw new SyntaxFault(number)
  }

  #print(print: (text: string) => void): void {
    do {
      this.#at++
      const token = this.#peek()
      if (token.startsWith('"')) {
        this.#at++
        print(token.slice(1, -1).replaceAll('\\n', '\n').replaceAll('\\t', '\t').replaceAll('\\q', '"').replaceAll('\\\\', '\\'))
      } else print(shown(this.#or(), this.#output))
    } while (this.#peek() === ',')
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? ''
  }

  #take(...wanted: readonly string[]): string | undefined {
    const token = this.#peek()
    if (!wanted.includes(token)) return undefined
    this.#at++
    return token
  }

  #or(): Decimal {
    let left = this.#and()
    while (this.#take('||')) {
      const right = this.#and()
      left = truth(left.units !== 0n || right.units !== 0n)
    }
    return left
  }

  #and(): Decimal {
    let left = this.#not()
    while (this.#take('&&')) {
      const right = this.#not()
      left = truth(left.units !== 0n && right.units !== 0n)
    }
    return left
  }

  #not(): Decimal {
    return this.#take('!') ? truth(this.#not().units === 0n) : this.#relation()
  }

  #relation(): Decimal {
    let left = this.#assignment()
    for (let operator = this.#take('<', '>', '<=', '>=', '==', '!='); operator; operator = this.#take('<', '>', '<=', '>=', '==', '!=')) {
      const order = compare(left, this.#assignment())
      left = truth(holds(operator, order))
    }
    return left
  }

  #assignment(): Decimal {
    const name = this.#peek()
    const operator = this.#tokens[this.#at + 1] ?? ''
    if (!/^[a-z]/.test(name) || !/^(?:[-+*/%^]=|=)$/.test(operator)) return this.#sum()
    this.#at += 2
    const value = this.#assignment()
    return this.#set(name, operator === '=' ? value : this.#apply(operator[0] as string, this.#get(name), value))
  }

  #sum(): Decimal {
    let left = this.#product()
    for (let operator = this.#take('+', '-'); operator; operator = this.#take('+', '-')) left = this.#apply(operator, left, this.#product())
    return left
  }

  #product(): Decimal {
    let left = this.#power()
    for (let operator = this.#take('*', '/', '%'); operator; operator = this.#take('*', '/', '%')) {
      left = this.#apply(operator, left, this.#power())
    }
    return left
  }

  /** To the right, and after the sign: `-2^2` is 4. */
  #power(): Decimal {
    const base = this.#signed()
    return this.#take('^') ? this.#apply('^', base, this.#power()) : base
  }

  #signed(): Decimal {
    if (this.#take('-')) return negated(this.#signed())
    const step = this.#take('++', '--')
    if (step) {
      const name = this.#peek()
      if (!/^[a-z]/.test(name)) throw new SyntaxFault(1)
      this.#at++
      return this.#set(name, this.#apply(step[0] as string, this.#get(name), decimal(1n)))
    }
    return this.#primary()
  }

  #primary(): Decimal {
    const token = this.#peek()
    this.#at++
    if (token === '(') {
      const value = this.#or()
      if (!this.#take(')')) throw new SyntaxFault(1)
      return value
    }
    if (token === '.') return this.#last
    if (/^[\dA-F.]/.test(token)) return parseDecimal(token, this.#input)
    if (!/^[a-z]/.test(token)) throw new SyntaxFault(1)
    if (this.#take('(')) return this.#call(token)
    const value = this.#get(token)
    const step = this.#take('++', '--')
    if (step) this.#set(token, this.#apply(step[0] as string, value, decimal(1n)))
    return value
  }

  #call(name: string): Decimal {
    const value = this.#or()
    if (!this.#take(')')) throw new SyntaxFault(1)
    if (name === 'sqrt') return squareRoot(value, this.#scale)
    if (name === 'scale') return decimal(BigInt(value.scale))
    if (name === 'length') return decimal(BigInt(Math.max(String(value.units).replace('-', '').length, value.scale)))
    throw new Failure(`Runtime error (func=(main), adr=0): Function ${name} not defined.`)
  }

  #apply(operator: string, a: Decimal, b: Decimal): Decimal {
    switch (operator) {
      case '+':
        return add(a, b)
      case '-':
        return add(a, negated(b))
      case '*':
        return multiply(a, b, this.#scale)
      case '/':
        return divide(a, b, this.#scale)
      case '%':
        return modulo(a, b, this.#scale)
      default:
        return raise(a, b, this.#scale)
    }
  }

  #get(name: string): Decimal {
    switch (name) {
      case 'scale':
        return decimal(BigInt(this.#scale))
      case 'ibase':
        return decimal(BigInt(this.#input))
      case 'obase':
        return decimal(BigInt(this.#output))
      case 'last':
        return this.#last
      default:
        return this.#variables.get(name) ?? ZERO
    }
  }

  #set(name: string, value: Decimal): Decimal {
    const whole = Number(rescaled(value, 0).units)
    if (!SPECIAL.has(name)) this.#variables.set(name, value)
    else if (name === 'scale') this.#scale = inRange(name, whole, 0, 10_000)
    else if (name === 'ibase') this.#input = inRange(name, whole, 2, 16)
    else if (name === 'obase') this.#output = inRange(name, whole, 2, 16)
    else this.#last = value
    return value
  }
}

function inRange(name: string, value: number, least: number, most: number): number {
  if (value < least || value > most) throw new Failure(`${name} is ${least} to ${most} here`)
  return value
}

const truth = (holds: boolean): Decimal => decimal(holds ? 1n : 0n)

function holds(operator: string, order: number): boolean {
  const by: Readonly<Record<string, boolean>> = {
    '<': order < 0,
    '>': order > 0,
    '<=': order <= 0,
    '>=': order >= 0,
    '==': order === 0,
    '!=': order !== 0,
  }
  return by[operator] ?? false
}

function tokensOf(line: string, number: number): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < line.length) {
    const from = TOKEN.lastIndex
    const found = TOKEN.exec(line)
    if (!found) {
      if (/^\s*(?:#.*)?$/.test(line.slice(from))) break
      throw new SyntaxFault(number, 'illegal character or syntax error')
    }
    tokens.push(found[1] as string)
  }
  return tokens
}
