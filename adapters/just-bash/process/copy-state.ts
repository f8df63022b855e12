import type { InterpreterState } from '../library-types.js'
import { ATTRIBUTES } from '../state/shape.js'

/** Copies the state for another shell. Functions are shared, because their trees never change. */
export function copyState(state: InterpreterState): InterpreterState {
  const copied = new Map<object, unknown>()
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(state)) {
    const value: unknown = (state as unknown as Record<string, unknown>)[key]
    copy[key] = key === 'functions' ? new Map(state.functions) : copyOf(value, copied)
  }
  return copy as unknown as InterpreterState
}

/** Copies collections and plain objects in them; keeps other values. Copies shared objects once. */
function copyOf(value: unknown, copied: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const before = copied.get(value)
  if (before !== undefined) return before
  if (value instanceof Set) return keep(value, new Set(value), copied)
  if (value instanceof Map) {
    const map = keep(value, new Map(), copied)
    for (const [key, item] of value) map.set(key, copyOf(item, copied))
    return map
  }
  if (Array.isArray(value)) return value.map((item) => copyOf(item, copied))
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  const plain: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) plain[key] = copyOf(item, copied)
  return plain
}

function keep<T>(value: object, copy: T, copied: Map<object, unknown>): T {
  copied.set(value, copy)
  return copy
}

/** Fields of the state that a subshell must not change. The library itself restores variables and arrays. */
const GUARDED = [
  'functions',
  'options',
  'shoptOptions',
  'readonlyVars',
  ...ATTRIBUTES,
  'exportedVars',
  'directoryStack',
  'cwd',
  'previousDir',
] as const

/** Gives a subshell a copy of the state. Call the returned function to restore the original. */
export function guardState(state: InterpreterState): () => void {
  const fields = state as unknown as Record<string, unknown>
  const kept = GUARDED.map((key) => fields[key])
  for (const key of GUARDED) {
    const value = fields[key]
    if (value instanceof Map) fields[key] = new Map(value)
    else if (value instanceof Set) fields[key] = new Set(value)
    else if (Array.isArray(value)) fields[key] = [...value]
    else if (typeof value === 'object' && value !== null) fields[key] = { ...value }
  }
  return () => {
    for (const [index, key] of GUARDED.entries()) fields[key] = kept[index]
  }
}
