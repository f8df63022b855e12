import type { Alternatives, Edge, Node, SetPart } from './nodes.js'

export interface Dialect {
  /** Whether characters are Unicode characters. Otherwise, they are bytes. */
  readonly unicode: boolean
  /** Whether to generate source for re2js, which has no lookaround. Otherwise, for JavaScript. */
  readonly re2: boolean
  /** Whether `^` and `$` also match at line breaks. */
  readonly multiline: boolean
  /** Whether matches must stay within a line, to search many lines in one text. Not for re2js. */
  readonly inLine?: boolean
}

const ASCII: Readonly<Record<string, string>> = {
  alpha: 'a-zA-Z',
  digit: '0-9',
  alnum: 'a-zA-Z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\t\\n\\v\\f\\r ',
  blank: '\\t ',
  punct: '!-\\/:-@\\[-`\\{-~',
  print: ' -~',
  graph: '!-~',
  cntrl: '\\x00-\\x1f\\x7f',
  xdigit: '0-9A-Fa-f',
  word: 'a-zA-Z0-9_',
}
const UNICODE: Readonly<Record<string, string>> = {
  ...ASCII,
  alpha: '\\p{L}\\p{M}',
  alnum: '\\p{L}\\p{M}0-9',
  upper: '\\p{Lu}',
  lower: '\\p{Ll}',
  punct: '\\p{P}\\p{S}',
  print: ' -~\\u{a0}-\\u{10ffff}',
  graph: '!-~\\u{a1}-\\u{10ffff}',
  word: '\\p{L}\\p{M}0-9_',
}
/** Converts code point escapes for re2js. */
const forRe2 = (source: string): string => source.replace(/\\u\{(\w+)\}/g, '\\x{$1}')

/** Returns the members of a POSIX class inside brackets, for re2js. Empty for an unknown class. */
export const classSource = (name: string): string => forRe2(UNICODE[name] ?? '')

export const LINE_BEGIN = '(?:^|(?<=\\n))'
export const LINE_END = '(?=\\n|$)'

const SPECIAL = /[\\^$.*+?()[\]{}|/-]/

/** Generates the source of an expression for JavaScript or re2js. */
export function emit(body: Alternatives, dialect: Dialect): string {
  return body.map((sequence) => sequence.map((node) => emitNode(node, dialect)).join('')).join('|')
}

function emitNode(node: Node, dialect: Dialect): string {
  switch (node.kind) {
    case 'char':
      return dialect.inLine && node.char === '\n' ? '(?!)' : emitChar(node.char)
    case 'any':
      return dialect.re2 ? '(?s:.)' : dialect.inLine ? '[^\\n]' : '[^]'
    case 'set':
      return emitSet(node.negated, node.parts, dialect)
    case 'edge':
      return emitEdge(node.at, dialect)
    case 'group':
      return `(${emit(node.body, dialect)})`
    case 'back':
      return `(?:\\${node.index})`
    case 'repeat':
      return emitRepeat(node, dialect)
  }
}

/** Generates a repetition. POSIX allows repeating a zero-width assertion, so the assertion is wrapped in a group. */
function emitRepeat({ node, min, max }: Extract<Node, { kind: 'repeat' }>, dialect: Dialect): string {
  const inner = emitNode(node, dialect)
  const quantifier = max === Number.POSITIVE_INFINITY ? (min === 0 ? '*' : min === 1 ? '+' : `{${min},}`) : `{${min},${max}}`
  return node.kind === 'repeat' || node.kind === 'edge' ? `(?:${inner})${quantifier}` : `${inner}${quantifier}`
}

function emitChar(char: string): string {
  if (char === '\n') return '\\n'
  if (char === '-') return '\\x2d'
  return SPECIAL.test(char) ? `\\${char}` : char
}

function emitSet(negated: boolean, parts: readonly SetPart[], dialect: Dialect): string {
  const members = parts.map((part) => emitPart(part, dialect)).join('')
  if (!dialect.inLine) return `[${negated ? '^' : ''}${members}]`
  if (negated) return `[^${members}\\n]`
  return parts.every((part) => 'from' in part && part.from > '\n') ? `[${members}]` : `(?:(?!\\n)[${members}])`
}

function emitPart(part: SetPart, { unicode, re2 }: Dialect): string {
  if ('from' in part) return part.from === part.to ? emitChar(part.from) : `${emitChar(part.from)}-${emitChar(part.to)}`
  const names = unicode ? UNICODE : ASCII
  const source = names[part.name] as string
  const members = re2 ? forRe2(source) : source
  if (!part.negated) return members
  // Only `\W` and `\S` are negated. They never share a bracket expression with other members.
  return part.name === 'word' && unicode ? `^${members}` : part.name === 'word' ? '\\W' : '\\S'
}

function emitEdge(at: Edge, { re2, unicode, multiline, inLine }: Dialect): string {
  if (inLine && (at === 'textBegin' || at === 'begin')) return LINE_BEGIN
  if (inLine && (at === 'textEnd' || at === 'end')) return LINE_END
  if (at === 'begin') return multiline ? (re2 ? '(?m:^)' : LINE_BEGIN) : re2 ? '\\A' : '^'
  if (at === 'end') return multiline ? (re2 ? '(?m:$)' : LINE_END) : re2 ? '\\z' : '$'
  if (at === 'textBegin') return re2 ? '\\A' : '^'
  if (at === 'textEnd') return re2 ? '\\z' : '$'
  if (re2) return at === 'inWord' ? '\\B' : '\\b'
  const word = `[${(unicode ? UNICODE : ASCII).word}]`
  if (at === 'wordBegin') return `(?:(?<!${word})(?=${word}))`
  if (at === 'wordEnd') return `(?:(?<=${word})(?!${word}))`
  if (!unicode) return at === 'word' ? '\\b' : '\\B'
  const border = `(?<!${word})(?=${word})|(?<=${word})(?!${word})`
  return at === 'word' ? `(?:${border})` : `(?!${border})`
}
