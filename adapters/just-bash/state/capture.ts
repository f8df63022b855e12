import { isWellFormed } from '../escaped-bytes.js'
import type { FunctionDefNode, InterpreterState } from '../library-types.js'
import { ATTRIBUTES, type Attribute, type StateParts } from './shape.js'

/** Maximum number of characters in a stored state. */
const MAX_STATE_CHARS = 8 * 1024 * 1024

/** Size that an array element counts, in addition to the characters of its key and value. */
const ELEMENT = 64

/** Variables that are not stored: parameters, and internal variables of the library. */
const SPECIAL =
  /^(?:[^A-Za-z_].*|_|PWD|OLDPWD|PIPESTATUS|FUNCNAME|BASH_(?:LINENO|SOURCE|REMATCH|VERSINFO)|DIRSTACK|GROUPS|OPTIND|SECONDS|SHLVL|RANDOM|LINENO)$/
/** Options that are not stored: with `noexec`, the next shell would run no command. */
const UNKEPT_OPTIONS = new Set(['noexec'])

/** The initial variables of a shell. */
export type Beginning = ReadonlyMap<string, string>

/** Captures the final state of a shell for the next one. Undefined if it exceeds `MAX_STATE_CHARS`. */
export function captureState(state: InterpreterState, beginning: Beginning): StateParts | undefined {
  const size = new Size()
  const exported = state.exportedVars ?? new Set<string>()
  const variables: [string, string][] = []
  for (const [name, value] of withoutTemporary(state)) {
    if (SPECIAL.test(name) || beginning.get(name) === value) continue
    // Skip exported variables, because the environment carries them to the next shell.
    if (exported.has(name) && isWellFormed(value)) continue
    if (!size.add(name.length + value.length)) return undefined
    variables.push([name, value])
  }
  const arrays: [string, StateParts['arrays'][number][1]][] = []
  for (const [name, { kind, elements }] of state.arrays ?? []) {
    if (SPECIAL.test(name)) continue
    for (const [key, value] of elements) if (!size.add(ELEMENT + key.length + value.length)) return undefined
    arrays.push([name, { kind, elements: [...elements] }])
  }
  const functions = [...state.functions]
  for (const [name, node] of functions) if (!size.add(name.length + sizeOf(node))) return undefined
  return {
    shell: 'just-bash',
    version: 1,
    variables,
    arrays,
    attributes: attributesOf(state),
    functions,
    options: Object.keys(state.options).filter((name) => state.options[name] && !UNKEPT_OPTIONS.has(name)),
    shopt: Object.entries(state.shoptOptions),
    directories: state.directoryStack ?? [],
  }
}

/** Removes temporary variables that an interrupted `A=1 f` leaves behind. */
function withoutTemporary(state: InterpreterState): ReadonlyMap<string, string> {
  const bindings = state.tempEnvBindings ?? []
  if (bindings.length === 0) return state.env
  const env = new Map(state.env)
  for (const binding of bindings.toReversed()) {
    for (const [name, value] of binding) {
      if (value === undefined) env.delete(name)
      else env.set(name, value)
    }
  }
  return env
}

function attributesOf(state: InterpreterState): StateParts['attributes'] {
  const attributes: Partial<Record<Attribute, readonly string[]>> = {}
  for (const attribute of ATTRIBUTES) {
    const names = (state as unknown as Record<string, ReadonlySet<string> | undefined>)[attribute]
    const kept = [...(names ?? [])].filter((name) => !SPECIAL.test(name))
    if (kept.length > 0) attributes[attribute] = kept
  }
  return attributes
}

class Size {
  #chars = 0

  add(chars: number): boolean {
    this.#chars += chars
    return this.#chars <= MAX_STATE_CHARS
  }
}

const sizes = new WeakMap<FunctionDefNode, number>()

/** Returns the approximate size of a function's tree, which is cached per function. */
function sizeOf(node: FunctionDefNode): number {
  const known = sizes.get(node)
  if (known !== undefined) return known
  const size = JSON.stringify(node).length
  sizes.set(node, size)
  return size
}
