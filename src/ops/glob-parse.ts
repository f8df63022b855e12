import { expand } from 'brace-expansion'
import { InputError } from '../errors/index.js'
import { compileSegment, type Segment, SegmentError } from './glob-segment.js'

/** Any number of components, also none. */
export const ANY_DEPTH = '**'

/** One glob without braces. */
export interface GlobPath {
  readonly components: readonly (Segment | typeof ANY_DEPTH)[]
  /** The components as they were written. */
  readonly sources: readonly string[]
  /** It ended with a slash: directories only. */
  readonly dirOnly: boolean
  /** It began with `!`. */
  readonly exclude: boolean
}

const MAX_LENGTH = 4096
const MAX_PATHS = 1000
/** Of all patterns that a list and its braces stand for: compiling as much takes some milliseconds. */
const MAX_TOTAL = 65_536

/** Stand-ins from the private use area; a glob that holds them itself is refused. */
const HIDDEN: Readonly<Record<string, string>> = { '\\': '\ue000', '{': '\ue001', '}': '\ue002', ',': '\ue003' }
const SHOWN: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(HIDDEN).map(([mark, hidden]) => [hidden, mark]))

/** @throws InputError */
export function parseGlobs(pattern: string | readonly string[]): GlobPath[] {
  const patterns = typeof pattern === 'string' ? [pattern] : pattern
  if (patterns.length === 0)
    throw new InputError('invalid_input', 'Cannot use an empty list of globs: name at least one', issues('the list is empty'))
  const paths: GlobPath[] = []
  const room = { left: MAX_TOTAL }
  for (const source of patterns) {
    for (const path of parseGlob(source, room)) paths.push(path)
    if (paths.length > MAX_PATHS) throw refusal(source, `it stands for more than ${MAX_PATHS} patterns: use fewer braces`)
  }
  return paths
}

function parseGlob(source: string, room: { left: number }): GlobPath[] {
  if (source.length > MAX_LENGTH) throw refusal(source, `it has ${source.length} characters, at most ${MAX_LENGTH} are allowed`)
  if (source.includes('\0')) throw refusal(source, 'it holds a NUL character')
  if (/[\ue000-\ue003]/.test(source)) throw refusal(source, 'it holds a character of the private use area, U+E000 to U+E003')
  // `!(a|b)` is a group.
  const exclude = source.startsWith('!') && source[1] !== '('
  const body = exclude ? source.slice(1) : source
  if (body === '') throw refusal(source, 'it is empty: use "**" for everything')
  const expanded = expandBraces(body)
  if (expanded.length > MAX_PATHS) throw refusal(source, `it stands for more than ${MAX_PATHS} patterns: use fewer braces`)
  for (const path of expanded) room.left -= path.length
  if (room.left < 0) throw refusal(source, `the patterns have more than ${MAX_TOTAL} characters together: use fewer or shorter ones`)
  return expanded.map((path) => ({ ...parsePath(path, source), exclude }))
}

/** `{a,b}` and `{1..3}`; a brace that is escaped or in a class is a character. */
function expandBraces(glob: string): string[] {
  if (!glob.includes('{')) return [glob]
  // The library knows no classes, and undoes one level of escaping: both are hidden from it.
  const hidden = glob.replaceAll(/\\[\s\S]|\[[!^]?\]?[^\]/]*\]/g, (part) => part.replaceAll(/[\\{},]/g, (mark) => HIDDEN[mark] ?? mark))
  return expand(hidden, { max: MAX_PATHS + 1 }).map((path) => path.replaceAll(/[\ue000-\ue003]/g, (mark) => SHOWN[mark] ?? mark))
}

function parsePath(path: string, source: string): Omit<GlobPath, 'exclude'> {
  const names = split(path, source)
  const dirOnly = names.length > 1 && names[names.length - 1] === ''
  const sources = names
    .filter((name) => name !== '' && name !== '.')
    .filter((name, i, all) => name !== ANY_DEPTH || all[i - 1] !== ANY_DEPTH)
  const components = sources.map((name) => (name === ANY_DEPTH ? ANY_DEPTH : segmentOf(name, source)))
  if (components.length === 0)
    throw refusal(source, 'it names the start directory itself: use "*" for what is in it, or "**" for everything')
  return { components, sources, dirOnly }
}

/** Cuts at slashes. An escaped slash is one all the same, since no name can hold it. */
function split(path: string, source: string): string[] {
  const names = ['']
  let group = false
  for (let i = 0; i < path.length; i++) {
    const char = path[i] ?? ''
    const escaped = char === '\\'
    const value = escaped ? (path[++i] ?? '') : char
    if (escaped && value === '')
      throw refusal(source, 'it ends with a backslash, which escapes the next character: use "/" between directories')
    if (value === '/') {
      if (group && path.indexOf(')', i) > 0) throw refusal(source, 'a group such as "@(a|b)" cannot hold "/": use braces, as in "{a/b,c}"')
      names.push('')
      continue
    }
    if (!escaped && value === '(' && /[?*+@!]/.test(path[i - 1] ?? '') && path[i - 2] !== '\\') group = true
    if (!escaped && value === ')') group = false
    names[names.length - 1] += escaped ? `\\${value}` : value
  }
  return names
}

function segmentOf(name: string, source: string): Segment {
  try {
    const segment = compileSegment(name)
    if (segment.literal !== '..') return segment
  } catch (error) {
    if (error instanceof SegmentError) throw refusal(source, error.message)
    throw error
  }
  throw refusal(source, 'it holds "..": set the directory to start in instead')
}

function refusal(source: string, reason: string): InputError {
  const shown = source.length > 200 ? `${source.slice(0, 200)}...` : source
  return new InputError('invalid_input', `Cannot use glob ${JSON.stringify(shown)}: ${reason}`, issues(reason))
}

function issues(message: string): { readonly issues: InputError['issues'] } {
  return { issues: [{ path: 'pattern', message }] }
}
