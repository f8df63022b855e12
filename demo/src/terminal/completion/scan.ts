import { skipDocuments } from '../here-documents.js'
import { readAnsiEscape } from './ansi-quoted.js'
import { type CommandPlace, commandPlace } from './command-place.js'
import type { Quote } from './quoting.js'

/** A character of what a word stands for, or a variable in it. */
export interface Unit {
  /** The character, or the variable's name. */
  readonly text: string
  readonly isVariable: boolean
  /** Neither quoted nor escaped: the shell may take it for more than itself. */
  readonly isBare: boolean
  /** Where the text goes on behind it. */
  readonly end: number
  /** The quote that is open behind it. */
  readonly quote: Quote
}

/** What a text ends in. */
export type Ending =
  | { readonly kind: 'word'; readonly start: number; readonly units: readonly Unit[]; readonly quote: Quote; readonly place: CommandPlace }
  /** The name of a variable, which begins at `start`. */
  | { readonly kind: 'variable'; readonly start: number; readonly isBraced: boolean }

interface OpenWord {
  readonly start: number
  readonly units: Unit[]
  quote: Quote
  /** What it stands for is known only when it runs. */
  isUnknown: boolean
}

/** A list of commands that ends in `closer`, or what stands in `${}` or in arithmetic. */
interface Frame {
  readonly closer: ')' | '`' | '}' | '))' | undefined
  /** Its words are values: `a=(…)`. */
  readonly isArray: boolean
  /** Of the command that is being read, as they are written. */
  words: string[]
  word: OpenWord | undefined
  /** The next word is where a redirection goes. */
  isRedirected: boolean
  /** Round brackets that are open in arithmetic. */
  depth: number
}

/**
 * What there is to complete at the end of a script that goes on. Undefined: nothing, as in a comment. As a shell reads it, but for what only
 * a whole script shows; nothing is run.
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
  /** Here-documents whose text begins with the next line. */
  #documents: string[] = []
  #variable: Ending | undefined
  /** The end is in a comment or in a here-document. */
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

  /** In `${…}` and in arithmetic there is nothing to complete but variables. */
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

  /** Takes a character that is written in so many. */
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

  /** What begins here ends up in the word that is open. */
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
    // The number of what is redirected.
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
