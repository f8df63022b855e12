/** The result of scanning JavaScript tokens without a parser. */
export interface Scan {
  /**
   * Specifiers of `require('x')`, `require.resolve('x')` and `module.require('x')`, in order, without duplicates. Includes unreachable
   * code.
   */
  readonly requires: readonly string[]
  /** Whether there is an `await` outside every function. */
  readonly topLevelAwait: boolean
}

/** An open bracket and its context. */
interface Level {
  readonly close: ')' | ']' | '}' | '`'
  /** Whether the bracket is inside a function. */
  readonly inFunction: boolean
  /** Whether a slash after the closing bracket divides. Otherwise it begins a regular expression. */
  readonly operandAfter: boolean
  /** For `(`: the word before it. */
  readonly word: string
  /** Whether the bracket is in the body of an arrow function without braces. */
  arrow: boolean
}

const BLOCK_WORDS = new Set(['if', 'for', 'while', 'switch', 'catch', 'with', 'await'])
/** A `{` after one of these begins a block. */
const BEFORE_BLOCK = new Set(['else', 'do', 'try', 'finally', 'static'])
/** An operand follows these words, so a slash after one begins a regular expression. */
const BEFORE_OPERAND = new Set(
  'return typeof instanceof in of new delete void throw case do else yield await extends default export import'.split(' '),
)
const BETWEEN_OPERANDS = new Set(['in', 'of', 'instanceof', 'as', 'from'])
const WORD = /[\p{ID_Continue}$\\]+/uy
const NOT_AN_AWAIT = /\s*(?:[=;,).:\]}]|$)/y
const ARGUMENT =
  /\s*(?:\?\.\s*)?(?:\.\s*resolve\s*)?\(\s*(?:\/\*[\s\S]{0,200}?\*\/\s*)?(?:'([^'\\\n]*)'|"([^"\\\n]*)"|`([^`\\$]*)`)\s*[,)]/y

/** Scans JavaScript for loads of CommonJS modules and for a top-level `await`. `names`: functions that load modules like `require`. */
export function scan(code: string, names: ReadonlySet<string> = new Set(['require'])): Scan {
  const requires = new Set<string>()
  const levels: Level[] = [{ close: '}', inFunction: false, operandAfter: false, word: '', arrow: false }]
  let topLevelAwait = false
  let at = 0
  /** Whether the last token was an operand. */
  let operand = false
  /** The last word or sign: `)`, `=>`, `.`, a word. */
  let last = ''
  /** The word or sign before `last`. */
  let before = ''
  let newline = false
  /** The word before the parenthesis that closed last. */
  let callee = ''

  const top = (): Level => levels[levels.length - 1] as Level
  const token = (text: string, isOperand: boolean): void => {
    before = last
    last = text
    operand = isOperand
    newline = false
  }
  const open = (close: Level['close'], inFunction: boolean, operandAfter: boolean, word = ''): void => {
    levels.push({ close, inFunction: inFunction || top().inFunction || top().arrow, operandAfter, word, arrow: false })
  }
  /** Ends a statement at a line break between two operands. */
  const endStatement = (): void => {
    if (operand && newline) top().arrow = false
  }

  const template = (): void => {
    for (; at < code.length; at++) {
      const c = code[at]
      if (c === '\\') at++
      else if (c === '`') {
        at++
        token('`', true)
        return
      } else if (c === '$' && code[at + 1] === '{') {
        at += 2
        open('`', false, true)
        token('{', false)
        return
      }
    }
  }

  const readWord = (): void => {
    WORD.lastIndex = at
    const word = WORD.exec(code)?.[0]
    if (word === undefined) {
      at++
      token('', false)
      return
    }
    at += word.length
    if (!BETWEEN_OPERANDS.has(word)) endStatement()
    const isProperty = last === '.' && !(before === 'module' && word === 'require')
    if (!isProperty && names.has(word)) {
      ARGUMENT.lastIndex = at
      const found = ARGUMENT.exec(code)
      const name = found?.[1] ?? found?.[2] ?? found?.[3]
      if (name) requires.add(name)
    }
    if (word === 'await' && !isProperty && !top().inFunction && !top().arrow) {
      NOT_AN_AWAIT.lastIndex = at
      if (!NOT_AN_AWAIT.test(code)) topLevelAwait = true
    }
    token(word, isProperty || !BEFORE_OPERAND.has(word))
  }

  const openBrace = (): void => {
    const isFunction = last === '=>' || last === 'static' || (last === ')' && !BLOCK_WORDS.has(callee))
    const isBlock = isFunction || last === ')' || last === ';' || last === '{' || last === '}' || last === '' || BEFORE_BLOCK.has(last)
    if (last === '=>') top().arrow = false
    open('}', isFunction, !isBlock)
    token('{', false)
  }

  const close = (sign: string): void => {
    at++
    const level = levels.length > 1 ? (levels.pop() as Level) : top()
    if (level.close === '`') {
      template()
      return
    }
    callee = sign === ')' ? level.word : ''
    token(sign, sign === '}' ? level.operandAfter : !(sign === ')' && BLOCK_WORDS.has(level.word)))
  }

  while (at < code.length) {
    const c = code.charCodeAt(at)
    if (c === 32 || c === 9 || c === 13) at++
    else if (c === 10) {
      newline = true
      at++
    } else if (c === 47 && code.charCodeAt(at + 1) === 47) {
      const end = code.indexOf('\n', at)
      at = end < 0 ? code.length : end
    } else if (c === 47 && code.charCodeAt(at + 1) === 42) {
      const end = code.indexOf('*/', at + 2)
      if (end < 0) break
      newline ||= code.slice(at, end).includes('\n')
      at = end + 2
    } else if (c === 47 && !operand) {
      at = endOfRegex(code, at)
      token('/', true)
    } else if (c === 34 || c === 39) {
      endStatement()
      at = endOfString(code, at, c)
      token("'", true)
    } else if (c === 96) {
      at++
      template()
    } else if (c === 40) {
      open(')', false, true, last)
      at++
      token('(', false)
    } else if (c === 91) {
      open(']', false, true)
      at++
      token('[', false)
    } else if (c === 123) {
      at++
      openBrace()
    } else if (c === 41) close(')')
    else if (c === 93) close(']')
    else if (c === 125) close('}')
    else if (c === 61 && code.charCodeAt(at + 1) === 62) {
      at += 2
      token('=>', false)
      top().arrow = true
    } else if (c === 44 || c === 59) {
      top().arrow = false
      at++
      token(c === 59 ? ';' : ',', false)
    } else if (isWordStart(c)) readWord()
    else {
      // In `x++ / 2`, the slash divides.
      const doubled = (c === 43 || c === 45) && code.charCodeAt(at + 1) === c
      at += doubled ? 2 : 1
      token(c === 46 ? '.' : 'sign', doubled && operand)
    }
  }
  return { requires: [...requires], topLevelAwait }
}

function isWordStart(c: number): boolean {
  return (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || c === 36 || c === 95 || c === 92 || c > 127
}

function endOfString(code: string, start: number, quote: number): number {
  for (let at = start + 1; at < code.length; at++) {
    const c = code.charCodeAt(at)
    if (c === 92) at++
    else if (c === quote || c === 10) return at + 1
  }
  return code.length
}

function endOfRegex(code: string, start: number): number {
  let inClass = false
  for (let at = start + 1; at < code.length; at++) {
    const c = code.charCodeAt(at)
    if (c === 92) at++
    else if (c === 91) inClass = true
    else if (c === 93) inClass = false
    else if (c === 10) return at
    else if (c === 47 && !inClass) return at + 1
  }
  return code.length
}

const FUNCTION = 'createRequire'
/** Number of characters to inspect on both sides of `createRequire`, enough for a usual statement. */
const AROUND = 300
const CREATED = /([\p{ID_Continue}$]+)\s*=\s*(?:[\p{ID_Continue}$]+\s*\.\s*)?$/u
const CALLED = /^createRequire\s*\([^()]*\)\s*\(\s*(?:'([^'\\\n]+)'|"([^"\\\n]+)")\s*\)/

/** Returns the specifiers that an ES module loads with functions from `createRequire`. */
export function scanCreatedRequires(code: string): readonly string[] {
  const names = new Set<string>()
  const direct: string[] = []
  for (let at = code.indexOf(FUNCTION); at >= 0; at = code.indexOf(FUNCTION, at + FUNCTION.length)) {
    const name = CREATED.exec(code.slice(Math.max(0, at - AROUND), at))?.[1]
    if (name !== undefined) names.add(name)
    const called = CALLED.exec(code.slice(at, at + AROUND))
    const specifier = called?.[1] ?? called?.[2]
    if (specifier !== undefined) direct.push(specifier)
  }
  return [...new Set([...(names.size > 0 ? scan(code, names).requires : []), ...direct])]
}
