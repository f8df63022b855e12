// biome-ignore-all lint/suspicious/noControlCharactersInRegex: the mark is one.
import type { ShellResult, ShellState } from '../../../src/types/shell.js'
import { isWellFormed, wellFormed } from '../escaped-bytes.js'
import type { ExecResult, InterpreterState } from '../library-types.js'
import { type Beginning, captureState } from './capture.js'
import { ATTRIBUTES, type StateParts } from './shape.js'

type State = Pick<ShellResult, 'cwd' | 'env' | 'state'>

/** Collects the final working directory, the exported variables and the shell state of a command. */
export class EndState {
  readonly begin: State
  /** Whether the final state was too large to keep. */
  tooLarge = false
  readonly #given: StateParts | undefined
  #live: InterpreterState | undefined
  #beginning: Beginning = new Map()

  constructor(cwd: string, env: Readonly<Record<string, string>>, given: StateParts | undefined) {
    this.begin = { cwd, env }
    this.#given = given
  }

  /** Call before the shell starts: restores the state of an earlier command. */
  open(state: InterpreterState): void {
    this.#live = state
    this.#beginning = new Map(state.env)
    if (this.#given) restoreState(state, restorable(this.#given))
  }

  /** @param exported names of exported variables, for a build without hooks, whose state is known only from its result */
  after(result: ExecResult | undefined, exported: ReadonlySet<string>): State {
    const live = this.#live
    if (live) {
      const state = captureState(live, this.#beginning)
      this.tooLarge = state === undefined
      const end = this.#state(live.cwd, live.exportedVars ?? [], (name) => live.env.get(name))
      return { ...end, ...(state && { state: storable(state) as unknown as ShellState }) }
    }
    // Without a live shell, the script had a syntax error and changed nothing.
    if (this.#given) return { ...this.begin, state: this.#given as unknown as ShellState }
    if (!result || !('?' in result.env)) return this.begin
    return this.#state(result.env.PWD ?? this.begin.cwd, exported, (name) => result.env[name])
  }

  #state(cwd: string, names: Iterable<string>, read: (name: string) => string | undefined): State {
    const env: Record<string, string> = {}
    for (const name of names) {
      const value = read(name)
      if (value !== undefined) env[name] = wellFormed(value)
    }
    return { cwd, env }
  }
}

/** Restores the state of an earlier shell before the start. Exported variables come from `env`, which has priority. */
function restoreState(state: InterpreterState, parts: StateParts): void {
  const fields = state as unknown as Record<string, Set<string> | undefined>
  for (const [name, value] of parts.variables) {
    // The environment has U+FFFD in place of invalid UTF-8 bytes. Restore these bytes unless `env` has another value.
    if (!state.exportedVars?.has(name) || state.env.get(name) === wellFormed(value)) state.env.set(name, value)
  }
  state.arrays ??= new Map()
  for (const [name, { kind, elements }] of parts.arrays) state.arrays.set(name, { kind, elements: new Map(elements) })
  for (const attribute of ATTRIBUTES) {
    const names = parts.attributes[attribute]
    if (names?.length) fields[attribute] = new Set([...(fields[attribute] ?? []), ...names])
  }
  for (const [name, node] of parts.functions) state.functions.set(name, node)
  for (const option of parts.options) if (Object.hasOwn(state.options, option)) state.options[option] = true
  for (const [option, on] of parts.shopt) if (Object.hasOwn(state.shoptOptions, option)) state.shoptOptions[option] = on
  if (parts.directories.length > 0) state.directoryStack = [...parts.directories]
}

// Storages accept only well-formed text, so lone surrogates, mainly escaped bytes, are encoded as a mark and a number.

const MARK = '\x1a'
const TO_MARK = /[\x1a\ud800-\udfff]/gu
const MARKED = /\x1a([\da-f]{4})/g

const marked = (text: string): string =>
  isWellFormed(text) && !text.includes(MARK)
    ? text
    : text.replace(TO_MARK, (unit) => MARK + unit.charCodeAt(0).toString(16).padStart(4, '0'))
const unmarked = (text: string): string =>
  text.includes(MARK) ? text.replace(MARKED, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16))) : text

/** Returns the state with well-formed texts only. */
const storable = (parts: StateParts): StateParts => mapped(parts, marked, stored)

/** Restores the texts that `storable` has encoded. */
const restorable = (parts: StateParts): StateParts => mapped(parts, unmarked, restored)

type Known = WeakMap<object, unknown>
/** Caches of converted function trees, so that each tree is converted only once. */
const stored: Known = new WeakMap()
const restored: Known = new WeakMap()

function mapped(parts: StateParts, change: (text: string) => string, known: Known): StateParts {
  return {
    ...parts,
    variables: parts.variables.map(([name, value]) => [name, change(value)]),
    arrays: parts.arrays.map(([name, { kind, elements }]) => [
      name,
      { kind, elements: elements.map(([key, value]) => [change(key), change(value)]) },
    ]),
    functions: parts.functions.map(([name, node]) => [change(name), tree(node, change, known)]),
    directories: parts.directories.map(change),
  }
}

/** Applies `change` to all texts of a tree. Returns the same tree if nothing changes. */
function tree<T>(value: T, change: (text: string) => string, known: Known): T {
  if (typeof value === 'string') return change(value) as T
  if (typeof value !== 'object' || value === null) return value
  const before = known.get(value)
  if (before !== undefined) return before as T
  const entries = Object.entries(value).map(([key, item]) => [key, item, tree(item as unknown, change, known)] as const)
  const isSame = entries.every(([, old, item]) => old === item)
  const result = isSame
    ? value
    : Array.isArray(value)
      ? entries.map(([, , item]) => item)
      : Object.fromEntries(entries.map(([key, , item]) => [key, item]))
  known.set(value, result)
  return result as T
}
