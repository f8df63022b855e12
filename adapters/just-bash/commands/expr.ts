import { packed } from './shared/bytes.js'
import type { OwnCommand, OwnResult } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { compileRegex } from './shared/regex/regex.js'
import { Report } from './shared/text-io.js'

type Value = string | bigint

export const exprCommand: OwnCommand = command('expr', { status: 2, usage: 'expr EXPRESSION' }, async (args): Promise<OwnResult> => {
  if (args.length === 0) throw new Failure("missing operand\nTry 'expr --help' for more information.", 2)
  const reader = new Reader(args[0] === '--' ? args.slice(1) : args)
  const value = reader.or()
  reader.end()
  return new Report('expr').result(packed(`${value}\n`), isTrue(value) ? 0 : 1)
})

const isTrue = (value: Value): boolean => value !== '' && !/^-?0+$/.test(String(value))

function numberOf(value: Value): bigint | undefined {
  if (typeof value === 'bigint') return value
  return /^-?\d+$/.test(value) ? BigInt(value) : undefined
}

class Reader {
  readonly #words: readonly string[]
  #at = 0

  constructor(words: readonly string[]) {
    this.#words = words
  }

  end(): void {
    const word = this.#words[this.#at]
    if (word !== undefined) throw new Failure(`syntax error: unexpected argument '${word}'`, 2)
  }

  or(): Value {
    let left = this.#and()
    while (this.#takes('|')) {
      const right = this.#and()
      left = isTrue(left) ? left : isTrue(right) ? right : 0n
    }
    return left
  }

  #and(): Value {
    let left = this.#comparison()
    while (this.#takes('&')) {
      const right = this.#comparison()
      left = isTrue(left) && isTrue(right) ? left : 0n
    }
    return left
  }

  #comparison(): Value {
    let left = this.#sum()
    for (let op = this.#takesOf('<', '<=', '=', '==', '!=', '>=', '>'); op; op = this.#takesOf('<', '<=', '=', '==', '!=', '>=', '>')) {
      left = compare(left, op, this.#sum()) ? 1n : 0n
    }
    return left
  }

  #sum(): Value {
    let left = this.#product()
    for (let op = this.#takesOf('+', '-'); op; op = this.#takesOf('+', '-')) left = calculate(left, op, this.#product())
    return left
  }

  #product(): Value {
    let left = this.#match()
    for (let op = this.#takesOf('*', '/', '%'); op; op = this.#takesOf('*', '/', '%')) left = calculate(left, op, this.#match())
    return left
  }

  #match(): Value {
    let left = this.#primary()
    while (this.#takes(':')) left = matched(String(left), String(this.#primary()))
    return left
  }

  #primary(): Value {
    const word = this.#words[this.#at++]
    if (word === undefined) throw new Failure(`syntax error: missing argument after '${this.#words[this.#at - 2] ?? ''}'`, 2)
    // An operator as the only word is plain text.
    const more = this.#at < this.#words.length
    if (word === '(' && more) {
      const value = this.or()
      if (!this.#takes(')')) throw new Failure("syntax error: expecting ')'", 2)
      return value
    }
    if (word === '+' && more) return this.#words[this.#at++] as string
    if (word === 'length' && more) return BigInt([...String(this.#primary())].length)
    if (word === 'match' && more) return matched(String(this.#primary()), String(this.#primary()))
    if (word === 'index' && more) {
      const chars = [...String(this.#primary())]
      const set = String(this.#primary())
      return BigInt(chars.findIndex((char) => set.includes(char)) + 1)
    }
    if (word === 'substr' && more) {
      const chars = [...String(this.#primary())]
      const [from, count] = [numberOf(this.#primary()), numberOf(this.#primary())]
      if (from === undefined || count === undefined || from < 1n || count < 1n) return ''
      return chars.slice(Number(from) - 1, Number(from + count) - 1).join('')
    }
    return word
  }

  #takes(word: string): boolean {
    const found = this.#words[this.#at] === word
    if (found) this.#at++
    return found
  }

  #takesOf(...words: readonly string[]): string | undefined {
    const word = this.#words[this.#at]
    if (word === undefined || !words.includes(word)) return undefined
    this.#at++
    return word
  }
}

function matched(text: string, pattern: string): Value {
  const regex = compileRegex(pattern.replace(/^\^/, ''), { extended: false })
  const found = regex.exec(text)
  // The match is always anchored at the start.
  const match = found?.index === 0 ? found : undefined
  if (regex.groups > 0) return match?.groups[1] ?? ''
  return match ? BigInt([...text.slice(0, match.end)].length) : 0n
}

function compare(a: Value, op: string, b: Value): boolean {
  const [x, y] = [numberOf(a), numberOf(b)]
  const [left, right] = x !== undefined && y !== undefined ? [x, y] : [packed(String(a)), packed(String(b))]
  const order = left < right ? -1 : left > right ? 1 : 0
  if (op === '=' || op === '==') return order === 0
  if (op === '!=') return order !== 0
  return op === '<' ? order < 0 : op === '<=' ? order <= 0 : op === '>' ? order > 0 : order >= 0
}

function calculate(a: Value, op: string, b: Value): bigint {
  const [x, y] = [numberOf(a), numberOf(b)]
  if (x === undefined || y === undefined) throw new Failure('non-integer argument', 2)
  if ((op === '/' || op === '%') && y === 0n) throw new Failure('division by zero', 2)
  return op === '+' ? x + y : op === '-' ? x - y : op === '*' ? x * y : op === '/' ? x / y : x % y
}
