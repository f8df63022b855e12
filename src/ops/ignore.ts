import type { FileKind } from '../types/fs.js'
import { parseClass } from './glob-class.js'
import { compileSegment, type Segment } from './glob-segment.js'
import { finish, type Steps } from './steps.js'
import { encodeUtf8 } from './utf8.js'

/** The `.gitignore` rules that hold in one directory of a walk: its own and those of the directories above it. */
export interface IgnoreScope {
  /** Whether an entry of this directory is left out. Ask before entering it: what is below an ignored directory cannot come back. */
  ignores(name: string, kind: FileKind): boolean
  /** The scope of a subdirectory. */
  enter(name: string): IgnoreScope
  /** The scope with the rules of this directory's own `.gitignore` added: they come after, and so override, those above. */
  add(gitignore: string): IgnoreScope
  /** `add` in steps. */
  addSteps(gitignore: string): Steps<IgnoreScope>
  /** In steps, decides about names of which `ignores` is asked next, where the rules are many. */
  prepareSteps(names: Iterable<string>): Steps<void>
}

/** Where a component of a pattern stands for any number of directories. */
const ANY_DEPTH = '**'

interface Rule {
  /** Its line. */
  readonly at: number
  /** Characters: what it costs to ask it about a name is at most as many steps for each character of the name. */
  readonly length: number
  readonly negated: boolean
  readonly dirOnly: boolean
  readonly parts: readonly (Segment | typeof ANY_DEPTH)[]
  /** It is a path from the directory of its file on; else one name, in any directory below. */
  readonly tied: boolean
}

/** The rules of one file as they stand in one directory. Lists have the last rule first. */
interface Level {
  readonly literals: ReadonlyMap<string, readonly Rule[]>
  readonly wildcards: readonly { readonly rule: Rule; readonly test: (name: string) => boolean }[]
  /** Paths that still fit this directory, with the components that may come next. */
  readonly tied: readonly { readonly rule: Rule; readonly places: readonly number[] }[]
  /** Characters of the rules that are asked one by one. */
  readonly units: number
}

/** Whether an entry is ignored, a directory or anything else; undefined: no rule of the file fits. */
interface Verdict {
  readonly file: boolean | undefined
  readonly dir: boolean | undefined
}

/** Characters of rules, times those of the name that they are asked about, looked at in one step. */
const COST_OF_STEP = 2_000_000
/** Lines read in one step. */
const LINES_A_STEP = 64
/** Characters of rules read in one step. */
const UNITS_A_STEP = 4096
/** A longer rule fits nothing: no path is as long. */
const MAX_RULE = 4096
/** Rules with fewer characters together decide about a name at once. */
const MANY_UNITS = 8192

/** The scope of a walk's start. Costs nothing while no rules are added. */
export const NO_RULES: IgnoreScope = {
  ignores: () => false,
  enter: () => NO_RULES,
  add: (gitignore) => finish(NO_RULES.addSteps(gitignore)),
  addSteps: (gitignore) => addLevel([], gitignore),
  *prepareSteps() {},
}

/** The topmost file first. They are made when the scope is asked for the first time, in steps where it is asked in steps. */
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

/** Counts what rules cost: true when it is time for a step. */
class Meter {
  #left = COST_OF_STEP

  isDue(rule: Rule, name: string): boolean {
    this.#left -= rule.length * name.length
    if (this.#left > 0) return false
    this.#left = COST_OF_STEP
    return true
  }
}

/** The last rule that fits decides; those of a deeper file come after the ones above it. */
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
    // All others come before what is found.
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

/** Whether an entry completes a path of which the components before `from` are behind it. */
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

/** Adds the components that may come next in the directory `name`. */
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

/** Gives the lines, counted from 0, whose rules fit a file. Those that exclude, or are for directories, fit none. */
export type FittingLines = (folders: readonly string[], name: string) => Steps<number[]>

/** For rules of which all that fit are wanted: each is compiled once, and found by its last name or by the folders that it begins with. */
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

/** The UTF-8 bytes of a text, a character each: git matches bytes, so that `?` is a part of `é`. */
function byteText(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text
  return Array.from(encodeUtf8(text), (byte) => String.fromCharCode(byte)).join('')
}

/** Undefined for a line that is no rule, or one that fits nothing. */
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

/** Cut at slashes; one inside a class is a member of it. */
function components(path: string): string[] {
  const found: string[] = []
  let from = 0
  for (let i = 0; i < path.length; ) {
    // A backslash before a slash is none.
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

/** Without the spaces at the end, unless a backslash keeps them. */
function withoutBlankEnd(line: string): string {
  let end = 0
  for (let i = 0; i < line.length; i++) {
    if (line[i] === '\\') i++
    else if (line[i] === ' ') continue
    end = i + 1
  }
  return line.slice(0, end)
}

/** Undefined for one that git takes for no pattern: a class that nothing closes or with an unknown `[:name:]`, a backslash at its end, nothing. */
function segmentOf(source: string): Segment | undefined {
  let plain = ''
  for (let i = 0; i < source.length; ) {
    const found = source[i] === '[' ? parseClass(source, i, true) : undefined
    if ((source[i] === '[' && !found) || (source[i] === '\\' && i + 1 === source.length)) return undefined
    const end = found?.end ?? (source[i] === '\\' ? i + 2 : i + 1)
    // Groups are no part of these patterns.
    plain += source[i] === '(' ? '\\(' : source.slice(i, end)
    i = end
  }
  return plain === '' ? undefined : compileSegment(plain, { asGit: true })
}
