import type { Token } from './lexer.js'
import { ExpressionParser } from './parse-expression.js'
import { type AwkProgram, BUILTINS, type Expr, type FunctionDef, type Redirect, type Rule, type Stmt } from './syntax.js'
import { TokenStream } from './token-stream.js'

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

/** @throws {Failure} with status 1 for a syntax error */
export function parseAwk(tokens: readonly Token[]): AwkProgram {
  return new AwkParser(new TokenStream(tokens)).program()
}

/** Parses rules, functions and statements. */
class AwkParser {
  readonly #tokens: TokenStream
  readonly #expressions: ExpressionParser
  #place: 'BEGIN' | 'END' | 'function' | undefined
  #loops = 0

  constructor(tokens: TokenStream) {
    this.#tokens = tokens
    this.#expressions = new ExpressionParser(tokens)
  }

  program(): AwkProgram {
    const rules: Rule[] = []
    const functions = new Map<string, FunctionDef>()
    for (;;) {
      this.#tokens.skipEnds()
      if (this.#tokens.token.kind === 'end') return { rules, functions }
      this.#place = (['BEGIN', 'END', 'function'] as const).find((word) => this.#tokens.sees(word))
      if (this.#tokens.takes('function')) {
        const def = this.#function()
        functions.set(def.name, def)
      } else rules.push(this.#rule())
    }
  }

  #function(): FunctionDef {
    const { kind, text: name } = this.#tokens.next()
    if ((kind !== 'name' && kind !== 'call') || name in BUILTINS) throw this.#tokens.unexpected(-1)
    this.#tokens.expect('(')
    const params: string[] = []
    while (!this.#tokens.takes(')')) {
      this.#tokens.skipNewlines()
      params.push(this.#tokens.name())
      this.#tokens.skipNewlines()
      if (!this.#tokens.sees(')')) this.#tokens.expect(',')
      this.#tokens.skipNewlines()
    }
    this.#tokens.skipNewlines()
    return { name, params, body: this.#block() }
  }

  #rule(): Rule {
    if (this.#tokens.takes('BEGIN')) return { when: 'begin', test: undefined, until: undefined, body: this.#block() }
    if (this.#tokens.takes('END')) return { when: 'end', test: undefined, until: undefined, body: this.#block() }
    const test = this.#tokens.sees('{') ? undefined : this.#expressions.expr()
    let until: Expr | undefined
    if (test && this.#tokens.takes(',')) {
      this.#tokens.skipNewlines()
      until = this.#expressions.expr()
    }
    return { when: 'record', test, until, body: this.#tokens.sees('{') ? this.#block() : undefined }
  }

  #block(): Stmt {
    this.#tokens.expect('{')
    const body: Stmt[] = []
    for (;;) {
      this.#tokens.skipEnds()
      if (this.#tokens.takes('}')) return { kind: 'block', body }
      if (this.#tokens.token.kind === 'end') throw this.#tokens.unexpected()
      body.push(this.#statement())
    }
  }

  #statement(): Stmt {
    if (this.#tokens.sees('{')) return this.#block()
    if (this.#tokens.takes(';')) return { kind: 'block', body: [] }
    const { kind, text } = this.#tokens.token
    if (kind === 'word' && WORDS_OF_STATEMENTS.has(text)) {
      this.#tokens.at++
      if (text === 'if') return this.#if()
      if (text === 'for') return this.#for()
      if (text === 'while') {
        const test = this.#parenthesized()
        if (this.#tokens.takes(';')) return { kind: 'while', test, body: { kind: 'block', body: [] } }
        return { kind: 'while', test, body: this.#loop() }
      }
      if (text === 'do') {
        const body = this.#loop()
        this.#tokens.skipEnds()
        this.#tokens.expect('while')
        const test = this.#parenthesized()
        this.#tokens.end()
        return { kind: 'do', test, body }
      }
    }
    const statement = this.#simple()
    this.#tokens.end()
    return statement
  }

  #if(): Stmt {
    const test = this.#parenthesized()
    const then = this.#body()
    const before = this.#tokens.at
    this.#tokens.skipEnds()
    if (this.#tokens.takes('else')) return { kind: 'if', test, then, otherwise: this.#body() }
    this.#tokens.at = before
    return { kind: 'if', test, then, otherwise: undefined }
  }

  #for(): Stmt {
    this.#tokens.expect('(')
    const [name, word, array, close] = [0, 1, 2, 3].map((i) => this.#tokens.peek(i))
    if (name?.kind === 'name' && word?.text === 'in' && array?.kind === 'name' && close?.text === ')') {
      this.#tokens.at += 4
      return { kind: 'forIn', name: name.text, array: array.text, body: this.#loop() }
    }
    const init = this.#tokens.sees(';') ? undefined : this.#simple()
    this.#tokens.expect(';')
    this.#tokens.skipNewlines()
    const test = this.#tokens.sees(';') ? undefined : this.#expressions.expr()
    this.#tokens.expect(';')
    this.#tokens.skipNewlines()
    const step = this.#tokens.sees(')') ? undefined : this.#simple()
    this.#tokens.expect(')')
    if (this.#tokens.takes(';')) return { kind: 'for', init, test, step, body: { kind: 'block', body: [] } }
    return { kind: 'for', init, test, step, body: this.#loop() }
  }

  #loop(): Stmt {
    this.#loops++
    const body = this.#body()
    this.#loops--
    return body
  }

  #body(): Stmt {
    this.#tokens.skipNewlines()
    return this.#statement()
  }

  #parenthesized(): Expr {
    this.#tokens.expect('(')
    const value = this.#expressions.expr()
    this.#tokens.expect(')')
    return value
  }

  /** Parses a simple statement without its terminator. Most keywords have already been read by the caller. */
  #simple(): Stmt {
    const before = this.#tokens.peek(-1)
    const word = before?.kind === 'word' && WORDS_OF_STATEMENTS.has(before.text) && before.text !== 'do' ? before.text : this.#simpleWord()
    switch (word) {
      case 'print':
      case 'printf':
        return this.#print(word === 'printf')
      case 'next':
      case 'nextfile':
        if (this.#place === 'BEGIN' || this.#place === 'END') throw this.#tokens.unexpected(-1, `in ${this.#place}`)
        return { kind: word }
      case 'break':
      case 'continue':
        if (this.#loops === 0) throw this.#tokens.unexpected(-1, 'outside of a loop')
        return { kind: word }
      case 'exit':
      case 'return':
        if (word === 'return' && this.#place !== 'function') throw this.#tokens.unexpected(-1, 'outside of a function')
        return { kind: word, value: this.#tokens.atEnd() ? undefined : this.#expressions.expr() }
      case 'delete': {
        const array = this.#tokens.name()
        return { kind: 'delete', array, keys: this.#tokens.takes('[') ? this.#expressions.keys() : undefined }
      }
      default:
        return { kind: 'expr', value: this.#expressions.expr() }
    }
  }

  /** Reads the keyword of a simple statement, if there is one. Each part of `for (...)` may be a simple statement. */
  #simpleWord(): string | undefined {
    const { kind, text } = this.#tokens.token
    if (kind !== 'word' || !WORDS_OF_STATEMENTS.has(text)) return undefined
    this.#tokens.at++
    return text
  }

  #print(format: boolean): Stmt {
    const outer = this.#expressions.noGreater
    this.#expressions.noGreater = true
    let args: readonly Expr[] = []
    if (!this.#tokens.atEnd() && !this.#tokens.sees('>') && !this.#tokens.sees('>>') && !this.#tokens.sees('|')) {
      const first = this.#expressions.exprOrList()
      args = first.kind === 'list' ? first.items : [first]
      if (this.#tokens.takes(',')) {
        this.#tokens.skipNewlines()
        args = [...args, ...this.#expressions.list()]
      }
    }
    const to = this.#redirect()
    this.#expressions.noGreater = outer
    return { kind: 'print', args, format, to }
  }

  #redirect(): Redirect | undefined {
    const { kind, text } = this.#tokens.token
    if (kind !== 'op' || (text !== '>' && text !== '>>' && text !== '|')) return undefined
    this.#tokens.at++
    return { how: text, target: this.#expressions.concat() }
  }
}
