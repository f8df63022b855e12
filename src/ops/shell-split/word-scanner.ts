import { expansionAt, UNTERMINATED } from './expansion.js'
import { endOfNested } from './nested.js'
import { type Expansion, PATTERN_CHARS, type ShellWord } from './types.js'

const END = new Set(' \t\n;|&()<>')

export interface Unparsable {
  readonly at: number
  readonly reason: string
}

export type Scanned = { readonly word: ShellWord } | Unparsable

/** Scans one word that begins at `start`. Adds its expansions to `expansions`. */
export class WordScanner {
  readonly #text: string
  readonly #expansions: Expansion[]
  #i = 0
  #plain = ''
  #pattern = ''
  #quotedAt: number | undefined
  #expands = false

  constructor(text: string, expansions: Expansion[]) {
    this.#text = text
    this.#expansions = expansions
  }

  scan(start: number): Scanned {
    this.#i = start
    this.#plain = ''
    this.#pattern = ''
    this.#quotedAt = undefined
    this.#expands = false
    const problem = this.#run()
    if (problem) return problem
    const word = { text: this.#plain, pattern: this.#pattern, expands: this.#expands, start, end: this.#i }
    return { word: this.#quotedAt === undefined ? word : { ...word, quotedAt: this.#quotedAt } }
  }

  #run(): Unparsable | undefined {
    const text = this.#text
    while (this.#i < text.length) {
      const at = this.#i
      const char = text[at] as string
      if (isProcess(text, at)) {
        const end = endOfNested(text, at + 2, ')')
        if (end < 0) return { at, reason: `"${char}(" is not closed` }
        this.#expand({ kind: 'process', start: at, end })
      } else if (END.has(char)) {
        return undefined
      } else {
        const problem = this.#part(char, at)
        if (problem) return problem
      }
    }
    return undefined
  }

  #part(char: string, at: number): Unparsable | undefined {
    if (char === '\\') return this.#escape(at)
    if (char === "'") return this.#single(at)
    if (char === '"') return this.#double(at)
    if (char === '$' || char === '`') return this.#dollar(char, at, false)
    this.#i++
    this.#plain += char
    this.#pattern += char
    return undefined
  }

  #escape(at: number): Unparsable | undefined {
    const next = this.#text[at + 1]
    if (next === undefined) return { at, reason: 'it ends in a backslash' }
    this.#i += 2
    if (next !== '\n') this.#quote(next)
    return undefined
  }

  #single(at: number): Unparsable | undefined {
    const end = this.#text.indexOf("'", at + 1)
    if (end < 0) return { at, reason: 'a single quote is not closed' }
    this.#quote(this.#text.slice(at + 1, end))
    this.#i = end + 1
    return undefined
  }

  #double(at: number): Unparsable | undefined {
    const text = this.#text
    this.#quote('')
    let from = at + 1
    for (this.#i = from; this.#i < text.length; ) {
      const char = text[this.#i] as string
      const next = text[this.#i + 1] ?? ''
      if (char === '"') {
        this.#quote(text.slice(from, this.#i++))
        return undefined
      }
      if (char === '\\' && '$`"\\\n'.includes(next) && next !== '') {
        this.#quote(text.slice(from, this.#i) + (next === '\n' ? '' : next))
        from = this.#i += 2
      } else if (char === '$' || char === '`') {
        this.#quote(text.slice(from, this.#i))
        const problem = this.#dollar(char, this.#i, true)
        if (problem) return problem
        from = this.#i
      } else {
        this.#i++
      }
    }
    return { at, reason: 'a double quote is not closed' }
  }

  #dollar(char: string, at: number, quoted: boolean): Unparsable | undefined {
    const expansion = expansionAt(this.#text, at, quoted)
    if (expansion === UNTERMINATED)
      return { at, reason: char === '`' ? 'a backtick is not closed' : `"$${this.#text[at + 1]}" is not closed` }
    if (expansion) {
      this.#expand(expansion)
      return undefined
    }
    this.#i++
    if (quoted) this.#quote(char)
    else {
      this.#plain += char
      this.#pattern += char
    }
    return undefined
  }

  #expand(expansion: Expansion): void {
    this.#expansions.push(expansion)
    this.#expands = true
    this.#quote(this.#text.slice(expansion.start, expansion.end))
    this.#i = expansion.end
  }

  #quote(text: string): void {
    this.#quotedAt ??= this.#plain.length
    this.#plain += text
    this.#pattern += escapePattern(text)
  }
}

const isProcess = (text: string, at: number): boolean => (text[at] === '<' || text[at] === '>') && text[at + 1] === '('

const NEEDS_ESCAPE = /[\\*?[\]{},~!^]/g

function escapePattern(text: string): string {
  return text.length === 1 && !PATTERN_CHARS.includes(text) ? text : text.replaceAll(NEEDS_ESCAPE, '\\$&')
}
