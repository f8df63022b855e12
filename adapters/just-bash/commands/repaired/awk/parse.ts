import { Failure } from '../../failure.js'
import { type Token, tokensOf } from './lexer.js'
import { type AwkProgram, BUILTINS, type Expr, type FunctionDef, type Redirect, type Rule, type Stmt, type Target } from './syntax.js'

const ASSIGN = new Set(['=', '+=', '-=', '*=', '/=', '%=', '^='])
const COMPARE = new Set(['<', '<=', '==', '!=', '>', '>='])
const WORDS_OF_STATEMENTS = new Set([
  'print',
  'printf',
  'if',
  'while',
  'for',
  'do',
  'break',
  'continue',
  'next',
  'nextfile',
  'exit',
  'return',
  'delete',
])

/** @throws {Failure} status 2 */
export function parseAwk(source: string): AwkProgram {
  return new AwkParser(tokensOf(source)).program()
}

class AwkParser {
  readonly #tokens: readonly Token[]
  #at = 0
  /** `in` belongs to a `for`, and `>` to a `print`: not to an expression. */
  #noIn = false
  #noGreater = false

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  program(): AwkProgram {
    const rules: Rule[] = []
    const functions = new Map<string, FunctionDef>()
    for (;;) {
      this.#skipEnds()
      if (this.#token.kind === 'end') return { rules, functions }
      if (this.#takes('function')) {
        const def = this.#function()
        functions.set(def.name, def)
      } else rules.push(this.#rule())
    }
  }

  #function(): FunctionDef {
    const { kind, text: name } = this.#next()
    if ((kind !== 'name' && kind !== 'call') || name in BUILTINS) throw this.#unexpected(-1)
    this.#expect('(')
    const params: string[] = []
    while (!this.#takes(')')) {
      this.#skipNewlines()
      params.push(this.#name())
      this.#skipNewlines()
      if (!this.#sees(')')) this.#expect(',')
      this.#skipNewlines()
    }
    this.#skipNewlines()
    return { name, params, body: this.#block() }
  }

  #rule(): Rule {
    if (this.#takes('BEGIN')) return { when: 'begin', test: undefined, until: undefined, body: this.#block() }
    if (this.#takes('END')) return { when: 'end', test: undefined, until: undefined, body: this.#block() }
    const test = this.#sees('{') ? undefined : this.#expr()
    let until: Expr | undefined
    if (test && this.#takes(',')) {
      this.#skipNewlines()
      until = this.#expr()
    }
    return { when: 'record', test, until, body: this.#sees('{') ? this.#block() : undefined }
  }

  #block(): Stmt {
    this.#expect('{')
    const body: Stmt[] = []
    for (;;) {
      this.#skipEnds()
      if (this.#takes('}')) return { kind: 'block', body }
      if (this.#token.kind === 'end') throw this.#unexpected()
      body.push(this.#statement())
    }
  }

  #statement(): Stmt {
    if (this.#sees('{')) return this.#block()
    if (this.#takes(';')) return { kind: 'block', body: [] }
    const { kind, text } = this.#token
    if (kind === 'word' && WORDS_OF_STATEMENTS.has(text)) {
      this.#at++
      if (text === 'if') return this.#if()
      if (text === 'for') return this.#for()
      if (text === 'while') {
        const test = this.#parenthesized()
        if (this.#takes(';')) return { kind: 'while', test, body: { kind: 'block', body: [] } }
        return { kind: 'while', test, body: this.#body() }
      }
      if (text === 'do') {
        const body = this.#body()
        this.#skipEnds()
        this.#expect('while')
        const test = this.#parenthesized()
        this.#end()
        return { kind: 'do', test, body }
      }
    }
    const statement = this.#simple()
    this.#end()
    return statement
  }

  #if(): Stmt {
    const test = this.#parenthesized()
    const then = this.#body()
    const before = this.#at
    this.#skipEnds()
    if (this.#takes('else')) return { kind: 'if', test, then, otherwise: this.#body() }
    this.#at = before
    return { kind: 'if', test, then, otherwise: undefined }
  }

  #for(): Stmt {
    this.#expect('(')
    const [name, word, array, close] = [0, 1, 2, 3].map((i) => this.#tokens[this.#at + i])
    if (name?.kind === 'name' && word?.text === 'in' && array?.kind === 'name' && close?.text === ')') {
      this.#at += 4
      return { kind: 'forIn', name: name.text, array: array.text, body: this.#body() }
    }
    const init = this.#sees(';') ? undefined : this.#simple()
    this.#expect(';')
    this.#skipNewlines()
    const test = this.#sees(';') ? undefined : this.#expr()
    this.#expect(';')
    this.#skipNewlines()
    const step = this.#sees(')') ? undefined : this.#simple()
    this.#expect(')')
    if (this.#takes(';')) return { kind: 'for', init, test, step, body: { kind: 'block', body: [] } }
    return { kind: 'for', init, test, step, body: this.#body() }
  }

  #body(): Stmt {
    this.#skipNewlines()
    return this.#statement()
  }

  #parenthesized(): Expr {
    this.#expect('(')
    const value = this.#expr()
    this.#expect(')')
    return value
  }

  /** A statement without its end; the keyword of most has been read. */
  #simple(): Stmt {
    const before = this.#tokens[this.#at - 1]
    const word = before?.kind === 'word' && WORDS_OF_STATEMENTS.has(before.text) && before.text !== 'do' ? before.text : this.#simpleWord()
    switch (word) {
      case 'print':
      case 'printf':
        return this.#print(word === 'printf')
      case 'next':
      case 'nextfile':
      case 'break':
      case 'continue':
        return { kind: word }
      case 'exit':
      case 'return':
        return { kind: word, value: this.#atEnd() ? undefined : this.#expr() }
      case 'delete': {
        const array = this.#name()
        return { kind: 'delete', array, keys: this.#takes('[') ? this.#keys() : undefined }
      }
      default:
        return { kind: 'expr', value: this.#expr() }
    }
  }

  /** In a `for (...)` there may be one in any part. */
  #simpleWord(): string | undefined {
    const { kind, text } = this.#token
    if (kind !== 'word' || !WORDS_OF_STATEMENTS.has(text)) return undefined
    this.#at++
    return text
  }

  #print(format: boolean): Stmt {
    const outer = this.#noGreater
    this.#noGreater = true
    let args: readonly Expr[] = []
    if (!this.#atEnd() && !this.#sees('>') && !this.#sees('>>') && !this.#sees('|')) {
      const first = this.#exprOrList()
      args = first.kind === 'list' ? first.items : [first]
      if (this.#takes(',')) {
        this.#skipNewlines()
        args = [...args, ...this.#list()]
      }
    }
    const to = this.#redirect()
    this.#noGreater = outer
    return { kind: 'print', args, format, to }
  }

  #redirect(): Redirect | undefined {
    const { kind, text } = this.#token
    if (kind !== 'op' || (text !== '>' && text !== '>>' && text !== '|')) return undefined
    this.#at++
    return { how: text, target: this.#concat() }
  }

  #list(): Expr[] {
    const items = [this.#expr()]
    while (this.#takes(',')) {
      this.#skipNewlines()
      items.push(this.#expr())
    }
    return items
  }

  /** `(a, b)` may be what is printed, or what is looked for: `(a, b) in c`. */
  #exprOrList(): Expr {
    return this.#expr(true)
  }

  #expr(mayBeList = false): Expr {
    return this.#assignment(mayBeList)
  }

  #assignment(mayBeList: boolean): Expr {
    const left = this.#choice(mayBeList)
    const { kind, text } = this.#token
    if (kind !== 'op' || !ASSIGN.has(text)) return left
    const found = assignable(left)
    if (!found) return left
    this.#at++
    this.#skipNewlines()
    const value = this.#assignment(false)
    return found.rebuild({ kind: 'assign', op: text.slice(0, -1), target: found.target, value })
  }

  #choice(mayBeList: boolean): Expr {
    const test = this.#or(mayBeList)
    if (!this.#takes('?')) return test
    this.#skipNewlines()
    const then = this.#assignment(false)
    this.#skipNewlines()
    this.#expect(':')
    this.#skipNewlines()
    return { kind: 'choice', test, then, otherwise: this.#assignment(false) }
  }

  #or(mayBeList: boolean): Expr {
    let left = this.#and(mayBeList)
    while (this.#takes('||')) {
      this.#skipNewlines()
      left = { kind: 'binary', op: '||', left, right: this.#and(false) }
    }
    return left
  }

  #and(mayBeList: boolean): Expr {
    let left = this.#in(mayBeList)
    while (this.#takes('&&')) {
      this.#skipNewlines()
      left = { kind: 'binary', op: '&&', left, right: this.#in(false) }
    }
    return left
  }

  #in(mayBeList: boolean): Expr {
    let left = this.#match(mayBeList)
    while (!this.#noIn && this.#takes('in')) {
      const keys = left.kind === 'list' ? left.items : [left]
      left = { kind: 'in', keys, array: this.#name() }
    }
    return left
  }

  #match(mayBeList: boolean): Expr {
    let left = this.#comparison(mayBeList)
    for (;;) {
      const negated = this.#sees('!~')
      if (!negated && !this.#sees('~')) return left
      this.#at++
      left = { kind: 'match', negated, text: left, regex: this.#comparison(false) }
    }
  }

  #comparison(mayBeList: boolean): Expr {
    let left = this.#concat(mayBeList)
    for (;;) {
      const { kind, text } = this.#token
      if (kind === 'op' && text === '|' && this.#tokens[this.#at + 1]?.text === 'getline') {
        this.#at += 2
        left = { kind: 'getline', from: 'command', source: left, target: this.#optionalTarget() }
        continue
      }
      if (kind !== 'op' || !COMPARE.has(text) || (text === '>' && this.#noGreater)) return left
      this.#at++
      left = { kind: 'binary', op: text, left, right: this.#concat() }
    }
  }

  #concat(mayBeList = false): Expr {
    let left = this.#sum(mayBeList)
    while (this.#beginsValue()) left = { kind: 'binary', op: ' ', left, right: this.#sum(false) }
    return left
  }

  #beginsValue(): boolean {
    const { kind, text } = this.#token
    if (kind === 'number' || kind === 'string' || kind === 'name' || kind === 'call' || kind === 'regex') return true
    if (kind === 'op') return text === '$' || text === '(' || text === '-' || text === '+' || text === '++' || text === '--'
    return false
  }

  #sum(mayBeList: boolean): Expr {
    let left = this.#product(mayBeList)
    while (this.#sees('+') || this.#sees('-')) left = { kind: 'binary', op: this.#next().text, left, right: this.#product(false) }
    return left
  }

  #product(mayBeList: boolean): Expr {
    let left = this.#unary(mayBeList)
    while (this.#sees('*') || this.#sees('/') || this.#sees('%'))
      left = { kind: 'binary', op: this.#next().text, left, right: this.#unary(false) }
    return left
  }

  #unary(mayBeList: boolean): Expr {
    const { kind, text } = this.#token
    if (kind !== 'op' || (text !== '!' && text !== '-' && text !== '+')) return this.#power(mayBeList)
    this.#at++
    return { kind: 'unary', op: text, value: this.#unary(false) }
  }

  #power(mayBeList: boolean): Expr {
    const base = this.#postfix(mayBeList)
    if (!this.#takes('^')) return base
    // Binds to the right, and closer than a sign in front.
    const sign = this.#sees('-') || this.#sees('+') || this.#sees('!')
    return { kind: 'binary', op: '^', left: base, right: sign ? this.#unary(false) : this.#power(false) }
  }

  #postfix(mayBeList: boolean): Expr {
    const value = this.#primary(mayBeList)
    if (!isTarget(value)) return value
    if (this.#takes('++')) return { kind: 'step', by: 1, before: false, target: value }
    return this.#takes('--') ? { kind: 'step', by: -1, before: false, target: value } : value
  }

  #primary(mayBeList: boolean): Expr {
    const { kind, text } = this.#next()
    switch (kind) {
      case 'number':
        return { kind: 'number', value: Number(text) }
      case 'string':
        return { kind: 'string', value: text }
      case 'regex':
        return { kind: 'regex', source: text }
      case 'name':
        if (text in BUILTINS) return this.#builtin(text)
        return this.#takes('[') ? { kind: 'index', array: text, keys: this.#keys() } : { kind: 'name', name: text }
      case 'call':
        return text in BUILTINS ? this.#builtin(text) : { kind: 'call', name: text, args: this.#args() }
      case 'word':
        if (text === 'getline') return this.#getline()
        throw this.#unexpected(-1)
      case 'op':
        return this.#operator(text, mayBeList)
      default:
        throw this.#unexpected(-1)
    }
  }

  #operator(text: string, mayBeList: boolean): Expr {
    if (text === '$') {
      const sign = this.#sees('++') || this.#sees('--') || this.#sees('-') || this.#sees('+') || this.#sees('!')
      return { kind: 'field', at: sign ? this.#unaryOfField() : this.#primary(false) }
    }
    if (text === '++' || text === '--') {
      const target = this.#primary(false)
      if (!isTarget(target)) throw this.#unexpected(-1)
      return { kind: 'step', by: text === '++' ? 1 : -1, before: true, target }
    }
    if (text === '-' || text === '+' || text === '!') return { kind: 'unary', op: text, value: this.#unary(false) }
    if (text !== '(') throw this.#unexpected(-1)
    const [noIn, noGreater] = [this.#noIn, this.#noGreater]
    this.#noIn = false
    this.#noGreater = false
    this.#skipNewlines()
    const items = this.#list()
    this.#skipNewlines()
    this.#expect(')')
    this.#noIn = noIn
    this.#noGreater = noGreater
    if (items.length === 1) return { kind: 'group', inner: items[0] as Expr }
    if (!mayBeList && !this.#sees('in')) throw this.#unexpected()
    return { kind: 'list', items }
  }

  #unaryOfField(): Expr {
    const { text } = this.#next()
    return this.#operator(text, false)
  }

  #getline(): Expr {
    const target = this.#optionalTarget()
    if (!this.#takes('<')) return { kind: 'getline', from: 'main', source: undefined, target }
    return { kind: 'getline', from: 'file', source: this.#postfix(false), target }
  }

  #optionalTarget(): Target | undefined {
    const { kind, text } = this.#token
    if (kind !== 'name' && !(kind === 'op' && text === '$')) return undefined
    const value = this.#primary(false)
    return isTarget(value) ? value : undefined
  }

  #builtin(name: string): Expr {
    const args = this.#sees('(') ? this.#args() : []
    const [least, most] = BUILTINS[name] as readonly [number, number]
    if (args.length < least || args.length > most)
      throw new Failure(`line ${this.#token.line}: wrong number of arguments in call to ${name}`, 2)
    return { kind: 'builtin', name, args }
  }

  #args(): Expr[] {
    this.#expect('(')
    const [noIn, noGreater] = [this.#noIn, this.#noGreater]
    this.#noIn = false
    this.#noGreater = false
    this.#skipNewlines()
    const args: Expr[] = []
    while (!this.#takes(')')) {
      args.push(this.#expr())
      this.#skipNewlines()
      if (!this.#sees(')')) this.#expect(',')
      this.#skipNewlines()
    }
    this.#noIn = noIn
    this.#noGreater = noGreater
    return args
  }

  #keys(): Expr[] {
    const [noIn, noGreater] = [this.#noIn, this.#noGreater]
    this.#noIn = false
    this.#noGreater = false
    const keys = this.#list()
    this.#noIn = noIn
    this.#noGreater = noGreater
    this.#expect(']')
    return keys
  }

  #name(): string {
    const { kind, text } = this.#next()
    if (kind !== 'name' && kind !== 'call') throw this.#unexpected(-1)
    return text
  }

  get #token(): Token {
    return this.#tokens[this.#at] as Token
  }

  #next(): Token {
    const token = this.#token
    if (token.kind !== 'end') this.#at++
    return token
  }

  #sees(text: string): boolean {
    const { kind, text: own } = this.#token
    return own === text && (kind === 'op' || kind === 'word')
  }

  #takes(text: string): boolean {
    const found = this.#sees(text)
    if (found) this.#at++
    return found
  }

  #expect(text: string): void {
    if (!this.#takes(text)) throw this.#unexpected()
  }

  #atEnd(): boolean {
    return this.#token.kind === 'newline' || this.#token.kind === 'end' || this.#sees(';') || this.#sees('}')
  }

  #end(): void {
    if (!this.#atEnd()) throw this.#unexpected()
    if (!this.#sees('}') && this.#token.kind !== 'end') this.#at++
  }

  #skipEnds(): void {
    while (this.#token.kind === 'newline' || this.#sees(';')) this.#at++
  }

  #skipNewlines(): void {
    while (this.#token.kind === 'newline') this.#at++
  }

  #unexpected(ahead = 0): Failure {
    const { kind, text, line } = this.#tokens[Math.max(0, this.#at + ahead)] as Token
    const near = kind === 'end' ? 'end of file' : kind === 'newline' ? 'end of line' : text
    return new Failure(`line ${line}: syntax error at or near ${near}`, 2)
  }
}

function isTarget(value: Expr): value is Target {
  return value.kind === 'name' || value.kind === 'field' || value.kind === 'index'
}

/** In `!x = y` and `a && b = c` the last operand is what is assigned to. */
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
