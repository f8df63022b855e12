import { ANY_DEPTH, type GlobPath } from './glob-parse.js'
import type { Segment } from './glob-segment.js'

type NameTest = (name: string) => boolean

/** A position between two components of one or several globs. */
interface Place {
  readonly id: number
  /** Steps by the source of their component. */
  readonly steps: Map<string, Step>
  /** The position after a `**` at this place. */
  deeper?: Place
  /** Whether the position is after a `**`, so that every directory leads back to the position. */
  readonly loops: boolean
  /** Set if a glob ends with this `**`: `any` if every entry matches, `dir` if every directory matches. */
  all?: 'any' | 'dir'
}

interface Step {
  readonly segment: Segment
  ends?: 'any' | 'dir'
  to?: Place
}

/** The part of the globs that can still match in one directory. While a state is cached, equal states are the same object. */
export interface GlobState {
  readonly accepts: NameTest | undefined
  readonly acceptsDir: NameTest | undefined
  readonly excludes: NameTest | undefined
  readonly excludesDir: NameTest | undefined
  /** The components that may match a subdirectory, with the positions after them. */
  readonly steps: readonly Step[]
  /** Positions that also apply in every subdirectory, of both included and excluded globs. */
  readonly loops: readonly Place[]
  /** The state of a subdirectory that no step matches. */
  readonly otherwise: () => GlobState | undefined
}

export interface GlobStates {
  readonly start: GlobState
  /** `named`: the caller named the directory explicitly, so a leading dot does not matter. */
  readonly enter: (state: GlobState, name: string, named?: boolean) => GlobState | undefined
}

// Maximum cached states, so that a long-lived matcher does not collect them. Most directories share a few states.
const MAX_REMEMBERED = 1000

/**
 * Matches all globs at once. A state is a set of positions in the globs. Without `dots`, `**` does not match names that begin with a dot.
 */
export function createGlobStates(paths: readonly GlobPath[], dots: boolean): GlobStates {
  const excluded = new Set<Place>()
  const place = createPlaces(excluded)
  const remembered = new Map<string, GlobState | undefined>()
  const roots = { include: place(false, false), exclude: place(false, true) }
  for (const path of paths) addPath(path.exclude ? roots.exclude : roots.include, path, place)

  const stateOf = (places: Iterable<Place>): GlobState | undefined => {
    const all = [...closure(places)].sort((a, b) => a.id - b.id)
    const key = all.map(({ id }) => id).join()
    if (remembered.has(key)) return remembered.get(key)
    if (remembered.size >= MAX_REMEMBERED) remembered.clear()
    const state = createState(all, excluded, dots, stateOf)
    remembered.set(key, state)
    return state
  }

  const enter = (state: GlobState, name: string, named = false): GlobState | undefined => {
    if (state.excludes?.(name) || state.excludesDir?.(name)) return undefined
    const reached: Place[] = []
    for (const { segment, to } of state.steps) if (to && segment.test(name)) reached.push(to)
    const loops = dots || named || !isHidden(name) ? state.loops : state.loops.filter((place) => excluded.has(place))
    if (loops.length === state.loops.length && reached.length === 0) return state.otherwise()
    return stateOf([...reached, ...loops])
  }

  const start = stateOf([roots.include, roots.exclude]) ?? NOTHING
  return { start, enter }
}

/** The state in which nothing can match. */
export const NOTHING: GlobState = {
  accepts: undefined,
  acceptsDir: undefined,
  excludes: undefined,
  excludesDir: undefined,
  steps: [],
  loops: [],
  otherwise: () => undefined,
}

type MakePlace = (loops: boolean, exclude: boolean) => Place

function createPlaces(excluded: Set<Place>): MakePlace {
  let id = 0
  return (loops, exclude) => {
    const place: Place = { id: id++, steps: new Map(), loops }
    if (exclude) excluded.add(place)
    return place
  }
}

/** Adds a glob. Globs with a common prefix share positions. */
function addPath(root: Place, { components, sources, dirOnly, exclude }: GlobPath, make: MakePlace): void {
  let at = root
  const ends = dirOnly ? 'dir' : 'any'
  components.forEach((component, i) => {
    const last = i === components.length - 1
    if (component === ANY_DEPTH) {
      at.deeper ??= make(true, exclude)
      at = at.deeper
      if (last && at.all !== 'any') at.all = ends
      return
    }
    const source = sources[i] ?? ''
    let step = at.steps.get(source)
    if (!step) {
      step = { segment: component }
      at.steps.set(source, step)
    }
    if (!last) at = step.to ??= make(false, exclude)
    else if (step.ends !== 'any') step.ends = ends
  })
}

function closure(places: Iterable<Place>): Set<Place> {
  const all = new Set<Place>()
  for (const place of places) {
    all.add(place)
    if (place.deeper) all.add(place.deeper)
  }
  return all
}

const isHidden = (name: string): boolean => name.charCodeAt(0) === 46

/** @returns undefined if nothing below can match */
function createState(
  places: readonly Place[],
  excluded: ReadonlySet<Place>,
  dots: boolean,
  stateOf: (places: readonly Place[]) => GlobState | undefined,
): GlobState | undefined {
  const includes = places.filter((place) => !excluded.has(place) && (place.loops || place.steps.size > 0))
  const excludes = places.filter((place) => excluded.has(place))
  if (includes.length === 0 || excludes.some(({ all }) => all === 'any')) return undefined
  const loops = places.filter((place) => place.loops)
  let otherwise: { readonly state: GlobState | undefined } | undefined
  return {
    accepts: testOf(includes, 'any', dots),
    acceptsDir: testOf(includes, 'dir', dots),
    excludes: testOf(excludes, 'any', true),
    excludesDir: testOf(excludes, 'dir', true),
    steps: places.flatMap(({ steps }) => [...steps.values()].filter(({ to }) => to)),
    loops,
    otherwise: () => {
      otherwise ??= { state: stateOf(loops) }
      return otherwise.state
    },
  }
}

/** Combines the last components at these positions into one test. */
function testOf(places: readonly Place[], kind: 'any' | 'dir', dots: boolean): NameTest | undefined {
  const all = places.some((place) => place.all === kind)
  if (all && dots) return () => true
  const segments = places.flatMap(({ steps }) => [...steps.values()].filter(({ ends }) => ends === kind).map(({ segment }) => segment))
  const literals = new Set(segments.flatMap(({ literal }) => (literal === undefined ? [] : [literal])))
  const tests = segments.filter(({ literal }) => literal === undefined).map(({ test }) => test)
  if (all) tests.push((name) => !isHidden(name))
  const [literal] = literals
  if (literals.size === 1) tests.unshift((name) => name === literal)
  else if (literals.size > 1) tests.unshift((name) => literals.has(name))
  const [first, second] = tests
  if (tests.length <= 1 || !first || !second) return first
  return tests.length === 2 ? (name) => first(name) || second(name) : (name) => tests.some((test) => test(name))
}
