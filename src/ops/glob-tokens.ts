import { ALL, type CharSet } from './char-set.js'
import { parseClass } from './glob-class.js'

/** A part of a component. */
export type Token =
  | { readonly kind: 'text'; readonly text: string }
  /** Matches one character of the set. `source`: the text of a class, which may also be a literal name: `[id]`. */
  | { readonly kind: 'char'; readonly set: CharSet; readonly source?: string }
  | { readonly kind: 'star' }
  | { readonly kind: 'group'; readonly operator: GroupOperator; readonly options: readonly (readonly Token[])[] }

type GroupOperator = '?' | '*' | '+' | '@' | '!'

const OPERATORS = '?*+@!'

/** Parses one component without braces and slashes. Unclosed brackets and groups are literal. `asGit`: as for `parseClass`. */
export function parseTokens(source: string, asGit = false): Token[] {
  return parseUntil(source, 0, asGit)?.options[0] ?? []
}

// Parsed groups by their start; undefined for an unclosed group. Without this cache, `@(@(@(` would be parsed again at every level.
type Groups = Map<number, Parsed | undefined>

interface Parsed {
  readonly options: Token[][]
  readonly end: number
}

/** Parses tokens up to the end, or inside a group up to its closing parenthesis. Undefined if the group is not closed. */
function parseUntil(source: string, from: number, asGit: boolean, groups: Groups = new Map(), inGroup = false): Parsed | undefined {
  const options: Token[][] = [[]]
  let tokens: Token[] = options[0] ?? []
  let i = from
  while (i < source.length) {
    const char = source[i] ?? ''
    if (inGroup && char === ')') return { options, end: i + 1 }
    if (inGroup && char === '|') {
      tokens = []
      options.push(tokens)
      i++
      continue
    }
    const part = partAt(source, i, asGit, groups)
    addPart(tokens, part.token)
    i = part.end
  }
  return inGroup ? undefined : { options, end: i }
}

function partAt(source: string, at: number, asGit: boolean, groups: Groups): { readonly token: Token; readonly end: number } {
  const char = source[at] ?? ''
  if (source[at + 1] === '(' && OPERATORS.includes(char)) {
    if (!groups.has(at)) groups.set(at, parseUntil(source, at + 2, asGit, groups, true))
    const group = groups.get(at)
    if (group) return { token: { kind: 'group', operator: char as GroupOperator, options: group.options }, end: group.end }
  }
  if (char === '\\') return { token: { kind: 'text', text: source[at + 1] ?? '' }, end: at + 2 }
  if (char === '*') return { token: { kind: 'star' }, end: at + 1 }
  if (char === '?') return { token: { kind: 'char', set: ALL }, end: at + 1 }
  const found = char === '[' ? parseClass(source, at, asGit) : undefined
  if (found) return { token: { kind: 'char', set: found.set, source: source.slice(at, found.end) }, end: found.end }
  return { token: { kind: 'text', text: char }, end: at + 1 }
}

/** Merges adjacent texts, and adjacent stars. */
function addPart(tokens: Token[], token: Token): void {
  const last = tokens[tokens.length - 1]
  if (token.kind === 'star' && last?.kind === 'star') return
  if (token.kind === 'text' && last?.kind === 'text') tokens[tokens.length - 1] = { kind: 'text', text: last.text + token.text }
  else tokens.push(token)
}
