import { skipDocuments } from '../here-documents.js'
import { readAnsiEscape } from './ansi-quoted.js'
import { type CommandPlace, commandPlace } from './command-place.js'
import type { Quote } from './quoting.js'

/** A character of a word's value, or a variable in it. */
export interface Unit {
  /** The character, or the name of the variable. */
  readonly text: string
  readonly isVariable: boolean
  /** Whether the character is neither quoted nor escaped, so that the shell may interpret it. */
  readonly isBare: boolean
  /** Offset after the unit. */
  readonly end: number
  /** The quote that is open after the unit. */
  readonly quote: Quote
}

/** The construct that a text ends with, which can be completed. */
export type Ending =
  | { readonly kind: 'word'; readonly start: number; readonly units: readonly Unit[]; readonly quote: Quote; readonly place: CommandPlace }
  /** The name of a variable that begins at `start`. */
  | { readonly kind: 'variable'; readonly start: number; readonly isBraced: boolean }

interface OpenWord {
  readonly start: number
  readonly units: Unit[]
  quote: Quote
  /** Whether the value is only known at run time. */
  isUnknown: boolean
}

/** A list of commands that ends with `closer`, or the content of `${}` or of arithmetic. */
interface Frame {
  readonly closer: ')' | '`' | '}' | '))' | undefined
  /** Whether the words are values: `a=(…)`. */
  readonly isArray: boolean
  /** The words of the current command, as written. */
  words: string[]
  word: OpenWord | undefined
  /** Whether the next word is the target of a redirection. */
  isRedirected: boolean
  /** Number of open parentheses in arithmetic. */
  depth: number
}

/**
 * Finds what to complete at the end of an incomplete script. Returns undefined if nothing can be completed there, as in a comment. Follows
 * the shell's grammar, except for rules that need the complete script. Does not run the script.
 */
export function scan(text: string): Ending | undefined {
  return new Scanner(text).scan()
}

const DOCUMENT = /<<-?[ \t]*(?:'[^'\n]*'|"[^"\n]*"|[^\s;|&<>()'"]+)/y
const DOCUMENT_BEGUN = /<<-?[ \t]*(?:'[^'\n]*|"[^"\n]*)?$/y
const REDIRECTION = /<<<|<>|[<>]&|>>|>\||[<>]/y
const VARIABLE = /\$([A-Za-z_]\w*)|\$\{([A-Za-z_]\w*)\}/y
const VARIABLE_BEGUN = /\$(\{?)(?:[A-Za-z_]\w*)?$/y
const PARAMETER = /\$[\d?@*#$!-]/y

class Scanner {
  readonly #text: string
  readonly #frames: Frame[] = [frameOf(undefined)]
  #at = 0
  /** Here-documents whose text begins on the next line. */
  #documents: string[] = []
  #variable: Ending | undefined
  /** Whether the text ends in a comment or a here-document. */
  #isNowhere = false

  constructor(text: string) {
    this.#text = text
  }

  scan(): Ending | undefined {
    while (this.#at < this.#text.length) this.#step()
    if (this.#isNowhere) return undefined
    if (this.#variable) return this.#variable
    const { closer, word, words, isArray, isRedirected } = this.#top
    if (closer === '}' || closer === '))' || word?.isUnknown) return undefined
    const place: CommandPlace = isArray || isRedirected ? { role: 'argument' } : commandPlace(words)
    return { kind: 'word', start: word?.start ?? this.#at, units: word?.units ?? [], quote: word?.quote ?? '', place }
  }

  get #top(): Frame {
    return this.#frames.at(-1) as Frame
  }

  #step(): void {
    const { closer, word } = this.#top
    if (word?.quote === "'") this.#inSingle(word)
    else if (word?.quote === "$'") this.#inAnsi(word)
    else if (word?.quote === '"') this.#inDouble(word)
    else if (closer === '}' || closer === '))') this.#inExpression(closer)
    else this.#inCommands()
  }

  #inSingle(word: OpenWord): void {
    if (this.#next() === "'") this.#close(word)
    else this.#unit(this.#next())
  }

  #inAnsi(word: OpenWord): void {
    const one = this.#next()
    if (one === "'") this.#close(word)
    else if (one === '\\') {
      const read = readAnsiEscape(this.#text, this.#at)
      word.isUnknown ||= read === undefined
      this.#unit(read?.value ?? one, read?.length ?? 1)
    } else this.#unit(one)
  }

  #inDouble(word: OpenWord): void {
    const one = this.#next()
    const escaped = this.#text[this.#at + 1]
    if (one === '"') this.#close(word)
    else if (one === '$') this.#dollar()
    else if (one === '`') this.#backtick()
    else if (one !== '\\') this.#unit(one)
    else if (escaped === '\n') this.#at += 2
    else if (escaped !== undefined && '\\"$`'.includes(escaped)) this.#unit(escaped, 2)
    else this.#unit(one)
  }

  /** In `${…}` and in arithmetic only variables are completed. */
  #inExpression(closer: '}' | '))'): void {
    const frame = this.#top
    const one = this.#next()
    const isQuoted = this.#frames.at(-2)?.word?.quote === '"'
    if (one === '$') this.#dollar()
    else if (one === '`') this.#backtick()
    else if (one === '"' || (one === "'" && !isQuoted && closer === '}')) this.#open(one, 1)
    else if (closer === '}' && one === '}') this.#pop(1)
    else if (closer === '))' && one === ')' && frame.depth === 0 && this.#text[this.#at + 1] === ')') this.#pop(2)
    else {
      if (one === '(') frame.depth += 1
      else if (one === ')') frame.depth -= 1
      this.#at += one === '\\' ? 2 : one.length
    }
  }

  #inCommands(): void {
    const one = this.#next()
    switch (one) {
      case '\\':
        this.#escaped()
        return
      case "'":
      case '"':
        this.#open(one, 1)
        return
      case '$':
        this.#dollar()
        return
      case '`':
        this.#backtick()
        return
      case '<':
      case '>':
        this.#redirection()
        return
      case '(':
        this.#bracket()
        return
      case ')':
        this.#endCommand()
        if (this.#top.closer === ')') this.#frames.pop()
        this.#at += 1
        return
      case '\n':
        this.#newline()
        return
      case ';':
      case '|':
        this.#endCommand()
        this.#at += 1
        return
      case '&':
        if (this.#text[this.#at + 1] === '>') this.#endWord()
        else this.#endCommand()
        this.#at += 1
        return
      case ' ':
      case '\t':
        this.#endWord()
        this.#at += 1
        return
    }
    if (one === '#' && !this.#top.word) this.#comment()
    else this.#unit(one)
  }

  #next(): string {
    return String.fromCodePoint(this.#text.codePointAt(this.#at) as number)
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)
    if (!match) return undefined
    this.#at += match[0].length
    return match
  }

  #word(): OpenWord {
    const frame = this.#top
    frame.word ??= { start: this.#at, units: [], quote: '', isUnknown: false }
    return frame.word
  }

  /** Adds a unit and advances by its written length. */
  #unit(text: string, written = text.length): void {
    const word = this.#word()
    this.#at += written
    word.units.push({
      text,
      isVariable: false,
      isBare: word.quote === '' && written === text.length,
      end: this.#at,
      quote: word.quote,
    })
  }

  #escaped(): void {
    const escaped = this.#text.codePointAt(this.#at + 1)
    if (escaped === undefined) {
      this.#word()
      this.#at += 1
    } else if (escaped === 10) this.#at += 2
    else {
      const one = String.fromCodePoint(escaped)
      this.#unit(one, one.length + 1)
    }
  }

  #open(quote: Quote, written: number): void {
    this.#word().quote = quote
    this.#at += written
  }

  #close(word: OpenWord): void {
    word.quote = ''
    this.#at += 1
  }

  #dollar(): void {
    const begun = this.#take(VARIABLE_BEGUN)
    if (begun) {
      const { index, 1: brace = '' } = begun
      this.#variable = { kind: 'variable', start: index + 1 + brace.length, isBraced: brace !== '' }
      return
    }
    const word = this.#word()
    const variable = this.#take(VARIABLE)
    if (variable) {
      const { quote } = word
      word.units.push({ text: variable[1] ?? variable[2] ?? '', isVariable: true, isBare: false, end: this.#at, quote })
      return
    }
    if (word.quote === '' && this.#text.startsWith("$'", this.#at)) this.#open("$'", 2)
    else if (word.quote === '' && this.#text.startsWith('$"', this.#at)) this.#open('"', 2)
    else if (this.#take(/\$\(\(/y)) this.#push('))')
    else if (this.#take(/\$\(/y)) this.#push(')')
    else if (this.#take(/\$\{/y)) this.#push('}')
    else if (this.#take(PARAMETER)) word.isUnknown = true
    else this.#unit('$')
  }

  #backtick(): void {
    if (this.#top.closer === '`') this.#pop(1)
    else {
      this.#word()
      this.#at += 1
      this.#push('`')
    }
  }

  /** Opens a nested construct whose value becomes part of the current word. */
  #push(closer: Frame['closer']): void {
    this.#word().isUnknown = true
    this.#frames.push(frameOf(closer))
  }

  #pop(written: number): void {
    this.#frames.pop()
    this.#at += written
  }

  #bracket(): void {
    const { word } = this.#top
    const last = word?.units.at(-1)
    if (word && last?.isBare && last.text === '=') {
      word.isUnknown = true
      this.#frames.push(frameOf(')', true))
      this.#at += 1
    } else if (!word && this.#take(/\(\(/y)) this.#push('))')
    else {
      this.#endCommand()
      this.#frames.push(frameOf(')'))
      this.#at += 1
    }
  }

  #redirection(): void {
    const { word } = this.#top
    // The digits before a redirection are its file descriptor, not a word.
    if (word && /^\d+$/.test(this.#text.slice(word.start, this.#at))) this.#top.word = undefined
    else this.#endWord()
    if (this.#take(/[<>]\(/y)) {
      this.#push(')')
      return
    }
    const isText = this.#text.startsWith('<<<', this.#at)
    const document = isText ? undefined : this.#take(DOCUMENT)
    if (document) this.#documents.push(document[0])
    if (document || (!isText && this.#take(DOCUMENT_BEGUN))) {
      this.#isNowhere = this.#at === this.#text.length
      return
    }
    this.#take(REDIRECTION)
    this.#top.isRedirected = true
  }

  #newline(): void {
    this.#endCommand()
    this.#at += 1
    if (this.#documents.length === 0) return
    const end = skipDocuments(this.#text, this.#at, this.#documents)
    this.#isNowhere = end === undefined
    this.#at = end ?? this.#text.length
    this.#documents = []
  }

  #comment(): void {
    const end = this.#text.indexOf('\n', this.#at)
    this.#isNowhere = end < 0
    this.#at = end < 0 ? this.#text.length : end
  }

  #endWord(): void {
    const frame = this.#top
    if (!frame.word) return
    if (!frame.isRedirected) frame.words.push(this.#text.slice(frame.word.start, this.#at))
    frame.isRedirected = false
    frame.word = undefined
  }

  #endCommand(): void {
    this.#endWord()
    this.#top.words = []
    this.#top.isRedirected = false
  }
}

function frameOf(closer: Frame['closer'], isArray = false): Frame {
  return { closer, isArray, words: [], word: undefined, isRedirected: false, depth: 0 }
}
