import { type PendingHeredoc, readHeredoc } from './heredoc.js'
import { operatorAt } from './operators.js'
import { isSafeRedirection } from './redirections.js'
import { reservedWord } from './reserved.js'
import type {
  Assignment,
  Construct,
  Expansion,
  Redirection,
  RedirectOperator,
  Separator,
  ShellLine,
  ShellSegment,
  ShellWord,
} from './types.js'
import { type Unparsable, WordScanner } from './word-scanner.js'

const ASSIGNMENT = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=/
const DESCRIPTOR = /^(?:\d+|\{[A-Za-z_]\w*\})$/

interface OpenSegment {
  readonly assignments: Assignment[]
  readonly words: ShellWord[]
  readonly redirections: Redirection[]
  start: number
  end: number
}

/** One pass over a command line. */
export class ShellScanner {
  readonly #text: string
  readonly #segments: ShellSegment[] = []
  readonly #expansions: Expansion[] = []
  readonly #constructs: Construct[] = []
  readonly #heredocs: PendingHeredoc[] = []
  readonly #words: WordScanner
  #open: OpenSegment = emptySegment()
  #i = 0
  /** An operator that wants a command behind it. */
  #wants: { readonly operator: string; readonly at: number } | undefined
  #problem: Unparsable | undefined

  constructor(text: string) {
    this.#text = text
    this.#words = new WordScanner(text, this.#expansions)
  }

  run(): ShellLine {
    while (this.#i < this.#text.length && !this.#problem) this.#step()
    if (!this.#problem) this.#finish()
    const line = { segments: this.#segments, expansions: this.#expansions, constructs: this.#constructs }
    return this.#problem ? { ...line, unparsable: this.#problem } : line
  }

  #step(): void {
    const char = this.#text[this.#i] as string
    const next = this.#text[this.#i + 1]
    if (char === ' ' || char === '\t') this.#i++
    else if (char === '\\' && next === '\n') this.#i += 2
    else if (char === '\n') this.#newline()
    else if (char === '#') this.#skipComment()
    else if ((char === '<' || char === '>') && next === '(') this.#word()
    else if (char === '(' || char === ')') this.#parenthesis(char)
    else this.#operatorOrWord()
  }

  #operatorOrWord(): void {
    const operator = operatorAt(this.#text, this.#i)
    if (!operator) this.#word()
    else if (operator.redirects) this.#redirect(operator.text as RedirectOperator, undefined)
    else this.#separate(operator.text)
  }

  #skipComment(): void {
    const newline = this.#text.indexOf('\n', this.#i)
    this.#i = newline < 0 ? this.#text.length : newline
  }

  #newline(): void {
    this.#i++
    if (!this.#wants || !isEmpty(this.#open)) this.#close('\n')
    for (const heredoc of this.#heredocs.splice(0)) {
      const end = readHeredoc(this.#text, this.#i, heredoc, this.#expansions)
      if (typeof end !== 'number') {
        this.#problem = end
        return
      }
      // Behind the newline of the delimiter's line.
      this.#i = Math.min(end + 1, this.#text.length)
    }
  }

  #separate(operator: string): void {
    const at = this.#i
    this.#i += operator.length
    if (operator.startsWith(';') && operator !== ';') this.#construct('case', operator, at)
    if (isEmpty(this.#open) && this.#constructs.length === 0) {
      this.#problem = { at, reason: `there is no command before "${operator}"` }
      return
    }
    const separator = operator.startsWith(';') ? ';' : (operator as Separator)
    this.#close(separator)
    this.#wants = separator === ';' || separator === '&' ? undefined : { operator, at }
  }

  #parenthesis(char: string): void {
    const at = this.#i++
    const before = this.#open.words.at(-1)
    const isFunction = char === '(' && before?.end === at && this.#open.words.length === 1
    const isArray = char === '(' && this.#open.end === at && this.#open.assignments.length > 0
    this.#construct(isFunction ? 'function' : isArray ? 'array' : 'subshell', char, at)
    this.#close(undefined)
  }

  #construct(kind: Construct['kind'], text: string, start: number): void {
    this.#constructs.push({ kind, text, start, end: start + text.length })
    this.#wants = undefined
  }

  #word(): void {
    const scanned = this.#words.scan(this.#i)
    if ('reason' in scanned) {
      this.#problem = scanned
      return
    }
    const { word } = scanned
    this.#i = word.end
    const next = this.#text[word.end]
    if ((next === '<' || next === '>') && word.quotedAt === undefined && DESCRIPTOR.test(word.text)) {
      const operator = operatorAt(this.#text, word.end)
      if (operator?.redirects) {
        this.#redirect(operator.text as RedirectOperator, word)
        return
      }
    }
    this.#add(word)
  }

  #add(word: ShellWord): void {
    const open = this.#open
    this.#wants = undefined
    if (open.words.length === 0) {
      const reserved = open.assignments.length === 0 ? reservedWord(word) : undefined
      if (reserved) {
        if (reserved.construct) this.#construct(reserved.construct, word.text, word.start)
        if (reserved.before) return
      }
      const assignment = assignmentOf(word)
      if (assignment) {
        const { name, start } = assignment
        // Shells calculate what is in the brackets, however harmless it looks: a variable in it may hold `b[$(x)]`.
        if (word.text[name.length] === '[') this.#construct('array', '[', start + name.length)
        this.#extend(word.start, word.end)
        open.assignments.push(assignment)
        return
      }
    }
    this.#extend(word.start, word.end)
    open.words.push(word)
  }

  #redirect(operator: RedirectOperator, fd: ShellWord | undefined): void {
    const start = fd?.start ?? this.#i
    this.#i += operator.length
    this.#skipBlanks()
    if (this.#i >= this.#text.length || '\n;|&()<>#'.includes(this.#text[this.#i] as string)) {
      this.#problem = { at: start, reason: `there is nothing behind "${operator}"` }
      return
    }
    const known = this.#expansions.length
    const scanned = this.#words.scan(this.#i)
    if ('reason' in scanned) {
      this.#problem = scanned
      return
    }
    const target = scanned.word
    this.#i = target.end
    if (operator === '<<' || operator === '<<-') this.#heredoc(operator, target, known)
    const redirection = { operator, target, start, end: target.end, safe: isSafeRedirection(operator, fd?.text, target) }
    this.#open.redirections.push(fd ? { ...redirection, fd: fd.text } : redirection)
    this.#wants = undefined
    this.#extend(start, target.end)
  }

  #heredoc(operator: string, target: ShellWord, known: number): void {
    if (target.expands || this.#expansions.length > known || target.text.includes('\n')) {
      this.#problem = { at: target.start, reason: 'the delimiter of a heredoc is no plain word' }
      return
    }
    const quoted = target.quotedAt !== undefined
    this.#heredocs.push({ delimiter: target.text, quoted, tabs: operator === '<<-', at: target.start })
  }

  #skipBlanks(): void {
    for (;;) {
      const char = this.#text[this.#i]
      if (char === ' ' || char === '\t') this.#i++
      else if (char === '\\' && this.#text[this.#i + 1] === '\n') this.#i += 2
      else return
    }
  }

  #extend(start: number, end: number): void {
    if (isEmpty(this.#open)) this.#open.start = start
    this.#open.end = end
  }

  #close(separator: Separator | undefined): void {
    const open = this.#open
    if (isEmpty(open)) return
    this.#open = emptySegment()
    this.#segments.push(separator === undefined ? open : { ...open, separator })
  }

  #finish(): void {
    const missing = this.#heredocs[0]
    if (missing) this.#problem = { at: missing.at, reason: `the heredoc has no line "${missing.delimiter}" that ends it` }
    else if (this.#wants && isEmpty(this.#open))
      this.#problem = { at: this.#wants.at, reason: `there is no command behind "${this.#wants.operator}"` }
    this.#close(undefined)
  }
}

const emptySegment = (): OpenSegment => ({ assignments: [], words: [], redirections: [], start: 0, end: 0 })

const isEmpty = ({ assignments, words, redirections }: OpenSegment): boolean =>
  assignments.length === 0 && words.length === 0 && redirections.length === 0

/** `NAME=value` with nothing quoted up to the `=`. */
function assignmentOf({ text, quotedAt, start, end }: ShellWord): Assignment | undefined {
  const match = ASSIGNMENT.exec(text)
  if (!match || (quotedAt !== undefined && quotedAt < match[0].length)) return undefined
  return { name: match[1] as string, value: text.slice(match[0].length), start, end }
}
