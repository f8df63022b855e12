import { ALL, type CharSet, has, single } from './char-set.js'
import type { Token } from './glob-tokens.js'

// A program over code points. It runs for all states at once, so its time is at most the length of the program times the length of the
// name.
type Step =
  /** Matches one character. `spelled`: whether the pattern contains exactly this character. */
  | { readonly op: 'char'; readonly set: CharSet; readonly spelled: boolean }
  /** Fails at the start of a name with a leading dot, because the pattern must contain this dot literally. */
  | { readonly op: 'visible' }
  | { readonly op: 'jump'; readonly to: readonly number[] }
  | { readonly op: 'match' }

type Program = readonly Step[]

const DOT = 46

/**
 * Matches names against a component with groups such as `@(a|b)`. `!(...)` matches every text that none of its alternatives matches.
 * Without `dots`, only a literal dot in the pattern matches the dot at the start of a name.
 */
export function matchGroups(tokens: readonly Token[], dots: boolean): (name: string) => boolean {
  const parts = compileParts(tokens)
  return (name) => {
    const guarded = !dots && name.charCodeAt(0) === DOT
    const codes = Array.from(name, (char) => char.codePointAt(0) ?? 0)
    let places: readonly boolean[] = codes.map((_, i) => i === 0)
    if (codes.length === 0) places = [true]
    for (const { program, negated } of parts)
      places = negated ? avoid(program, codes, places, guarded) : run(program, codes, places, guarded)
    return places[codes.length] ?? false
  }
}

interface Part {
  readonly program: Program
  readonly negated: boolean
}

/** Whether a `!(...)` is nested in another group. The programs below cannot express this. */
export function nestsNegation(tokens: readonly Token[], inside = false): boolean {
  return tokens.some((token) => {
    if (token.kind !== 'group') return false
    return (inside && token.operator === '!') || token.options.some((option) => nestsNegation(option, true))
  })
}

function compileParts(tokens: readonly Token[]): Part[] {
  const parts: Part[] = []
  let plain: Token[] = []
  const flush = (): void => {
    if (plain.length > 0) parts.push({ program: compile([plain]), negated: false })
    plain = []
  }
  for (const token of tokens) {
    if (token.kind !== 'group' || token.operator !== '!') {
      plain.push(token)
      continue
    }
    flush()
    parts.push({ program: compile(token.options), negated: true })
  }
  flush()
  return parts
}

function compile(options: readonly (readonly Token[])[]): Program {
  const steps: Step[] = []
  addOptions(steps, options)
  steps.push({ op: 'match' })
  return steps
}

function addOptions(steps: Step[], options: readonly (readonly Token[])[]): void {
  const entry = hold(steps)
  const exits: number[] = []
  const starts: number[] = []
  for (const option of options) {
    starts.push(steps.length)
    for (const token of option) addToken(steps, token)
    exits.push(hold(steps))
  }
  jump(steps, entry, ...starts)
  for (const exit of exits) jump(steps, exit, steps.length)
}

function addToken(steps: Step[], token: Token): void {
  if (token.kind === 'text') {
    for (const char of token.text) steps.push({ op: 'char', set: single(char.codePointAt(0) ?? 0), spelled: true })
  } else if (token.kind === 'star') {
    steps.push({ op: 'visible' })
    repeat(steps, () => steps.push({ op: 'char', set: ALL, spelled: false }))
  } else if (token.kind === 'group') addGroup(steps, token)
  else if (token.source === undefined) steps.push({ op: 'char', set: token.set, spelled: false })
  else addOptions(steps, [[{ kind: 'char', set: token.set }], [{ kind: 'text', text: token.source }]])
}

function addGroup(steps: Step[], { operator, options }: Extract<Token, { kind: 'group' }>): void {
  if (operator === '?') addOptions(steps, [...options, []])
  else if (operator === '*') repeat(steps, () => addOptions(steps, options))
  else {
    const start = steps.length
    addOptions(steps, options)
    if (operator === '+') steps.push({ op: 'jump', to: [start, steps.length + 1] })
  }
}

function repeat(steps: Step[], add: () => void): void {
  const entry = hold(steps)
  add()
  steps.push({ op: 'jump', to: [entry] })
  jump(steps, entry, entry + 1, steps.length)
}

/** Reserves a step, to be filled in later. */
function hold(steps: Step[]): number {
  return steps.push({ op: 'jump', to: [] }) - 1
}

function jump(steps: Step[], at: number, ...to: number[]): void {
  steps[at] = { op: 'jump', to }
}

/** Returns the offsets at which the program may end, if it starts at `places`. */
function run(program: Program, codes: readonly number[], places: readonly boolean[], guarded: boolean): boolean[] {
  const ends: boolean[] = new Array<boolean>(codes.length + 1).fill(false)
  const seen = new Int32Array(program.length).fill(-1)
  let active: number[] = []
  const last = places.lastIndexOf(true)
  for (let i = 0; i <= codes.length && (active.length > 0 || i <= last); i++) {
    const reached: number[] = []
    const pending = places[i] ? [...active, 0] : active
    for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
      if (seen[state] === i) continue
      seen[state] = i
      const step = program[state]
      const barred = guarded && i === 0
      if (step?.op === 'jump') pending.push(...step.to)
      else if (step?.op === 'match') ends[i] = true
      else if (step?.op === 'visible') pending.push(...(barred ? [] : [state + 1]))
      else if (step && has(step.set, codes[i] ?? -1) && (step.spelled || !barred)) reached.push(state + 1)
    }
    active = reached
  }
  return ends
}

/** Returns the offsets at which a text may end that starts at one of `places` and does not match the program. */
function avoid(program: Program, codes: readonly number[], places: readonly boolean[], guarded: boolean): boolean[] {
  const ends: boolean[] = new Array<boolean>(codes.length + 1).fill(false)
  for (let from = 0; from <= codes.length; from++) {
    if (!places[from] || (guarded && from === 0)) continue
    const fits = run(program, codes.slice(from), [true], false)
    for (let i = from; i <= codes.length; i++) if (!fits[i - from]) ends[i] = true
  }
  return ends
}
