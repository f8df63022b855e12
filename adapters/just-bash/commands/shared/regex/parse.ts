import { Failure } from '../failure.js'
import type { Alternatives, Edge, Node, Sequence, SetPart } from './nodes.js'

export interface Parsed {
  readonly body: Alternatives
  /** Number of capture groups. */
  readonly groups: number
}

const MAX_REPEAT = 32_767
const EDGES: Readonly<Record<string, Edge>> = {
  b: 'word',
  B: 'inWord',
  '<': 'wordBegin',
  '>': 'wordEnd',
  '`': 'textBegin',
  "'": 'textEnd',
}
const CLASSES: Readonly<Record<string, SetPart>> = {
  w: { name: 'word' },
  W: { name: 'word', negated: true },
  s: { name: 'space' },
  S: { name: 'space', negated: true },
}
const NAMES = new Set('alpha digit alnum upper lower space blank punct print graph cntrl xdigit'.split(' '))

export interface PosixSyntax {
  readonly extended: boolean
  /**
   * How to treat a repetition operator that has nothing to repeat, as in `*a`: take it literally (default), ignore it, or reject it. In a
   * basic expression, this applies only to `\{`.
   */
  readonly leadingRepeat?: 'literal' | 'ignored' | 'refused' | undefined
  /** Whether `[:digit:]` without a second pair of brackets is an error. */
  readonly strictClasses?: boolean | undefined
}

export const CLASS_SYNTAX = 'character class syntax is [[:space:]], not [:space:]'

/**
 * Parses a regular expression like GNU tools. In brackets, a backslash is literal. Outside, `\n` means `n`: a tool with more escapes must
 * replace them first.
 *
 * @throws {Failure} status 2, in GNU's wording
 */
export function parsePosix(source: string, syntax: PosixSyntax): Parsed {
  return new Parser(source, syntax).all()
}

class Parser {
  readonly #chars: readonly string[]
  readonly #extended: boolean
  readonly #leadingRepeat: PosixSyntax['leadingRepeat']
  readonly #strictClasses: boolean
  #at = 0
  #groups = 0
  #open = 0

  constructor(source: string, { extended, leadingRepeat = 'literal', strictClasses = false }: PosixSyntax) {
    this.#chars = [...source]
    this.#extended = extended
    this.#leadingRepeat = leadingRepeat
    this.#strictClasses = strictClasses
  }

  all(): Parsed {
    const body = this.#alternatives()
    if (this.#at < this.#chars.length) throw refused('Unmatched ) or \\)')
    return { body, groups: this.#groups }
  }

  #alternatives(): Alternatives {
    const options: Sequence[] = [this.#sequence()]
    while (this.#takes('|')) options.push(this.#sequence())
    return options
  }

  #sequence(): Sequence {
    const nodes: Node[] = []
    while (this.#at < this.#chars.length && !this.#sees('|') && !this.#closes()) {
      const last = nodes.at(-1)
      if ((!last || this.#standsAlone(last)) && this.#leads()) continue
      const node = this.#atom(nodes.length === 0)
      nodes.push(this.#standsAlone(node) ? node : this.#repeated(node))
    }
    return nodes
  }

  /** Whether a repetition operator after this node has nothing to repeat. */
  #standsAlone(node: Node): boolean {
    return node.kind === 'edge' && (this.#extended ? this.#leadingRepeat !== 'ignored' : node.at === 'begin')
  }

  /** Skips or rejects a repetition operator that has nothing to repeat. Returns false if there is none, or if it is a literal. */
  #leads(): boolean {
    if (this.#leadingRepeat === 'literal') return false
    if (!this.#extended && !this.#sees('{')) return false
    if (this.#chars[this.#at] !== '*' && !this.#sees('+') && !this.#sees('?') && !this.#sees('{')) return false
    if (this.#leadingRepeat === 'refused') throw refused('Invalid preceding regular expression')
    return this.#range() !== undefined
  }

  #closes(): boolean {
    return this.#sees(')') && (this.#open > 0 || !this.#extended)
  }

  /** Whether an operator follows: with a backslash in a basic expression, without in an extended one. */
  #sees(operator: string): boolean {
    if (this.#extended) return this.#chars[this.#at] === operator
    return this.#chars[this.#at] === '\\' && this.#chars[this.#at + 1] === operator
  }

  #takes(operator: string): boolean {
    if (!this.#sees(operator)) return false
    this.#at += this.#extended ? 1 : 2
    return true
  }

  #atom(first: boolean): Node {
    if (this.#takes('(')) return this.#group()
    const char = this.#chars[this.#at++] as string
    switch (char) {
      case '\\':
        return this.#escaped()
      case '.':
        return { kind: 'any' }
      case '[':
        return this.#set()
      case '^':
        return this.#extended || first ? { kind: 'edge', at: 'begin' } : { kind: 'char', char }
      case '$':
        return this.#extended || this.#endsHere() ? { kind: 'edge', at: 'end' } : { kind: 'char', char }
      default:
        return { kind: 'char', char }
    }
  }

  #endsHere(): boolean {
    return this.#at >= this.#chars.length || this.#sees('|') || this.#sees(')')
  }

  #group(): Node {
    const index = ++this.#groups
    this.#open++
    const body = this.#alternatives()
    this.#open--
    if (!this.#takes(')')) throw refused('Unmatched ( or \\(')
    return { kind: 'group', index, body }
  }

  #escaped(): Node {
    const char = this.#chars[this.#at++]
    if (char === undefined) throw refused('Trailing backslash')
    const at = EDGES[char]
    if (at) return { kind: 'edge', at }
    const part = CLASSES[char]
    if (part) return { kind: 'set', negated: false, parts: [part] }
    if (/[1-9]/.test(char)) {
      if (Number(char) > this.#groups) throw refused('Invalid back reference')
      return { kind: 'back', index: Number(char) }
    }
    return { kind: 'char', char }
  }

  #repeated(node: Node): Node {
    let result = node
    for (;;) {
      const range = this.#range()
      if (!range) return result
      result = { kind: 'repeat', node: result, ...range }
    }
  }

  #range(): { readonly min: number; readonly max: number } | undefined {
    const many = Number.POSITIVE_INFINITY
    if (this.#chars[this.#at] === '*') {
      this.#at++
      return { min: 0, max: many }
    }
    if (this.#takes('+')) return { min: 1, max: many }
    if (this.#takes('?')) return { min: 0, max: 1 }
    if (!this.#sees('{')) return undefined
    const rest = this.#chars.slice(this.#at, this.#at + 20).join('')
    const found = (this.#extended ? /^\{(\d*)(,?)(\d*)\}/ : /^\\\{(\d*)(,?)(\d*)\\\}/).exec(rest)
    if (!found || (found[1] === '' && found[2] === '')) {
      if (!this.#extended || this.#leadingRepeat === 'refused')
        throw refused(this.#chars.includes('}', this.#at) ? 'Invalid content of \\{\\}' : 'Unmatched \\{')
      return undefined
    }
    const [all, from = '', comma, to = ''] = found
    const min = Number(from)
    const max = comma === '' ? min : to === '' ? many : Number(to)
    if (min > max) throw refused('Invalid content of \\{\\}')
    if (min > MAX_REPEAT || (max !== many && max > MAX_REPEAT)) throw refused('Regular expression too big')
    this.#at += all.length
    return { min, max }
  }

  #set(): Node {
    const negated = this.#chars[this.#at] === '^'
    if (negated) this.#at++
    const parts: SetPart[] = []
    const start = this.#at
    for (let first = true; ; first = false) {
      const char = this.#chars[this.#at++]
      if (char === undefined) throw refused('Unmatched [, [^, [:, [., or [=')
      if (char === ']' && !first) {
        if (this.#strictClasses && /^:[a-z]+:$/.test(this.#chars.slice(start, this.#at - 1).join(''))) throw refused(CLASS_SYNTAX)
        return { kind: 'set', negated, parts }
      }
      if (char === '[' && this.#chars[this.#at] === ':') {
        parts.push({ name: this.#named(':') })
        continue
      }
      const from = this.#element(char)
      if (this.#chars[this.#at] !== '-' || this.#chars[this.#at + 1] === ']' || this.#chars[this.#at + 1] === undefined) {
        parts.push({ from, to: from })
        continue
      }
      this.#at++
      const to = this.#element(this.#chars[this.#at++] as string)
      if ((from.codePointAt(0) as number) > (to.codePointAt(0) as number)) throw refused('Invalid range end')
      parts.push({ from, to })
    }
  }

  #element(char: string): string {
    const next = this.#chars[this.#at]
    if (char === '[' && (next === '.' || next === '=')) return this.#named(next)
    return char
  }

  #named(mark: string): string {
    const rest = this.#chars.slice(this.#at + 1)
    const end = rest.findIndex((char, i) => char === mark && rest[i + 1] === ']')
    if (end < 0) throw refused('Unmatched [, [^, [:, [., or [=')
    const name = rest.slice(0, end).join('')
    if (mark === ':' && !NAMES.has(name)) throw refused('Invalid character class name')
    if (mark !== ':' && [...name].length !== 1) throw refused('Invalid collation character')
    this.#at += end + 3
    return name
  }
}

const refused = (words: string): Failure => new Failure(words, 2)
