import { Failure } from '../shared/failure.js'
import { BUILTINS, type Expr, type Target } from './syntax.js'
import type { TokenStream } from './token-stream.js'

const ASSIGN = new Set(['=', '+=', '-=', '*=', '/=', '%=', '^='])
const COMPARE = new Set(['<', '<=', '==', '!=', '>', '>='])

/** Recursive-descent parser for expressions, with a method per precedence level, from the lowest to the highest. */
export class ExpressionParser {
  readonly #tokens: TokenStream
  /** Whether `>` redirects the output of `print` instead of comparing. */
  noGreater = false

  constructor(tokens: TokenStream) {
    this.#tokens = tokens
  }

  list(): Expr[] {
    const items = [this.expr()]
    while (this.#tokens.takes(',')) {
      this.#tokens.skipNewlines()
      items.push(this.expr())
    }
    return items
  }

  /** Parses an expression, or a list such as `(a, b)` in `print (a, b)` and `(a, b) in c`. */
  exprOrList(): Expr {
    return this.expr(true)
  }

  expr(mayBeList = false): Expr {
    return this.#assignment(mayBeList)
  }

  #assignment(mayBeList: boolean): Expr {
    const left = this.#choice(mayBeList)
    const { kind, text } = this.#tokens.token
    if (kind !== 'op' || !ASSIGN.has(text)) return left
    const found = assignable(left)
    if (!found) return left
    this.#tokens.at++
    this.#tokens.skipNewlines()
    const value = this.#assignment(false)
    return found.rebuild({ kind: 'assign', op: text.slice(0, -1), target: found.target, value })
  }

  #choice(mayBeList: boolean): Expr {
    const test = this.#or(mayBeList)
    if (!this.#tokens.takes('?')) return test
    this.#tokens.skipNewlines()
    const then = this.#assignment(false)
    this.#tokens.skipNewlines()
    this.#tokens.expect(':')
    this.#tokens.skipNewlines()
    return { kind: 'choice', test, then, otherwise: this.#assignment(false) }
  }

  #or(mayBeList: boolean): Expr {
    let left = this.#and(mayBeList)
    while (this.#tokens.takes('||')) {
      this.#tokens.skipNewlines()
      left = { kind: 'binary', op: '||', left, right: this.#and(false) }
    }
    return left
  }

  #and(mayBeList: boolean): Expr {
    let left = this.#in(mayBeList)
    while (this.#tokens.takes('&&')) {
      this.#tokens.skipNewlines()
      left = { kind: 'binary', op: '&&', left, right: this.#in(false) }
    }
    return left
  }

  #in(mayBeList: boolean): Expr {
    let left = this.#match(mayBeList)
    while (this.#tokens.takes('in')) {
      const keys = left.kind === 'list' ? left.items : [left]
      left = { kind: 'in', keys, array: this.#tokens.name() }
    }
    return left
  }

  #match(mayBeList: boolean): Expr {
    let left = this.#comparison(mayBeList)
    for (;;) {
      const negated = this.#tokens.sees('!~')
      if (!negated && !this.#tokens.sees('~')) return left
      this.#tokens.at++
      left = { kind: 'match', negated, text: left, regex: this.#comparison(false) }
    }
  }

  #comparison(mayBeList: boolean): Expr {
    let left = this.concat(mayBeList)
    for (;;) {
      const { kind, text } = this.#tokens.token
      if (kind === 'op' && text === '|' && this.#tokens.peek(1)?.text === 'getline') {
        this.#tokens.at += 2
        left = { kind: 'getline', from: 'command', source: left, target: this.#optionalTarget() }
        continue
      }
      if (kind !== 'op' || !COMPARE.has(text) || (text === '>' && this.noGreater)) return left
      this.#tokens.at++
      left = { kind: 'binary', op: text, left, right: this.concat() }
    }
  }

  concat(mayBeList = false): Expr {
    let left = this.#sum(mayBeList)
    while (this.#beginsValue()) left = { kind: 'binary', op: ' ', left, right: this.#sum(false) }
    return left
  }

  #beginsValue(): boolean {
    const { kind, text } = this.#tokens.token
    if (kind === 'number' || kind === 'string' || kind === 'name' || kind === 'call' || kind === 'regex') return true
    if (kind === 'op') return text === '$' || text === '(' || text === '-' || text === '+' || text === '++' || text === '--'
    return false
  }

  #sum(mayBeList: boolean): Expr {
    let left = this.#product(mayBeList)
    while (this.#tokens.sees('+') || this.#tokens.sees('-'))
      left = { kind: 'binary', op: this.#tokens.next().text, left, right: this.#product(false) }
    return left
  }

  #product(mayBeList: boolean): Expr {
    let left = this.#unary(mayBeList)
    while (this.#tokens.sees('*') || this.#tokens.sees('/') || this.#tokens.sees('%'))
      left = { kind: 'binary', op: this.#tokens.next().text, left, right: this.#unary(false) }
    return left
  }

  #unary(mayBeList: boolean): Expr {
    const { kind, text } = this.#tokens.token
    if (kind !== 'op' || (text !== '!' && text !== '-' && text !== '+')) return this.#power(mayBeList)
    this.#tokens.at++
    return { kind: 'unary', op: text, value: this.#unary(false) }
  }

  #power(mayBeList: boolean): Expr {
    const base = this.#postfix(mayBeList)
    if (!this.#tokens.takes('^')) return base
    // `^` is right-associative and binds tighter than a sign before its base.
    const sign = this.#tokens.sees('-') || this.#tokens.sees('+') || this.#tokens.sees('!')
    return { kind: 'binary', op: '^', left: base, right: sign ? this.#unary(false) : this.#power(false) }
  }

  #postfix(mayBeList: boolean): Expr {
    const value = this.#primary(mayBeList)
    if (!isTarget(value)) return value
    if (this.#tokens.takes('++')) return { kind: 'step', by: 1, before: false, target: value }
    return this.#tokens.takes('--') ? { kind: 'step', by: -1, before: false, target: value } : value
  }

  #primary(mayBeList: boolean): Expr {
    const { kind, text } = this.#tokens.next()
    switch (kind) {
      case 'number':
        // Like gawk, reads a leading 0 in the program text as octal.
        return { kind: 'number', value: /^0[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number(text) }
      case 'string':
        return { kind: 'string', value: text }
      case 'regex':
        return { kind: 'regex', source: text }
      case 'name':
        if (text in BUILTINS) return this.#builtin(text)
        return this.#tokens.takes('[') ? { kind: 'index', array: text, keys: this.keys() } : { kind: 'name', name: text }
      case 'call':
        return text in BUILTINS ? this.#builtin(text) : { kind: 'call', name: text, args: this.#args() }
      case 'word':
        if (text === 'getline') return this.#getline()
        throw this.#tokens.unexpected(-1)
      case 'op':
        return this.#operator(text, mayBeList)
      default:
        throw this.#tokens.unexpected(-1)
    }
  }

  #operator(text: string, mayBeList: boolean): Expr {
    if (text === '$') {
      const sign =
        this.#tokens.sees('++') || this.#tokens.sees('--') || this.#tokens.sees('-') || this.#tokens.sees('+') || this.#tokens.sees('!')
      return { kind: 'field', at: sign ? this.#unaryOfField() : this.#primary(false) }
    }
    if (text === '++' || text === '--') {
      const target = this.#primary(false)
      if (!isTarget(target)) throw this.#tokens.unexpected(-1)
      return { kind: 'step', by: text === '++' ? 1 : -1, before: true, target }
    }
    if (text === '-' || text === '+' || text === '!') return { kind: 'unary', op: text, value: this.#unary(false) }
    if (text !== '(') throw this.#tokens.unexpected(-1)
    const { noGreater } = this
    this.noGreater = false
    this.#tokens.skipNewlines()
    const items = this.list()
    this.#tokens.skipNewlines()
    this.#tokens.expect(')')
    this.noGreater = noGreater
    if (items.length === 1) return { kind: 'group', inner: items[0] as Expr }
    if (!mayBeList && !this.#tokens.sees('in')) throw this.#tokens.unexpected()
    return { kind: 'list', items }
  }

  #unaryOfField(): Expr {
    const { text } = this.#tokens.next()
    return this.#operator(text, false)
  }

  #getline(): Expr {
    const target = this.#optionalTarget()
    if (!this.#tokens.takes('<')) return { kind: 'getline', from: 'main', source: undefined, target }
    return { kind: 'getline', from: 'file', source: this.#postfix(false), target }
  }

  #optionalTarget(): Target | undefined {
    const { kind, text } = this.#tokens.token
    if (kind !== 'name' && !(kind === 'op' && text === '$')) return undefined
    const value = this.#primary(false)
    return isTarget(value) ? value : undefined
  }

  #builtin(name: string): Expr {
    const args = this.#tokens.sees('(') ? this.#args() : []
    const [least, most] = BUILTINS[name] as readonly [number, number]
    if (args.length < least || args.length > most)
      throw new Failure(`line ${this.#tokens.token.line}: wrong number of arguments in call to ${name}`)
    return { kind: 'builtin', name, args }
  }

  #args(): Expr[] {
    this.#tokens.expect('(')
    const { noGreater } = this
    this.noGreater = false
    this.#tokens.skipNewlines()
    const args: Expr[] = []
    while (!this.#tokens.takes(')')) {
      args.push(this.expr())
      this.#tokens.skipNewlines()
      if (!this.#tokens.sees(')')) this.#tokens.expect(',')
      this.#tokens.skipNewlines()
    }
    this.noGreater = noGreater
    return args
  }

  keys(): Expr[] {
    const { noGreater } = this
    this.noGreater = false
    const keys = this.list()
    this.noGreater = noGreater
    this.#tokens.expect(']')
    return keys
  }
}

function isTarget(value: Expr): value is Target {
  return value.kind === 'name' || value.kind === 'field' || value.kind === 'index'
}

/** Finds the target of an assignment in operands such as `!x = y` and `a && b = c`, where only the last operand is assigned. */
function assignable(left: Expr): { readonly target: Target; rebuild(value: Expr): Expr } | undefined {
  if (isTarget(left)) return { target: left, rebuild: (value) => value }
  if (left.kind === 'unary') {
    const inner = assignable(left.value)
    return inner && { target: inner.target, rebuild: (value) => ({ ...left, value: inner.rebuild(value) }) }
  }
  if (left.kind === 'binary') {
    const inner = assignable(left.right)
    return inner && { target: inner.target, rebuild: (value) => ({ ...left, right: inner.rebuild(value) }) }
  }
  return undefined
}
