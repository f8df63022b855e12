import { ALL, type CharSet, charSet, DIGIT, foldAscii, NEWLINE, negate, SPACE, single, WORD, without } from '../char-set.js'
import { type AltNode, type Item, once, type Seq } from './ast.js'

export interface ParseOptions {
  readonly ignoreCase: boolean
  /** Whether to exclude line breaks from every set, so that a match cannot cross a line. */
  readonly lines: boolean
}

/** Thrown inside the parser for syntax outside the subset. RE2 then handles the pattern. */
class Outside extends Error {}

const MAX_DEPTH = 40
const REPEAT = /\{(0|[1-9]\d{0,3})(?:(,)(0|[1-9]\d{0,3})?)?\}/y
const CONTROL: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 }
const PERL: Readonly<Record<string, CharSet>> = { d: DIGIT, s: SPACE, w: WORD }

/**
 * Parses the part of RE2's syntax that translates to JavaScript with the same meaning: characters, classes, escapes, groups, alternatives,
 * repetition, `^ $ \b`, and flags at the start. Returns undefined for any other pattern, valid or not. All groups are non-capturing,
 * because nothing refers to them. Excludes `\B`, which matches between the halves of a surrogate pair in V8.
 */
export function parsePattern(pattern: string, options: ParseOptions): AltNode | undefined {
  try {
    return new Parser(pattern, options).parse()
  } catch (error) {
    if (error instanceof Outside) return undefined
    throw error
  }
}

class Parser {
  readonly #text: string
  readonly #options: ParseOptions
  readonly #dot: CharSet
  #at: number
  #depth = 0

  constructor(text: string, options: ParseOptions) {
    const [head = '', flags = ''] = /^\(\?([ims]+)\)/.exec(text) ?? []
    this.#text = text
    this.#at = head.length
    this.#options = { ...options, ignoreCase: options.ignoreCase || flags.includes('i') }
    this.#dot = flags.includes('s') && !options.lines ? ALL : without(ALL, NEWLINE)
  }

  parse(): AltNode {
    const alt = this.#alternatives()
    if (this.#at < this.#text.length) throw new Outside()
    return alt
  }

  #peek(): string {
    return this.#text[this.#at] ?? ''
  }

  #eat(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  #code(): number {
    const code = this.#text.codePointAt(this.#at)
    if (code === undefined) throw new Outside()
    this.#at += code > 0xffff ? 2 : 1
    return code
  }

  #alternatives(): AltNode {
    const options = [this.#sequence()]
    while (this.#eat('|')) options.push(this.#sequence())
    return { kind: 'alt', options }
  }

  #sequence(): Seq {
    const items: Item[] = []
    while (this.#at < this.#text.length && this.#peek() !== '|' && this.#peek() !== ')') {
      const item = this.#quantified(this.#atom())
      // A group without quantifier that contains one sequence is replaced by that sequence.
      if (item.node.kind === 'alt' && item.node.options.length === 1 && item.min === 1 && item.max === 1)
        items.push(...(item.node.options[0] ?? []))
      else items.push(item)
    }
    return items
  }

  #quantified(node: Item['node']): Item {
    const bounds = this.#quantifier()
    if (!bounds) return once(node)
    if (node.kind === 'edge') throw new Outside()
    const lazy = this.#eat('?')
    if (this.#quantifier()) throw new Outside()
    return { node, min: bounds[0], max: bounds[1], lazy }
  }

  #quantifier(): readonly [min: number, max: number] | undefined {
    if (this.#eat('*')) return [0, Number.POSITIVE_INFINITY]
    if (this.#eat('+')) return [1, Number.POSITIVE_INFINITY]
    if (this.#eat('?')) return [0, 1]
    if (this.#peek() !== '{') return undefined
    REPEAT.lastIndex = this.#at
    const found = REPEAT.exec(this.#text)
    // A brace that does not start a repetition is literal. If digits follow it, RE2 may reject the pattern, so leave it to RE2.
    if (!found) return /\d/.test(this.#text[this.#at + 1] ?? '') ? this.#outside() : undefined
    this.#at += found[0].length
    const min = Number(found[1])
    const max = found[2] === undefined ? min : found[3] === undefined ? Number.POSITIVE_INFINITY : Number(found[3])
    if (max < min || min > 1000 || (max > 1000 && max !== Number.POSITIVE_INFINITY)) throw new Outside()
    return [min, max]
  }

  #outside(): never {
    throw new Outside()
  }

  #atom(): Item['node'] {
    switch (this.#peek()) {
      case '(':
        return this.#group()
      case '[':
        return { kind: 'char', set: this.#class() }
      case '\\':
        return this.#escape()
      case '.':
        this.#at++
        return { kind: 'char', set: this.#dot }
      case '^':
        this.#at++
        return { kind: 'edge', at: 'start' }
      case '$':
        this.#at++
        return { kind: 'edge', at: 'end' }
      case '{':
        if (this.#quantifier()) throw new Outside()
        return this.#literal()
      case '*':
      case '+':
      case '?':
        throw new Outside()
      default:
        return this.#literal()
    }
  }

  #literal(): Item['node'] {
    return { kind: 'char', set: this.#set(single(this.#code())) }
  }

  #group(): Item['node'] {
    this.#at++
    if (this.#peek() === '?' && !this.#eat('?:')) throw new Outside()
    if (++this.#depth > MAX_DEPTH) throw new Outside()
    const alt = this.#alternatives()
    if (!this.#eat(')')) throw new Outside()
    this.#depth--
    return alt
  }

  #escape(): Item['node'] {
    if (this.#eat('\\b')) return { kind: 'edge', at: 'word' }
    return { kind: 'char', set: this.#perlClass() ?? this.#set(single(this.#escaped())) }
  }

  /** Folds the case of the pattern's own characters, and removes line breaks. */
  #set(set: CharSet, negated = false): CharSet {
    if (this.#options.ignoreCase && (set[set.length - 1] ?? 0) > 0x7f) throw new Outside()
    const folded = this.#options.ignoreCase ? foldAscii(set) : set
    const whole = negated ? negate(folded) : folded
    return this.#options.lines ? without(whole, NEWLINE) : whole
  }

  #perlClass(): CharSet | undefined {
    const letter = this.#text[this.#at + 1] ?? ''
    const set = PERL[letter.toLowerCase()]
    if (!set) return undefined
    this.#at += 2
    return this.#set(set, letter < 'a')
  }

  /** Reads an escape for a single character and returns its code point. */
  #escaped(): number {
    this.#at++
    const code = this.#code()
    const char = String.fromCodePoint(code)
    const control = CONTROL[char]
    if (control !== undefined) return control
    if (char === 'x') return this.#hex()
    if (code < 0x21 || code > 0x7e || /\w/.test(char)) throw new Outside()
    return code
  }

  #hex(): number {
    const found = /^(?:\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{2}))/.exec(this.#text.slice(this.#at, this.#at + 8))
    const code = Number.parseInt(found?.[1] ?? found?.[2] ?? '', 16)
    if (!found || !(code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff)) throw new Outside()
    this.#at += found[0].length
    return code
  }

  #class(): CharSet {
    this.#at++
    const negated = this.#eat('^')
    // Explicit members are folded here. Perl classes among them are already folded and negated.
    const members: number[] = []
    const sets: number[] = []
    for (let first = true; first || this.#peek() !== ']'; first = false) {
      if (this.#peek() === '[' && this.#text[this.#at + 1] === ':') throw new Outside()
      const perl = this.#peek() === '\\' ? this.#perlClass() : undefined
      if (perl) sets.push(...perl)
      else members.push(...this.#range())
    }
    this.#at++
    const set = charSet([...this.#set(charSet(members)), ...sets])
    const whole = negated ? negate(set) : set
    return this.#options.lines ? without(whole, NEWLINE) : whole
  }

  #range(): readonly [number, number] {
    const lo = this.#member()
    if (this.#peek() !== '-' || this.#text[this.#at + 1] === ']') return [lo, lo]
    this.#at++
    const hi = this.#member()
    if (hi < lo) throw new Outside()
    return [lo, hi]
  }

  #member(): number {
    return this.#peek() === '\\' ? this.#escaped() : this.#code()
  }
}
