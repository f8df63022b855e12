import { Failure } from '../shared/failure.js'
import type { Entry } from './entry.js'

/** Evaluates a part of the expression for a file. */
export type Test = (entry: Entry) => boolean | Promise<boolean>

export type Token =
  | { readonly kind: 'test'; readonly test: Test }
  | { readonly kind: 'not' | 'open' | 'close'; readonly word: string }
  | { readonly kind: 'and' | 'or' | 'list'; readonly word: string }

const PRECEDENCE = { list: 1, or: 2, and: 3, not: 4 } as const

/** Combines the whole expression into one test. Precedence: `!`, implicit "and", `-o`, `,`. @throws {Failure} with GNU's message */
export function buildExpression(tokens: readonly Token[]): Test {
  const last = tokens.at(-1)
  if (last?.kind === 'open')
    throw new Failure("invalid expression; expected to find a ')' but didn't see one. Perhaps you need an extra predicate after '('")
  const lacks = last?.kind === 'not' || (last?.kind !== 'test' && last?.kind !== 'close' && tokens.length > 1)
  if (last && 'word' in last && lacks) throw new Failure(`expected an expression after '${last.word}'`)
  const builder = new Builder(withAnds(tokens))
  return builder.all()
}

/** Inserts the implicit "and" operators. */
function withAnds(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token, i): Token[] => {
    const before = tokens[i - 1]
    const ends = before?.kind === 'test' || before?.kind === 'close'
    const begins = token.kind === 'test' || token.kind === 'open' || token.kind === 'not'
    return ends && begins ? [{ kind: 'and', word: '-a' }, token] : [token]
  })
}

class Builder {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  all(): Test {
    const test = this.#expression(0, undefined)
    if (this.#at < this.#tokens.length) throw new Failure("you have too many ')'")
    return test
  }

  #expression(precedence: number, before: Token | undefined): Test {
    let left = this.#operand(before)
    for (;;) {
      const token = this.#tokens[this.#at]
      if (!token || (token.kind !== 'and' && token.kind !== 'or' && token.kind !== 'list')) return left
      const own = PRECEDENCE[token.kind]
      if (own <= precedence) return left
      this.#at++
      left = JOINED[token.kind](left, this.#expression(own, token))
    }
  }

  #operand(before: Token | undefined): Test {
    const token = this.#tokens[this.#at++]
    if (!token) throw new Failure('invalid expression')
    if (token.kind === 'test') return token.test
    if (token.kind === 'not') return negated(this.#expression(PRECEDENCE.not, token))
    if (token.kind === 'open') return this.#group(token)
    if (token.kind !== 'close')
      throw new Failure(`invalid expression; you have used a binary operator '${token.word}' with nothing before it.`)
    if (before && before.kind !== 'test' && before.kind !== 'open')
      throw new Failure(`expected an expression between '${before.kind === 'close' ? ')' : before.word}' and ')'`)
    throw new Failure("invalid expression; you have too many ')'")
  }

  #group(open: Token): Test {
    if (this.#tokens[this.#at]?.kind === 'close') throw new Failure('invalid expression; empty parentheses are not allowed.')
    const test = this.#expression(0, open)
    if (this.#tokens[this.#at]?.kind !== 'close')
      throw new Failure("invalid expression; I was expecting to find a ')' somewhere but did not see one.")
    this.#at++
    return test
  }
}

/** Passes a result to `next`. Continues synchronously unless the result is a promise, because most tests do not wait. */
function after(result: boolean | Promise<boolean>, next: (value: boolean) => boolean | Promise<boolean>): boolean | Promise<boolean> {
  return typeof result === 'boolean' ? next(result) : result.then(next)
}

export const negated =
  (test: Test): Test =>
  (entry) =>
    after(test(entry), (value) => !value)

export const both = (left: Test, right: Test): Test => {
  return (entry) => after(left(entry), (value) => value && right(entry))
}

const JOINED: Readonly<Record<'and' | 'or' | 'list', (left: Test, right: Test) => Test>> = {
  and: both,
  or: (left, right) => (entry) => after(left(entry), (value) => value || right(entry)),
  list: (left, right) => (entry) => after(left(entry), () => right(entry)),
}
