import { Failure } from '../shared/failure.js'
import type { Token } from './lexer.js'

/** The tokens of a program and the read position. */
export class TokenStream {
  readonly #tokens: readonly Token[]
  at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  /** Returns the token `ahead` positions after the next one. */
  peek(ahead: number): Token | undefined {
    return this.#tokens[this.at + ahead]
  }

  get token(): Token {
    return this.#tokens[this.at] as Token
  }

  next(): Token {
    const token = this.token
    if (token.kind !== 'end') this.at++
    return token
  }

  sees(text: string): boolean {
    const { kind, text: own } = this.token
    return own === text && (kind === 'op' || kind === 'word')
  }

  takes(text: string): boolean {
    const found = this.sees(text)
    if (found) this.at++
    return found
  }

  expect(text: string): void {
    if (!this.takes(text)) throw this.unexpected()
  }

  atEnd(): boolean {
    return this.token.kind === 'newline' || this.token.kind === 'end' || this.sees(';') || this.sees('}')
  }

  end(): void {
    if (!this.atEnd()) throw this.unexpected()
    if (!this.sees('}') && this.token.kind !== 'end') this.at++
  }

  skipEnds(): void {
    while (this.token.kind === 'newline' || this.sees(';')) this.at++
  }

  skipNewlines(): void {
    while (this.token.kind === 'newline') this.at++
  }

  unexpected(ahead = 0, where = ''): Failure {
    const { kind, text, line } = this.#tokens[Math.max(0, this.at + ahead)] as Token
    const near = kind === 'end' ? 'end of file' : kind === 'newline' ? 'end of line' : text
    return new Failure(`line ${line}: syntax error at or near ${near}${where && ` ${where}`}`)
  }

  name(): string {
    const { kind, text } = this.next()
    if (kind !== 'name' && kind !== 'call') throw this.unexpected(-1)
    return text
  }
}
