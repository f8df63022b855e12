import type { FileKind } from '../types/fs.js'
import { parseClass } from './glob-class.js'
import { compileSegment, type Segment } from './glob-segment.js'
import { finish, type Steps } from './steps.js'
import { encodeUtf8 } from './utf8.js'

/** The `.gitignore` rules that apply in one directory of a walk: its own rules and those of its parent directories. */
export interface IgnoreScope {
  /**
   * Whether an entry of this directory is ignored. Before a walk enters a directory, it has to ask about that directory: rules cannot
   * include anything below an ignored directory again.
   */
  ignores(name: string, kind: FileKind): boolean
  /** Returns the scope of a subdirectory. */
  enter(name: string): IgnoreScope
  /** Returns the scope with the rules of this directory's own `.gitignore`, which override those of its parents. */
  add(gitignore: string): IgnoreScope
  /** Runs `add` in steps. */
  addSteps(gitignore: string): Steps<IgnoreScope>
  /** With many rules, computes the decisions for these names in steps, before `ignores` is called for them. */
  prepareSteps(names: Iterable<string>): Steps<void>
}

/** A component that matches any number of directories. */
const ANY_DEPTH = '**'

interface Rule {
  /** Line number of the rule. */
  readonly at: number
  /** Length in characters. Testing a name takes at most this many steps per character of the name. */
  readonly length: number
  readonly negated: boolean
  readonly dirOnly: boolean
  readonly parts: readonly (Segment | typeof ANY_DEPTH)[]
  /**
   * Whether the rule contains a slash. If so, it is a path relative to the directory of the `.gitignore` file. If not, it is a name at any
   * depth below that directory.
   */
  readonly tied: boolean
}

/** The rules of one `.gitignore` file, as they apply in one directory. The last rule comes first. */
interface Level {
  readonly literals: ReadonlyMap<string, readonly Rule[]>
  readonly wildcards: readonly { readonly rule: Rule; readonly test: (name: string) => boolean }[]
  /** Rules with a slash that can still match in this directory. `places` has the positions of the components that may come next. */
  readonly tied: readonly { readonly rule: Rule; readonly places: readonly number[] }[]
  /** Total length of the rules that are tested one by one. */
  readonly units: number
}

/** Whether an entry is ignored as a file and as a directory. Undefined if no rule matches. */
interface Verdict {
  readonly file: boolean | undefined
  readonly dir: boolean | undefined
}

/** Work in one step: characters of rules times characters of the tested name. */
const COST_OF_STEP = 2_000_000
/** Lines parsed in one step. */
const LINES_A_STEP = 64
/** Characters of rules parsed in one step. */
const UNITS_A_STEP = 4096
/** Maximum characters of a rule. A longer rule matches nothing, because no path is that long. */
const MAX_RULE = 4096
/** If all rules together have fewer characters, `ignores` decides about a name without preparation in steps. */
const MANY_UNITS = 8192

/** The scope at the start of a walk. It costs nothing until rules are added. */
export const NO_RULES: IgnoreScope = {
  ignores: () => false,
  enter: () => NO_RULES,
  add: (gitignore) => finish(NO_RULES.addSteps(gitignore)),
  addSteps: (gitignore) => addLevel([], gitignore),
  *prepareSteps() {},
}

/** Creates a scope from levels, the topmost file first. A function creates the levels on first use, in steps if that use runs in steps. */
function scopeOf(given: readonly Level[] | (() => Steps<readonly Level[]>)): IgnoreScope {
  const decided = new Map<string, Verdict>()
  let made = given
  function* levels(): Steps<readonly Level[]> {
    if (typeof made === 'function') made = yield* made()
    return made
  }
  const scope: IgnoreScope = {
    ignores(name, kind) {
      const { file, dir } = decided.get(name) ?? finish(decide(typeof made === 'function' ? finish(levels()) : made, byteText(name)))
      return (kind === 'dir' ? dir : file) ?? false
    },
    enter: (name) => scopeOf(() => below(levels, byteText(name))),
    add: (gitignore) => finish(scope.addSteps(gitignore)),
    *addSteps(gitignore) {
      return yield* addLevel(yield* levels(), gitignore)
    },
    *prepareSteps(names) {
      const all = yield* levels()
      if (all.reduce((sum, { units }) => sum + units, 0) < MANY_UNITS) return
      for (const name of names) decided.set(name, yield* decide(all, byteText(name)))
    },
  }
  return scope
}

/** Adds up the cost of tests. `isDue` returns true when a step's budget is used up. */
class Meter {
  #left = COST_OF_STEP

  isDue(rule: Rule, name: string): boolean {
    this.#left -= rule.length * name.length
    if (this.#left > 0) return false
    this.#left = COST_OF_STEP
    return true
  }
}

/** The last matching rule decides. Rules of a deeper file follow those of its parents. */
function* decide(levels: readonly Level[], name: string): Steps<Verdict> {
  const meter = new Meter()
  let verdict: Verdict = { file: undefined, dir: undefined }
  for (const level of levels.toReversed()) {
    const { file, dir } = yield* decideLevel(level, name, meter)
    verdict = { file: verdict.file ?? file, dir: verdict.dir ?? dir }
    if (verdict.file !== undefined && verdict.dir !== undefined) break
  }
  return verdict
}

function* decideLevel({ literals, wildcards, tied }: Level, name: string, meter: Meter): Steps<Verdict> {
  let file: Rule | undefined
  let dir: Rule | undefined
  const found = (rule: Rule): void => {
    if (rule.at > (dir?.at ?? 0)) dir = rule
    if (rule.at > (file?.at ?? 0) && !rule.dirOnly) file = rule
  }
  for (const rule of literals.get(name) ?? []) found(rule)
  for (const { rule, test } of wildcards) {
    // All remaining rules come before the matching rule in the file, and the last matching rule decides.
    if (rule.at < (file?.at ?? 0)) break
    if (test(name)) found(rule)
    if (meter.isDue(rule, name)) yield
  }
  for (const { rule, places } of tied) {
    if (rule.at < (file?.at ?? 0)) break
    if (places.some((place) => endsWith(rule.parts, place, name))) found(rule)
    if (meter.isDue(rule, name)) yield
  }
  return { file: file && !file.negated, dir: dir && !dir.negated }
}

/** Whether `name` matches the last component of a rule whose components before `from` have matched. */
function endsWith(parts: Rule['parts'], from: number, name: string): boolean {
  for (let place = from; place < parts.length; place++) {
    const part = parts[place]
    const isLast = place === parts.length - 1
    if (part !== ANY_DEPTH) return isLast && part?.test(name) === true
    if (isLast) return true
  }
  return false
}

function* below(above: () => Steps<readonly Level[]>, name: string): Steps<readonly Level[]> {
  const meter = new Meter()
  const levels: Level[] = []
  for (const { literals, wildcards, tied, units: all } of yield* above()) {
    const deeper: { rule: Rule; places: readonly number[] }[] = []
    let units = all
    for (const { rule, places } of tied) {
      const next = new Set<number>()
      for (const place of places) addNext(rule.parts, place, name, next)
      if (next.size > 0) deeper.push({ rule, places: [...next] })
      else units -= rule.length
      if (meter.isDue(rule, name)) yield
    }
    levels.push({ literals, wildcards, tied: deeper, units })
  }
  return levels
}

/** Adds the positions of the components that may come next in the directory `name`. */
function addNext(parts: Rule['parts'], from: number, name: string, next: Set<number>): void {
  for (let place = from; place < parts.length; place++) {
    const part = parts[place]
    if (part !== ANY_DEPTH) {
      if (part?.test(name) && place + 1 < parts.length) next.add(place + 1)
      return
    }
    next.add(place)
  }
}

function* addLevel(above: readonly Level[], gitignore: string): Steps<IgnoreScope> {
  const literals = new Map<string, Rule[]>()
  const wildcards: { rule: Rule; test: (name: string) => boolean }[] = []
  const tied: { rule: Rule; places: readonly number[] }[] = []
  let units = 0
  for (const rule of yield* rulesOf(gitignore.replace(/^\uFEFF/, '').split('\n'))) {
    const [first] = rule.parts
    if (first === undefined) continue
    if (first === ANY_DEPTH || first.literal === undefined || rule.tied) units += rule.length
    if (rule.tied || first === ANY_DEPTH) tied.push({ rule, places: [0] })
    else if (first.literal === undefined) wildcards.push({ rule, test: first.test })
    else if (literals.has(first.literal)) literals.get(first.literal)?.push(rule)
    else literals.set(first.literal, [rule])
  }
  const isEmpty = literals.size + wildcards.length + tied.length === 0
  const levels = isEmpty ? above : [...above, { literals, wildcards: wildcards.reverse(), tied: tied.reverse(), units }]
  return levels.length === 0 ? NO_RULES : scopeOf(levels)
}

function* rulesOf(lines: readonly string[]): Steps<Rule[]> {
  const rules: Rule[] = []
  let room = UNITS_A_STEP
  for (const [i, line] of lines.entries()) {
    room -= line.length
    if (i % LINES_A_STEP === LINES_A_STEP - 1 || room < 0) {
      room = UNITS_A_STEP
      yield
    }
    const rule = parseRule(byteText(line), i + 1)
    if (rule) rules.push(rule)
  }
  return rules
}

/**
 * Returns the zero-based line numbers of all rules that match a file. Never returns rules that begin with `!` or apply only to directories.
 */
export type FittingLines = (folders: readonly string[], name: string) => Steps<number[]>

/**
 * Finds all matching rules instead of the last one. Compiles each rule once, and indexes it by its last name or by its leading directories.
 */
export function* fittingLines(lines: readonly string[]): Steps<FittingLines> {
  const byName = new Map<string, Rule[]>()
  const byFolder = new Map<string, Rule[]>()
  for (const rule of yield* rulesOf(lines)) {
    if (rule.negated || rule.dirOnly) continue
    const last = rule.parts.at(-1)
    const isNamed = last !== ANY_DEPTH && last?.literal !== undefined
    const [map, key] = isNamed ? [byName, last.literal] : [byFolder, leadingFolder(rule)]
    const known = map.get(key)
    if (known) known.push(rule)
    else map.set(key, [rule])
  }
  return function* (givenFolders, givenName) {
    const folders = givenFolders.map(byteText)
    const name = byteText(givenName)
    const above = folders.map((_, i) => folders.slice(0, i + 1).join('/'))
    const meter = new Meter()
    const found: number[] = []
    for (const rules of [byName.get(name), ...['', ...above].map((folder) => byFolder.get(folder))]) {
      for (const rule of rules ?? []) {
        if (fitsPath(rule, folders, name)) found.push(rule.at - 1)
        if (meter.isDue(rule, name)) yield
      }
    }
    return found
  }
}

function leadingFolder({ parts, tied }: Rule): string {
  const end = parts.findIndex((part) => part === ANY_DEPTH || part.literal === undefined)
  const names = parts.slice(0, tied ? end : 0).map((part) => (part as Segment).literal)
  return names.join('/')
}

function fitsPath({ parts, tied }: Rule, folders: readonly string[], name: string): boolean {
  const last = parts.at(-1)
  if (last !== ANY_DEPTH && !last?.test(name)) return false
  if (!tied) return true
  let places: Iterable<number> = [0]
  for (const folder of folders) {
    const next = new Set<number>()
    for (const place of places) addNext(parts, place, folder, next)
    if (next.size === 0) return false
    places = next
  }
  return [...places].some((place) => endsWith(parts, place, name))
}

/** Converts a text to its UTF-8 bytes, one character per byte, because git matches bytes: `?` matches one byte of `é`. */
function byteText(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text
  return Array.from(encodeUtf8(text), (byte) => String.fromCharCode(byte)).join('')
}

/** Parses a line. Returns undefined for a line that is not a rule, or that matches nothing. */
function parseRule(line: string, at: number): Rule | undefined {
  const text = withoutBlankEnd(line.endsWith('\r') ? line.slice(0, -1) : line)
  if (text === '' || text.startsWith('#') || text.length > MAX_RULE) return undefined
  const negated = text.startsWith('!')
  const whole = negated ? text.slice(1) : text
  const dirOnly = whole.endsWith('/')
  const path = dirOnly ? whole.slice(0, -1) : whole
  const tied = path.includes('/')
  const parts: (Segment | typeof ANY_DEPTH)[] = []
  for (const source of components(path.startsWith('/') ? path.slice(1) : path)) {
    const part = tied && /^\*{2,}$/.test(source) ? ANY_DEPTH : segmentOf(source)
    if (part === undefined) return undefined
    if (part !== ANY_DEPTH || parts[parts.length - 1] !== ANY_DEPTH) parts.push(part)
  }
  return { at, length: text.length, negated, dirOnly, parts, tied }
}

/** Splits a path pattern at slashes, except inside a character class. */
function components(path: string): string[] {
  const found: string[] = []
  let from = 0
  for (let i = 0; i < path.length; ) {
    // A backslash before a slash has no effect.
    const slash = path[i] === '\\' && path[i + 1] === '/' ? i + 1 : i
    if (path[slash] === '/') {
      found.push(path.slice(from, i))
      i = slash
      from = slash + 1
    }
    i = (path[i] === '[' && parseClass(path, i, true)?.end) || (path[i] === '\\' ? i + 2 : i + 1)
  }
  return [...found, path.slice(from)]
}

/** Removes trailing spaces, unless a backslash escapes them. */
function withoutBlankEnd(line: string): string {
  let end = 0
  for (let i = 0; i < line.length; i++) {
    if (line[i] === '\\') i++
    else if (line[i] === ' ') continue
    end = i + 1
  }
  return line.slice(0, end)
}

/**
 * Compiles one component. Returns undefined for a pattern that git ignores: an unclosed class or one with an unknown `[:name:]`, a trailing
 * backslash, an empty pattern.
 */
function segmentOf(source: string): Segment | undefined {
  let plain = ''
  for (let i = 0; i < source.length; ) {
    const found = source[i] === '[' ? parseClass(source, i, true) : undefined
    if ((source[i] === '[' && !found) || (source[i] === '\\' && i + 1 === source.length)) return undefined
    const end = found?.end ?? (source[i] === '\\' ? i + 2 : i + 1)
    // In these patterns, a parenthesis is a plain character.
    plain += source[i] === '(' ? '\\(' : source.slice(i, end)
    i = end
  }
  return plain === '' ? undefined : compileSegment(plain, { asGit: true })
}
