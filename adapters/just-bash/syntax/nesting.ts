// Finds the end of quotations, expansions and command substitutions like bash. Skips nested constructs as a whole, because their comments,
// quotes, `case` patterns and here-documents may contain any character. Built into the library (patches/nesting.patch).

/** Ends the script with this message. */
export type Fail = (message: string) => never

type Open = '(' | 'list' | 'glob' | 'word' | 'in' | 'pattern' | 'body'

interface Document {
  readonly delimiter: string
  readonly tabs: boolean
}

/** Words after which a command begins. */
const OPENERS = new Set(['!', '{', 'do', 'elif', 'else', 'if', 'then', 'time', 'until', 'while'])

// Maximum nesting depth, the same as in the parser.
const MAX_DEPTH = 200

/** Returns the index after the escape, quotation or expansion at `at`, or `at` itself if there is none. */
export function nestedEnd(text: string, at: number, fail: Fail): number {
  return /[\\'"`$]/.test(text[at] ?? '') ? new Nesting(text, fail).nested(at) : at
}

/**
 * Returns the index after the arithmetic expression at `at`, or undefined if `((` opens two subshells, whose parentheses close separately.
 */
export function arithmeticEnd(text: string, at: number, fail: Fail): number | undefined {
  return new Nesting(text, fail).arithmetic(at)
}

/** Returns the index of the parenthesis that ends the commands at `at`. */
export function commandsEnd(text: string, at: number, fail: Fail): number {
  return new Nesting(text, fail).commands(at)
}

/** Returns the index after the bracket that closes the one at `at`. */
export function bracketsEnd(text: string, at: number, fail: Fail): number {
  return new Nesting(text, fail).brackets(at)
}

class Nesting {
  private depth = 0
  /** Cached results by position, so that repeated reads of an enclosing construct do not repeat the work. */
  private readonly tried = new Map<number, number | undefined>()
  private readonly text: string
  private readonly fail: Fail

  constructor(text: string, fail: Fail) {
    this.text = text
    this.fail = fail
  }

  nested(at: number): number {
    const next = this.text[at] === '$' ? this.text[at + 1] : undefined
    if (this.text[at] === "'") return this.closed(at + 1, "'", (place) => place)
    if (next === "'") return this.closed(at + 2, "'", (place) => this.escaped(place))
    if (this.text[at] === '"') return this.closed(at + 1, '"', (place) => this.expansion(place))
    if (next === '"') return this.closed(at + 2, '"', (place) => this.expansion(place))
    return this.expansion(at)
  }

  brackets(at: number): number {
    return this.closed(at + 1, ']', (place) => (this.text[place] === '[' ? this.brackets(place) : this.nested(place)))
  }

  arithmetic(at: number): number | undefined {
    if (!this.text.startsWith('((', at)) return undefined
    if (this.tried.has(at)) return this.tried.get(at)
    const end = this.parentheses(at + 1)
    const found = this.text[end] === ')' ? end + 1 : undefined
    this.tried.set(at, found)
    return found
  }

  commands(from: number): number {
    return this.deeper(() => new Commands(this, this.text, this.fail).end(from))
  }

  /** Skips constructs that are also special inside double quotes. */
  private expansion(at: number): number {
    if (this.text[at] === '`') return this.closed(at + 1, '`', (place) => this.escaped(place))
    if (this.text[at] !== '$') return this.escaped(at)
    if (this.text[at + 1] === '{') return this.closed(at + 2, '}', (place) => this.nested(place))
    if (this.text[at + 1] === '[') return this.brackets(at + 1)
    if (this.text[at + 1] === '(') return this.arithmetic(at + 1) ?? this.commands(at + 2) + 1
    return at
  }

  private escaped(at: number): number {
    return this.text[at] === '\\' ? Math.min(at + 2, this.text.length) : at
  }

  private parentheses(at: number): number {
    return this.closed(at + 1, ')', (place) => (this.text[place] === '(' ? this.parentheses(place) : this.nested(place)))
  }

  private closed(from: number, close: string, past: (at: number) => number): number {
    return this.deeper(() => {
      for (let at = from; at < this.text.length; ) {
        const end = past(at)
        if (end > at) at = end
        else if (this.text[at++] === close) return at
      }
      return this.fail(`unexpected EOF while looking for matching \`${close}'`)
    })
  }

  private deeper(find: () => number): number {
    if (++this.depth > MAX_DEPTH) this.fail(`quotes and expansions are nested more than ${MAX_DEPTH} deep`)
    const found = find()
    this.depth--
    return found
  }
}

class Commands {
  private readonly open: Open[] = []
  private documents: Document[] = []
  /** Whether the next word is the first of a command. */
  private first = true
  private readonly nesting: Nesting
  private readonly text: string
  private readonly fail: Fail

  constructor(nesting: Nesting, text: string, fail: Fail) {
    this.nesting = nesting
    this.text = text
    this.fail = fail
  }

  end(from: number): number {
    for (let at = from, wordEnd = -1; at < this.text.length; ) {
      const char = this.text[at] ?? ''
      const top = this.open.at(-1)
      if (char === ')' && top === undefined) return at
      if (char === '\n') at = this.newline(at)
      else if (char === ' ' || char === '\t') at++
      else if (this.text.startsWith('\\\n', at)) at += 2
      else if (char === '#' && top !== 'glob') at = this.lineEnd(at)
      else if (char === '(') at = this.parenthesis(at, at === wordEnd)
      else if (char === ')') at = this.closing(at)
      else if (/[;&|]/.test(char)) at = this.separator(at)
      else if (char === '<' || char === '>') at = wordEnd = this.redirection(at)
      else at = wordEnd = this.word(at)
    }
    return this.fail("unexpected EOF while looking for matching `)'")
  }

  private begins(): void {
    const top = this.open.at(-1)
    this.first = top !== 'list' && top !== 'glob'
  }

  private newline(at: number): number {
    this.begins()
    const documents = this.documents
    this.documents = []
    return documents.reduce((start, document) => this.documentEnd(start, document), at + 1)
  }

  private documentEnd(start: number, { delimiter, tabs }: Document): number {
    for (let at = start; at < this.text.length; ) {
      const end = this.lineEnd(at)
      const line = this.text.slice(at, end)
      at = end + 1
      if ((tabs ? line.replace(/^\t+/, '') : line) === delimiter) return at
    }
    return this.text.length
  }

  private lineEnd(at: number): number {
    const end = this.text.indexOf('\n', at)
    return end < 0 ? this.text.length : end
  }

  private parenthesis(at: number, joinsWord: boolean): number {
    const end = joinsWord ? undefined : this.nesting.arithmetic(at)
    if (end !== undefined) {
      this.first = false
      return end
    }
    if (joinsWord) this.open.push(this.text[at - 1] === '=' ? 'list' : 'glob')
    else if (this.open.at(-1) !== 'pattern') this.open.push('(')
    this.begins()
    return at + 1
  }

  private closing(at: number): number {
    if (this.open.at(-1) === 'pattern') {
      this.open.splice(-1, 1, 'body')
      this.first = true
    } else {
      this.open.pop()
      // After `f()`, the body of the function begins, which is a command.
      this.first = this.text[at - 1] === '('
    }
    return at + 1
  }

  private separator(at: number): number {
    this.begins()
    if (this.open.at(-1) !== 'body' || !/^;[;&]/.test(this.text.slice(at, at + 2))) return at + 1
    this.open.splice(-1, 1, 'pattern')
    return at + 2
  }

  private redirection(at: number): number {
    if (this.text[at + 1] === '(') return this.nesting.commands(at + 2) + 1
    if (this.text.startsWith('<<<', at)) return at + 3
    if (!this.text.startsWith('<<', at)) return at + 1
    const tabs = this.text[at + 2] === '-'
    let start = at + (tabs ? 3 : 2)
    while (/[ \t]/.test(this.text[start] ?? '')) start++
    const end = this.wordEnd(start)
    const delimiter = this.text
      .slice(start, end)
      .replace(/\\(.)|\$?'([^']*)'|\$?"([^"]*)"/g, (_, ...parts: string[]) => parts.slice(0, 3).join(''))
    this.documents.push({ delimiter, tabs })
    return end
  }

  private word(at: number): number {
    const end = this.wordEnd(at)
    const word = this.text.slice(at, end)
    const top = this.open.at(-1)
    if (top === 'word') this.open.splice(-1, 1, 'in')
    else if (top === 'in') this.open.splice(-1, 1, 'pattern')
    else if (this.first && word === 'esac' && (top === 'pattern' || top === 'body')) this.open.pop()
    else if (this.first && word === 'case') this.open.push('word')
    this.first = top === 'in' || (this.first && OPENERS.has(word))
    return end
  }

  private wordEnd(from: number): number {
    let at = from
    while (at < this.text.length && !/[\s;&|()<>]/.test(this.text[at] ?? '')) at = Math.max(at + 1, this.nesting.nested(at))
    return at
  }
}
