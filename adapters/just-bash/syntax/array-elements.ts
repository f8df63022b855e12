import { readAnsiQuoted } from './ansi-quoting.js'

/** An element of `name=(...)`: with a `key` as in `[key]=value`, `append` as in `[key]+=value`. */
export interface ArrayElement {
  readonly key?: string | undefined
  readonly value: string
  readonly append?: boolean | undefined
}

/** The source text of an element `[key]=value` in a script. */
export interface KeyedSource {
  readonly key: string
  readonly value: string
  readonly append: boolean
  /** Position after the element. */
  readonly end: number
}

const BLANK = /[\s]/
const ENDS_WORD = /[\s;|&<>()]/
const SPECIAL = /[\s;|&<>()*?[\]{}~#!]/

/** Reads the element at `at`. Returns undefined if the element has no subscript. Built into just-bash by `scripts/vendor.mjs`. */
export function keyedAt(source: string, at: number): KeyedSource | undefined {
  if (source[at] !== '[') return undefined
  const close = closingBracket(source, at)
  const mark = close < 0 ? null : /^\+?=/.exec(source.slice(close + 1, close + 3))
  if (!mark || close === at + 1) return undefined
  const from = close + 1 + mark[0].length
  const end = endOf(source, from, (char) => ENDS_WORD.test(char))
  return { key: oneWord(source.slice(at + 1, close)), value: source.slice(from, end), append: mark[0] === '+=', end }
}

function closingBracket(source: string, at: number): number {
  let depth = 0
  const end = endOf(source, at, (char) => {
    if (char === '[') depth++
    if (char === ']') depth--
    return depth === 0
  })
  return end < source.length ? end : -1
}

/** Returns the index of the first character outside of quotes and substitutions for which `stops` is true. */
function endOf(source: string, from: number, stops: (char: string) => boolean): number {
  let at = from
  while (at < source.length) {
    const next = skipped(source, at)
    if (next === at && stops(source[at] as string)) return at
    at = Math.max(next, at + 1)
  }
  return at
}

/** Returns the index after a quotation or substitution at `at`, or `at` itself if there is none. */
function skipped(source: string, at: number): number {
  switch (source[at]) {
    case '\\':
      return at + 2
    case "'":
      return behind(source, source.indexOf("'", at + 1))
    case '"':
      return inDoubleQuotes(source, at + 1)
    case '`':
      return endOf(source, at + 1, (char) => char === '`') + 1
    case '$':
      return dollar(source, at)
    default:
      return at
  }
}

const behind = (source: string, found: number): number => (found < 0 ? source.length : found + 1)

function inDoubleQuotes(source: string, from: number): number {
  let at = from
  while (at < source.length && source[at] !== '"') {
    const nests = source[at] === '\\' || source[at] === '`' || /^\$[({]/.test(source.slice(at, at + 2))
    at = nests ? skipped(source, at) : at + 1
  }
  return at + 1
}

function dollar(source: string, at: number): number {
  const open = source[at + 1]
  if (open === "'") return readAnsiQuoted(source, at + 2).end
  if (open !== '(' && open !== '{') return at
  const close = open === '(' ? ')' : '}'
  let depth = 0
  const end = endOf(source, at + 1, (char) => {
    if (char === open) depth++
    if (char === close) depth--
    return depth === 0
  })
  return end + 1
}

/** Quotes the source of a subscript so that it stays a single word. */
function oneWord(source: string): string {
  let word = ''
  for (let at = 0; at < source.length; ) {
    const next = skipped(source, at)
    const char = source[at] as string
    if (next > at) word += source.slice(at, next)
    else word += SPECIAL.test(char) ? `'${char}'` : char
    at = Math.max(next, at + 1)
  }
  return word
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Formats elements as a text that `readElements` parses. Keys and values may contain any character. */
export function elementsText(elements: readonly ArrayElement[]): string {
  return elements
    .map(({ key, value, append }) => (key === undefined ? quoted(value) : `[${quoted(key)}]${append ? '+=' : '='}${quoted(value)}`))
    .join(' ')
}

/** Parses the elements of a list in a text without expansions (`declare 'a=(1 2)'`). */
export function readElements(text: string): ArrayElement[] {
  const elements: ArrayElement[] = []
  for (let at = 0; at < text.length; ) {
    if (BLANK.test(text[at] as string)) {
      at++
      continue
    }
    const keyed = keyedAt(text, at)
    const end = keyed?.end ?? endOf(text, at, (char) => BLANK.test(char))
    if (keyed) elements.push({ key: unquoted(keyed.key), value: unquoted(keyed.value), append: keyed.append })
    else elements.push({ value: unquoted(text.slice(at, end)) })
    at = Math.max(end, at + 1)
  }
  return elements
}

function unquoted(source: string): string {
  let text = ''
  for (let at = 0; at < source.length; ) {
    const next = skipped(source, at)
    const part = source.slice(at, Math.max(next, at + 1))
    if (part.startsWith('\\')) text += part.slice(1)
    else if (part.startsWith("'")) text += part.slice(1, -1)
    else if (part.startsWith("$'")) text += readAnsiQuoted(source, at + 2).value
    else if (part.startsWith('"')) text += part.slice(1, -1).replace(/\\(["\\$`])/g, '$1')
    else text += part
    at += part.length
  }
  return text
}
