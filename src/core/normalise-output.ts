import type { JsonValue } from '../types/tool.js'
import { formatPath } from './field-path.js'

export type Normalised =
  /** `size`: an upper bound for the length of the value as JSON, in bytes. */
  { readonly ok: true; readonly value: JsonValue; readonly size: number } | { readonly ok: false; readonly message: string }

const DEEPEST = 200
const MOST_VALUES = 5_000_000
/**
 * Maximum UTF-16 units of all texts together, including field names. Even if each unit becomes an escape of six characters, the JSON fits
 * into one string.
 */
export const LONGEST_TEXT: number = 64 * 1024 * 1024

/**
 * Converts the output of a tool to JSON. Returns plain JSON unchanged, without a copy. Calls `toJSON`; replaces `undefined`, NaN and
 * infinities by null, and instances of classes by their own fields. Rejects everything else (Map, bytes, promises, functions, bigint,
 * cycles) with its path, because a silent `{}` would mislead a model.
 */
export function normaliseOutput(value: unknown): Normalised {
  const walk = new Walk()
  try {
    return { ok: true, value: walk.visit(value), size: walk.size }
  } catch (error) {
    const at = formatPath(walk.path)
    const place = at === '' ? 'The output' : `The output at "${at}"`
    return { ok: false, message: error instanceof Refused ? `${place} ${error.message}` : `${place} cannot be read` }
  }
}

class Refused extends Error {}

class Walk {
  readonly path: (string | number)[] = []
  size = 0
  #left = MOST_VALUES
  #text = 0

  visit(value: unknown): JsonValue {
    switch (typeof value) {
      case 'string':
        this.#take(0, value.length)
        // In the worst case every unit becomes an escape of six bytes.
        this.size += 6 * value.length + 3
        return value
      case 'number':
        this.size += 25
        return Number.isFinite(value) ? value : null
      case 'boolean':
        this.size += 6
        return value
      case 'undefined':
        this.size += 5
        return null
      case 'object':
        this.size += 5
        return value === null ? null : this.#container(value)
      default:
        throw new Refused(`is a ${typeof value}: return JSON`)
    }
  }

  /** Subtracts from the budget before any work, because a sparse array can have a length of billions. */
  #take(values: number, text: number): void {
    this.#left -= values
    this.#text += text
    if (this.#left < 0) throw new Refused(`has more than ${MOST_VALUES} parts`)
    if (this.#text > LONGEST_TEXT) throw new Refused(`contains more than ${LONGEST_TEXT} characters of text`)
  }

  #container(value: object): JsonValue {
    if (this.path.length > DEEPEST) throw new Refused(`is nested more than ${DEEPEST} levels deep, or contains itself`)
    this.#take(1, 0)
    if (Array.isArray(value)) return this.#array(value)
    if ('toJSON' in value && typeof value.toJSON === 'function') {
      this.path.push('toJSON()')
      const json = this.visit(value.toJSON(''))
      this.path.pop()
      return json
    }
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype === Object.prototype || prototype === null) return this.#record(value, false)
    const tag = Object.prototype.toString.call(value).slice(8, -1)
    if (tag !== 'Object') throw new Refused(`is of type ${tag}: return JSON`)
    return this.#record(value, true)
  }

  #array(values: readonly unknown[]): JsonValue {
    let copy: JsonValue[] | undefined
    const depth = this.path.length
    const { length } = values
    this.#take(length, 0)
    for (let index = 0; index < length; index++) {
      this.path[depth] = index
      const value = values[index]
      const kept = this.visit(value)
      if (copy) copy.push(kept)
      else if (kept !== value) copy = [...(values.slice(0, index) as JsonValue[]), kept]
    }
    this.path.length = depth
    return copy ?? (values as JsonValue[])
  }

  /** Visits the fields of an object. Undefined fields need no copy, because JSON omits them. */
  #record(given: object, rebuild: boolean): JsonValue {
    const fields = given as Readonly<Record<string, unknown>>
    let copy: Record<string, JsonValue> | undefined = rebuild ? {} : undefined
    const depth = this.path.length
    const keys = Object.keys(fields)
    this.#take(keys.length, 0)
    for (const key of keys) {
      this.path[depth] = key
      const value = fields[key]
      if (value === undefined) continue
      this.#take(0, key.length)
      this.size += 6 * key.length + 4
      const kept = this.visit(value)
      if (copy) setField(copy, key, kept)
      else if (kept !== value) copy = { ...copyBefore(fields, keys, key), [key]: kept }
    }
    this.path.length = depth
    return copy ?? (given as JsonValue)
  }
}

function copyBefore(fields: Readonly<Record<string, unknown>>, keys: readonly string[], end: string): Record<string, JsonValue> {
  const copy: Record<string, JsonValue> = {}
  for (const key of keys) {
    if (key === end) break
    const value = fields[key]
    // The walk visited this value already and did not change it.
    if (value !== undefined) setField(copy, key, value as JsonValue)
  }
  return copy
}

/** Sets a field, also one named `__proto__`, where a plain assignment would set the prototype. */
function setField(target: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  else target[key] = value
}
