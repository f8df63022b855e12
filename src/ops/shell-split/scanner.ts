import { type PendingHeredoc, readHeredoc } from './heredoc.js'
import type {
  Assignment,
  Construct,
  ConstructKind,
  Expansion,
  Redirection,
  RedirectOperator,
  Separator,
  ShellLine,
  ShellSegment,
  ShellWord,
} from './types.js'
import { type Unparsable, WordScanner } from './word-scanner.js'

interface Operator {
  readonly text: string
  readonly redirects: boolean
}

const SEPARATORS = ['&&', '||', '|&', ';;&', ';;', ';&', ';', '|', '&']
const REDIRECTIONS = ['<<<', '<<-', '<<', '<&', '<>', '<', '&>>', '&>', '>>', '>|', '>&', '>']
const OPERATORS: readonly Operator[] = [
  ...REDIRECTIONS.map((text) => ({ text, redirects: true })),
  ...SEPARATORS.map((text) => ({ text, redirects: false })),
]
const BY_FIRST = new Map(['<', '>', '&', '|', ';'].map((first) => [first, OPERATORS.filter(({ text }) => text.startsWith(first))] as const))

/** Returns the longest operator at this offset: a separator of commands, or a redirection. */
function operatorAt(text: string, at: number): Operator | undefined {
  return BY_FIRST.get(text[at] ?? '')?.find((operator) => text.startsWith(operator.text, at))
}

const ASSIGNMENT = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=/
const DESCRIPTOR = /^(?:\d+|\{[A-Za-z_]\w*\})$/

interface OpenSegment {
  readonly assignments: Assignment[]
  readonly words: ShellWord[]
  readonly redirections: Redirection[]
  start: number
  end: number
}

/** Scans a command line in one pass. */
export class ShellScanner {
  readonly #text: string
  readonly #segments: ShellSegment[] = []
  readonly #expansions: Expansion[] = []
  readonly #constructs: Construct[] = []
  readonly #heredocs: PendingHeredoc[] = []
  readonly #words: WordScanner
  #open: OpenSegment = emptySegment()
  #i = 0
  /** An operator after which a command must follow. */
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
      // Continue after the line with the delimiter.
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
        // Shells evaluate the subscript as arithmetic, which can run a command even if the text looks harmless: a variable in it may
        // contain `b[$(x)]`.
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
      this.#problem = { at: start, reason: `there is nothing after "${operator}"` }
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
      this.#problem = { at: target.start, reason: 'the delimiter of a heredoc is not a plain word' }
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
      this.#problem = { at: this.#wants.at, reason: `there is no command after "${this.#wants.operator}"` }
    this.#close(undefined)
  }
}

const emptySegment = (): OpenSegment => ({ assignments: [], words: [], redirections: [], start: 0, end: 0 })

const isEmpty = ({ assignments, words, redirections }: OpenSegment): boolean =>
  assignments.length === 0 && words.length === 0 && redirections.length === 0

/** Parses `NAME=value` if nothing before the `=` is quoted. */
function assignmentOf({ text, quotedAt, start, end }: ShellWord): Assignment | undefined {
  const match = ASSIGNMENT.exec(text)
  if (!match || (quotedAt !== undefined && quotedAt < match[0].length)) return undefined
  return { name: match[1] as string, value: text.slice(match[0].length), start, end }
}

const OUTPUTS: readonly string[] = ['/dev/null', '/dev/zero', '/dev/stdout', '/dev/stderr']
const INPUTS: readonly string[] = ['/dev/null', '/dev/zero']

/** Whether the redirection does not access a file: a null device, a standard stream, or text in the command line. */
function isSafeRedirection(operator: RedirectOperator, fd: string | undefined, target: ShellWord): boolean {
  if (fd?.startsWith('{')) return false
  if (operator === '<<' || operator === '<<-' || operator === '<<<') return true
  if (target.expands) return false
  if (operator === '>&' || operator === '<&') {
    if (/^(?:\d+-?|-)$/.test(target.text)) return true
    return operator === '>&' && OUTPUTS.includes(target.text)
  }
  if (operator === '<') return INPUTS.includes(target.text)
  return operator !== '<>' && OUTPUTS.includes(target.text)
}

interface Reserved {
  readonly construct?: ConstructKind
  /** Whether another command starts right after the reserved word. */
  readonly before: boolean
}

const BEFORE: readonly string[] = ['if', 'then', 'else', 'elif', 'while', 'until', 'do']
const OTHERS: readonly string[] = ['fi', 'done', 'esac', 'for', 'select', 'case', 'function', '[[', 'coproc', 'repeat', 'foreach', 'end']
const RESERVED = new Map<string, Reserved>([
  ['!', { before: true }],
  ['{', { construct: 'group', before: true }],
  ['}', { construct: 'group', before: true }],
  ...BEFORE.map((word) => [word, { construct: 'compound', before: true }] as const),
  ...OTHERS.map((word) => [word, { construct: 'compound', before: false }] as const),
])

/** Returns the meaning of a reserved word at the start of a command. Undefined for a command name. Quoted words are never reserved. */
function reservedWord({ text, quotedAt }: ShellWord): Reserved | undefined {
  return quotedAt === undefined ? RESERVED.get(text) : undefined
}
