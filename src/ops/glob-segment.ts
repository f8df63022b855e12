import { type CharSet, has, single } from './char-set.js'
import { matchGroups, nestsNegation } from './glob-group.js'
import { parseTokens, type Token } from './glob-tokens.js'

type NameTest = (name: string) => boolean

const DOT = 46

/** Matches one component of a path. */
export interface Segment {
  /** The only matching name, if there is exactly one. */
  readonly literal?: string
  readonly test: NameTest
}

/** Why a component is invalid, for the error message. */
export class SegmentError extends Error {}

export interface SegmentOptions {
  /** Whether wildcards match a name that begins with a dot. Otherwise the component has to contain the dot. Default true. */
  readonly dots?: boolean
  /**
   * Whether to match as in a `.gitignore`. If not, the component also matches its literal text, and a class its own text: `[id].ts`,
   * `@(group)`. Default false.
   */
  readonly asGit?: boolean
}

/** Compiles one component of a glob, without slashes and braces. @throws SegmentError */
export function compileSegment(source: string, { dots = true, asGit = false }: SegmentOptions = {}): Segment {
  const tokens = parseTokens(source, asGit)
  const literal = literalOf(tokens)
  if (literal !== undefined) return { literal, test: (name) => name === literal }
  const fits = matcherOf(tokens, dots, asGit)
  return { test: asGit ? fits : (name) => name === source || fits(name) }
}

function matcherOf(tokens: readonly Token[], dots: boolean, asGit: boolean): NameTest {
  if (tokens.some(({ kind }) => kind === 'group')) return groupsOf(tokens, dots)
  const wild = simple(tokens) ?? matchWildcards(tokens)
  const classes = tokens.flatMap((token) => (!asGit && token.kind === 'char' && token.source) || [])
  let written: NameTest | undefined
  // Test the literal text of classes last, because few names contain it.
  const fits: NameTest = (name) => {
    if (!name.includes('[') || !classes.some((source) => name.includes(source))) return wild(name)
    written ??= matchGroups(tokens, dots)
    return written(name)
  }
  const test = classes.length > 0 ? fits : wild
  return dots || tokens[0]?.kind === 'text' ? test : (name) => name.charCodeAt(0) !== DOT && test(name)
}

function groupsOf(tokens: readonly Token[], dots: boolean): NameTest {
  if (nestsNegation(tokens))
    throw new SegmentError('"!(...)" inside another group is not supported: use a list with an exclusion such as "!*.md"')
  const fits = matchGroups(tokens, dots)
  const prefix = textAt(tokens, 0)
  const suffix = textAt(tokens, tokens.length - 1)
  return (name) => name.startsWith(prefix) && name.endsWith(suffix) && fits(name)
}

function literalOf(tokens: readonly Token[]): string | undefined {
  const [first, ...rest] = tokens
  return rest.length === 0 && (!first || first.kind === 'text') ? (first?.text ?? '') : undefined
}

/** Creates a fast test for `*`, `*.ext`, `name*` and `name*.ext`; undefined for other patterns. */
function simple(tokens: readonly Token[]): NameTest | undefined {
  const star = tokens.findIndex(({ kind }) => kind === 'star')
  if (star < 0 || tokens.some(({ kind }, i) => i !== star && kind !== 'text')) return undefined
  const prefix = textAt(tokens, star - 1)
  const suffix = textAt(tokens, star + 1)
  if (prefix === '' && suffix === '') return () => true
  if (prefix === '') return (name) => name.endsWith(suffix)
  if (suffix === '') return (name) => name.startsWith(prefix)
  const least = prefix.length + suffix.length
  return (name) => name.length >= least && name.startsWith(prefix) && name.endsWith(suffix)
}

function textAt(tokens: readonly Token[], at: number): string {
  const token = tokens[at]
  return token?.kind === 'text' ? token.text : ''
}

/**
 * Creates a test that backtracks only to the last star, because an earlier star can only reach the same position later. The time is at most
 * the length of the pattern times the length of the name.
 */
function matchWildcards(tokens: readonly Token[]): NameTest {
  const sets = tokens.flatMap((token) => elements(token))
  const suffix = textAt(tokens, tokens.length - 1)
  const prefix = textAt(tokens, 0)
  // Test the pattern's longest text first, because most names do not contain it.
  const longest = tokens.reduce((most, token) => (token.kind === 'text' && token.text.length > most.length ? token.text : most), '')
  return (name) => name.startsWith(prefix) && name.endsWith(suffix) && name.includes(longest) && fits(sets, name)
}

/** One element per character of a name; `undefined` for a star. */
function elements(token: Token): (CharSet | undefined)[] {
  if (token.kind === 'text') return Array.from(token.text, (char) => single(char.codePointAt(0) ?? 0))
  return [token.kind === 'char' ? token.set : undefined]
}

function fits(sets: readonly (CharSet | undefined)[], name: string): boolean {
  let at = 0
  let next = 0
  let star = -1
  let resume = 0
  while (at < name.length) {
    const code = name.codePointAt(at) ?? 0
    const set = sets[next]
    if (next < sets.length && set === undefined) {
      star = next++
      resume = at
    } else if (set !== undefined && has(set, code)) {
      at += code > 0xffff ? 2 : 1
      next++
    } else if (star >= 0) {
      resume += (name.codePointAt(resume) ?? 0) > 0xffff ? 2 : 1
      at = resume
      next = star + 1
    } else {
      return false
    }
  }
  while (next < sets.length && sets[next] === undefined) next++
  return next === sets.length
}
