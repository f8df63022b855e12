import { InputError } from '../errors/index.js'
import { BraceError, expandBraces, holdsStandIn } from './glob-braces.js'
import { brokenExclusion, isExclusion, listedIn } from './glob-mistakes.js'
import { compileSegment, type Segment, SegmentError } from './glob-segment.js'
import type { Steps } from './steps.js'
import { quoted } from './visible-name.js'

/** Matches any number of components, including none. */
export const ANY_DEPTH = '**'

/** One glob after brace expansion. */
export interface GlobPath {
  readonly components: readonly (Segment | typeof ANY_DEPTH)[]
  /** The components as written. */
  readonly sources: readonly string[]
  /** Whether the glob ended with a slash, so that the glob matches only directories. */
  readonly dirOnly: boolean
  /** Whether the glob started with `!`. */
  readonly exclude: boolean
}

const MAX_LENGTH = 4096
const MAX_PATHS = 1000
/** Maximum total length of a list's patterns after brace expansion. Compiling patterns of this length takes some milliseconds. */
const MAX_TOTAL = 65_536
/** Maximum length of a component: longer names do not exist, and the cost grows with the square of the length. */
const MAX_COMPONENT = 1024
const MAX_GROUPS = 100
/**
 * Budget of a list for components with `!(...)`. Their cost grows with the square of the name's length. This budget allows some
 * milliseconds.
 */
const MAX_NEGATED = 256
/** Additional cost of each negation. */
const NEGATION = 8
/** Additional cost of each pattern. */
const PATH = 64
/** Characters compiled in one step. */
const UNITS_A_STEP = 4096

/** Paths that make globs absolute. */
export interface GlobBase {
  /** The absolute path to which globs are relative. */
  readonly start: string
  /** The root, outside of which nothing matches. */
  readonly root: string
}

export interface ParseOptions {
  /** Whether wildcards match names that begin with a dot. */
  readonly dots: boolean
  /** With a base, every glob becomes absolute. Without one, a leading slash has no meaning. */
  readonly base?: GlobBase | undefined
  /** Whether a glob without a slash matches names at any depth. */
  readonly anyDepth?: boolean | undefined
}

/** Returns the globs as a list, after checking their sizes. @throws InputError */
export function checkGlobs(pattern: string | readonly string[]): readonly string[] {
  const patterns = typeof pattern === 'string' ? [pattern] : pattern
  if (patterns.length === 0)
    throw new InputError('invalid_input', 'Cannot use an empty list of globs: name at least one', issues('the list is empty'))
  const count = patterns.length
  if (count > MAX_PATHS)
    throw new InputError('invalid_input', `Cannot use ${count} globs: at most ${MAX_PATHS} are allowed`, issues('the list is too long'))
  const room = newRoom()
  for (const source of patterns) checkSource(source, room)
  return patterns
}

/** Parses globs in steps. @throws InputError */
export function* parseGlobs(pattern: string | readonly string[], options: ParseOptions): Steps<GlobPath[]> {
  const patterns = checkGlobs(pattern)
  const room = newRoom()
  const { base } = options
  const paths: GlobPath[] = []
  let units = UNITS_A_STEP
  for (const source of patterns.flatMap((each) => (base ? asWritten(each, base) : each))) {
    const reaching: Reaching[] = []
    for (const each of expandedOf(source, room)) {
      reaching.push(pathOf(each, source, options, room))
      units -= PATH + each.length
      if (units > 0) continue
      units = UNITS_A_STEP
      yield
    }
    if (base) checkReach(source, reaching, base)
    paths.push(...reaching)
    if (paths.length > MAX_PATHS) throw refusal(source, `it expands to more than ${MAX_PATHS} patterns: use fewer braces`)
  }
  return paths
}

function expandedOf(source: string, room: Room): string[] {
  const body = isExclusion(source) ? source.slice(1) : source
  if (body === '') throw refusal(source, 'it is empty: use "**" for everything')
  const expanded = expanding(body, source)
  if (expanded.length === 0) throw refusal(source, 'its braces are empty: list alternatives, as in "{a,b}"')
  if (expanded.length > MAX_PATHS) throw refusal(source, `it expands to more than ${MAX_PATHS} patterns: use fewer braces`)
  for (const path of expanded) takeRoom(source, path.length, room)
  return expanded
}

function pathOf(path: string, source: string, options: ParseOptions, room: Room): Reaching {
  const { base, dots } = options
  const exclude = isExclusion(source)
  // `{,src}/a` is not an absolute path, although it expands to `/a`.
  const relative = !base || !path.startsWith('/') || !/^!?\/|[{,]\//.test(source)
  const anyDepth = options.anyDepth === true && !path.slice(0, -1).includes('/')
  const prefix = base && relative ? namesOf(base.start) : []
  return { ...parsePath(path, source, { dots: dots || exclude, prefix, anyDepth, room }), exclude, relative }
}

/** The remaining budget for all patterns of a list. */
interface Room {
  left: number
  negated: number
  /** Compiled components by source, because brace expansion repeats components. */
  readonly segments: Map<string, Segment>
}

const newRoom = (): Room => ({ left: MAX_TOTAL, negated: MAX_NEGATED, segments: new Map() })

function takeRoom(source: string, units: number, room: Room): void {
  room.left -= units
  if (room.left < 0) throw refusal(source, `the patterns have more than ${MAX_TOTAL} characters together: use fewer or shorter ones`)
}

/** Checks and expands a glob of a list. A broken exclusion is an error, because otherwise nothing would reveal the mistake. */
function asWritten(source: string, { root }: GlobBase): string[] {
  const broken = isExclusion(source) ? brokenExclusion(source.slice(1), root) : undefined
  if (broken !== undefined) throw refusal(source, broken)
  return [source, ...listedIn(source)]
}

function checkSource(source: string, room: Room): void {
  if (source.length > MAX_LENGTH) throw refusal(source, `it has ${source.length} characters, at most ${MAX_LENGTH} are allowed`)
  takeRoom(source, source.length, room)
  if (source.includes('\0')) throw refusal(source, 'it contains a NUL character')
  if (holdsStandIn(source)) throw refusal(source, 'it contains a character of the private use area, U+E000 to U+E003')
}

function expanding(body: string, source: string): string[] {
  try {
    return expandBraces(body, MAX_PATHS)
  } catch (error) {
    if (error instanceof BraceError) throw refusal(source, error.message)
    throw error
  }
}

interface Reaching extends GlobPath {
  readonly relative: boolean
}

/** Rejects a glob for an absolute path outside the workspace, because an empty result would hide the mistake. */
function checkReach(source: string, paths: readonly Reaching[], { root, start }: GlobBase): void {
  const places = ({ components }: Reaching, folder: string): number[] => [...placesIn(components, namesOf(folder))]
  if (!paths.some((path) => path.relative || places(path, root).length > 0)) {
    if (/\\[\w*]/.test(source)) throw refusal(source, 'a backslash escapes the next character: use "/" between directories')
    const bare = source.replace(/^(!?)\/+/, '$1')
    throw refusal(source, `it is outside the workspace "${root}": write it relative to path, as in ${quoted(bare)}`)
  }
  const canFind = (path: Reaching): boolean => places(path, start).some((place) => place < path.components.length)
  if (paths.some((path) => path.exclude || path.relative || canFind(path))) return
  throw refusal(
    source,
    `it matches nothing below "${start}": set path to a directory above the match, and use "*" for the entries of a directory`,
  )
}

/**
 * Returns the positions of a glob in a directory. Empty if the glob does not lead there. Contains the number of components if the glob
 * names the directory itself.
 */
function placesIn(components: GlobPath['components'], names: readonly string[]): Set<number> {
  let at = new Set([0])
  for (const name of names) {
    const next = new Set<number>()
    for (const place of through(components, at)) {
      const component = components[place]
      if (component === ANY_DEPTH) next.add(place)
      else if (component?.test(name)) next.add(place + 1)
    }
    at = next
  }
  return at
}

/** Adds the positions after each `**`, which may match no component. */
function through(components: GlobPath['components'], places: ReadonlySet<number>): Set<number> {
  const all = new Set(places)
  for (const place of all) if (components[place] === ANY_DEPTH) all.add(place + 1)
  return all
}

export const namesOf = (path: string): string[] => path.split('/').filter((name) => name !== '')

interface PathOptions {
  readonly dots: boolean
  /** The names of the directory to which the path is relative. */
  readonly prefix: readonly string[]
  readonly anyDepth: boolean
  readonly room: Room
}

function parsePath(path: string, source: string, { dots, prefix, anyDepth, room }: PathOptions): Omit<GlobPath, 'exclude'> {
  const names = split(path, source)
  const dirOnly = names.length > 1 && names[names.length - 1] === ''
  const named = names.filter((name) => name !== '' && name !== '.')
  const sources = [...(anyDepth ? [ANY_DEPTH] : []), ...named].filter((name, i, all) => name !== ANY_DEPTH || all[i - 1] !== ANY_DEPTH)
  if (named.length === 0) throw refusal(source, 'it is the start directory itself: use "*" for its entries, or "**" for everything below')
  const components = sources.map((name) => (name === ANY_DEPTH ? ANY_DEPTH : segmentOf(name, source, dots, room)))
  const above = prefix.map((name) => ({ literal: name, test: (other: string) => other === name }))
  // Sources of the prefix contain a slash, so they never equal the source of a component.
  return { components: [...above, ...components], sources: [...prefix.map((name) => `/${name}`), ...sources], dirOnly }
}

/** Splits at slashes, including escaped ones, because names cannot contain a slash. */
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

function segmentOf(name: string, source: string, dots: boolean, room: Room): Segment {
  const key = `${dots}/${name}`
  const segment = room.segments.get(key) ?? newSegment(name, source, dots, room)
  room.segments.set(key, segment)
  return segment
}

function newSegment(name: string, source: string, dots: boolean, room: Room): Segment {
  if (name.length > MAX_COMPONENT) throw refusal(source, `a name in it is longer than ${MAX_COMPONENT} characters`)
  if (name.length - name.replaceAll('(', '').length > MAX_GROUPS) throw refusal(source, `a name in it has more than ${MAX_GROUPS} "("`)
  if (name.includes('!(')) room.negated -= name.length + NEGATION * (name.split('!(').length - 1)
  if (room.negated < 0) throw refusal(source, 'its "!(...)" groups are too long: use a list with exclusions such as "!*.md"')
  try {
    const segment = compileSegment(name, { dots })
    if (segment.literal !== '..') return name.includes('!(') ? { test: rememberingLast(segment.test) } : segment
  } catch (error) {
    if (error instanceof SegmentError) throw refusal(source, error.message)
    throw error
  }
  throw refusal(source, 'it contains "..": set the start directory instead')
}

/** Caches the last result, because consecutive paths of a glob test the same name. */
function rememberingLast(test: Segment['test']): Segment['test'] {
  let last: { readonly name: string; readonly result: boolean } | undefined
  return (name) => {
    if (last?.name !== name) last = { name, result: test(name) }
    return last.result
  }
}

function refusal(source: string, reason: string): InputError {
  const shown = source.length > 200 ? `${source.slice(0, 200)}...` : source
  return new InputError('invalid_input', `Cannot use glob ${quoted(shown)}: ${reason}`, issues(reason))
}

function issues(message: string): { readonly issues: InputError['issues'] } {
  return { issues: [{ path: 'pattern', message }] }
}
