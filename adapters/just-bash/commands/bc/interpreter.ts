import { Failure } from '../shared/failure.js'
import type { Pace } from '../shared/pace.js'
import {
  add,
  checked,
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
import { MATH } from './math.js'
import type { Argument, Definition, Expression, Name, Place, Statement, Unit } from './syntax.js'

const SPECIAL = new Set(['scale', 'ibase', 'obase', 'last'])
const MAX_CALLS = 1000
const MAX_ELEMENTS = 1_000_000
const MAX_SCALE = 10_000
const MAX_BASE = 1_000_000

type Outcome = 'next' | 'break' | 'continue' | 'return' | 'halt'
type Elements = Map<number, Decimal>

/** An error at run time. It ends the current unit. The program continues with the next unit. */
export class RuntimeFault extends Error {}

export interface InterpreterOptions {
  readonly scale: number
  /** Whether to provide the functions of `-l`. */
  readonly math: boolean
  readonly pace: Pace
  readonly print: (text: string) => void
  readonly warn: (text: string) => void
}

/** Runs a program unit by unit and keeps its variables. */
export class Interpreter {
  readonly #options: InterpreterOptions
  readonly #functions = new Map<string, Definition>()
  #variables = new Map<string, Decimal>()
  #arrays = new Map<string, Elements>()
  #scale: number
  #input = 10
  #output = 10
  #last: Decimal = ZERO
  #returned: Decimal = ZERO
  #calls = 0
  #elements = 0

  constructor(options: InterpreterOptions) {
    this.#options = options
    this.#scale = options.scale
  }

  /** Runs a unit. Resolves to whether the program ended. @throws {RuntimeFault}, {Failure} */
  async run(unit: Unit): Promise<boolean> {
    if (unit === 'quit') return true
    if ('kind' in unit) {
      this.#functions.set(unit.name, unit)
      return false
    }
    return (await this.#block(unit)) === 'halt'
  }

  async #block(statements: readonly Statement[]): Promise<Outcome> {
    for (const statement of statements) {
      const outcome = await this.#statement(statement)
      if (outcome !== 'next') return outcome
    }
    return 'next'
  }

  async #statement(statement: Statement): Promise<Outcome> {
    await this.#options.pace.turn(2)
    switch (statement.kind) {
      case 'expression': {
        const value = await this.#value(statement.value)
        if (statement.value.kind === 'set') return 'next'
        this.#options.print(`${this.#shown(value)}\n`)
        this.#last = value
        return 'next'
      }
      case 'text':
        this.#options.print(statement.text)
        return 'next'
      case 'print':
        for (const part of statement.parts)
          this.#options.print(typeof part === 'string' ? unescaped(part) : this.#shown(await this.#value(part)))
        return 'next'
      case 'block':
        return this.#block(statement.body)
      case 'if': {
        const branch = isTrue(await this.#value(statement.condition)) ? statement.then : statement.otherwise
        return branch ? this.#statement(branch) : 'next'
      }
      case 'loop':
        return this.#loop(statement)
      case 'return':
        this.#returned = statement.value ? await this.#value(statement.value) : ZERO
        return 'return'
      default:
        return statement.kind
    }
  }

  async #loop({ first, condition, next, body }: Extract<Statement, { kind: 'loop' }>): Promise<Outcome> {
    if (first) await this.#value(first)
    while (!condition || isTrue(await this.#value(condition))) {
      const outcome = await this.#statement(body)
      if (outcome === 'break') break
      if (outcome === 'return' || outcome === 'halt') return outcome
      if (next) await this.#value(next)
    }
    return 'next'
  }

  #shown(value: Decimal): string {
    return shown(value, this.#output)
  }

  async #value(expression: Expression): Promise<Decimal> {
    switch (expression.kind) {
      case 'number':
        return parseDecimal(expression.text, this.#input)
      case 'get':
        return this.#get(expression.place.name, await this.#index(expression.place))
      case 'set':
        return this.#assign(expression)
      case 'step': {
        const { place, operator, isBefore } = expression
        const index = await this.#index(place)
        const before = this.#get(place.name, index)
        const after = this.#set(place.name, index, this.#apply(operator, before, decimal(1n)))
        return isBefore ? after : before
      }
      case 'negative':
        return negated(await this.#value(expression.of))
      case 'not':
        return truth(!isTrue(await this.#value(expression.of)))
      case 'parentheses':
        return this.#value(expression.of)
      case 'call':
        return this.#call(expression.name, expression.args)
      default:
        return this.#binary(expression)
    }
  }

  async #binary({ operator, left, right }: Extract<Expression, { kind: 'binary' }>): Promise<Decimal> {
    const a = await this.#value(left)
    if (operator === '&&' && !isTrue(a)) return truth(false)
    if (operator === '||' && isTrue(a)) return truth(true)
    const b = await this.#value(right)
    if (operator === '&&' || operator === '||') return truth(isTrue(b))
    return /[<>=!]/.test(operator) ? truth(holds(operator, compare(a, b))) : this.#apply(operator, a, b)
  }

  async #assign({ place, operator, value }: Extract<Expression, { kind: 'set' }>): Promise<Decimal> {
    const index = await this.#index(place)
    const given = await this.#value(value)
    return this.#set(place.name, index, operator === '=' ? given : this.#apply(operator[0] as string, this.#get(place.name, index), given))
  }

  async #index({ name, index }: Place): Promise<number | undefined> {
    if (!index) return undefined
    const at = Number(rescaled(await this.#value(index), 0).units)
    if (at < 0 || at > 0xffffff) throw new RuntimeFault(`Array ${name} subscript out of bounds.`)
    return at
  }

  async #call(name: string, args: readonly Argument[]): Promise<Decimal> {
    const values: (Decimal | Elements)[] = []
    for (const arg of args) values.push(arg.kind === 'array' ? new Map(this.#arrays.get(arg.name)) : await this.#value(arg))
    const known = this.#functions.get(name)
    if (known) return this.#callDefined(known, values)
    const [value, second] = values
    if (value === undefined || value instanceof Map || second instanceof Map) throw new RuntimeFault(`Function ${name} not defined.`)
    if (name === 'sqrt') {
      if (value.units < 0n) throw new RuntimeFault('Square root of a negative number')
      return squareRoot(value, this.#scale)
    }
    if (name === 'scale') return decimal(BigInt(value.scale))
    if (name === 'length') return decimal(BigInt(Math.max(String(value.units).replace('-', '').length, value.scale)))
    const math = this.#options.math && Object.hasOwn(MATH, name) ? MATH[name] : undefined
    if (!math) throw new RuntimeFault(`Function ${name} not defined.`)
    if (values.length !== (name === 'j' ? 2 : 1)) throw new RuntimeFault(`Parameter number mismatch`)
    await this.#options.pace.turn(1000)
    return math(value, this.#scale, second ?? ZERO)
  }

  /** Calls a function. bc has dynamic scope: parameters and `auto` variables hide the caller's variables. */
  async #callDefined({ name, parameters, autos, body }: Definition, values: readonly (Decimal | Elements)[]): Promise<Decimal> {
    if (values.length !== parameters.length || parameters.some(({ isArray }, i) => isArray !== values[i] instanceof Map)) {
      throw new RuntimeFault(`Parameter number mismatch`)
    }
    if (++this.#calls > MAX_CALLS) throw new Failure(`function calls are nested deeper than ${MAX_CALLS}`)
    const kept = [...parameters, ...autos].map((each) => ({ ...each, value: this.#take(each) }))
    for (const [i, each] of parameters.entries()) this.#put(each, values[i])
    try {
      this.#returned = ZERO
      const outcome = await this.#block(body)
      if (outcome === 'halt') throw new Halted(name)
      return outcome === 'return' ? this.#returned : ZERO
    } finally {
      this.#calls--
      for (const each of kept.toReversed()) this.#put(each, each.value)
    }
  }

  #take({ name, isArray }: Name): Decimal | Elements | undefined {
    const value = isArray ? this.#arrays.get(name) : this.#variables.get(name)
    ;(isArray ? this.#arrays : this.#variables).delete(name)
    return value
  }

  #put({ name, isArray }: Name, value: Decimal | Elements | undefined): void {
    if (isArray) this.#arrays.set(name, (value as Elements | undefined) ?? new Map())
    else this.#variables.set(name, (value as Decimal | undefined) ?? ZERO)
  }

  #apply(operator: string, a: Decimal, b: Decimal): Decimal {
    switch (operator) {
      case '+':
        return checked(add(a, b))
      case '-':
        return checked(add(a, negated(b)))
      case '*':
        return checked(multiply(a, b, this.#scale))
      case '/':
        return checked(divide(a, b, this.#scale))
      case '%':
        return modulo(a, b, this.#scale)
      default:
        return raise(a, b, this.#scale)
    }
  }

  #get(name: string, index: number | undefined): Decimal {
    if (index !== undefined) return this.#arrays.get(name)?.get(index) ?? ZERO
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

  #set(name: string, index: number | undefined, value: Decimal): Decimal {
    if (index !== undefined) this.#setElement(name, index, value)
    else if (!SPECIAL.has(name)) this.#variables.set(name, value)
    else if (name === 'last') this.#last = value
    else {
      const whole = Number(rescaled(value, 0).units)
      if (name === 'scale') this.#scale = this.#within(name, whole, 0, MAX_SCALE)
      else if (name === 'ibase') this.#input = this.#within(name, whole, 2, 16)
      else this.#output = this.#within(name, whole, 2, MAX_BASE)
    }
    return value
  }

  #setElement(name: string, index: number, value: Decimal): void {
    const elements = this.#arrays.get(name) ?? new Map<number, Decimal>()
    this.#arrays.set(name, elements)
    if (!elements.has(index) && ++this.#elements > MAX_ELEMENTS)
      throw new Failure(`more than ${MAX_ELEMENTS} array elements are not supported here`)
    elements.set(index, value)
  }

  #within(name: string, value: number, least: number, most: number): number {
    if (value < least) this.#options.warn(`${name} too small, set to ${least}`)
    if (value > most) this.#options.warn(`${name} too large, set to ${most}`)
    return Math.max(least, Math.min(most, value))
  }
}

/** Thrown by `halt` in a function. */
export class Halted extends Error {}

const isTrue = ({ units }: Decimal): boolean => units !== 0n
const truth = (is: boolean): Decimal => decimal(is ? 1n : 0n)

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

const ESCAPES: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', q: '"', r: '\r', t: '\t', '\\': '\\' }

const unescaped = (text: string): string => text.replace(/\\(.)/g, (all, letter: string) => ESCAPES[letter] ?? all)
