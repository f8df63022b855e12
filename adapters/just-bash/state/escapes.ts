// biome-ignore-all lint/suspicious/noControlCharactersInRegex: the mark is one.
import { isWellFormed } from '../escaped-bytes.js'
import type { StateParts } from './shape.js'

// A state goes to storages that take well-formed text only: what is none in it, the escapes of bytes above all, stands there as a mark and a number.

const MARK = '\x1a'
const TO_MARK = /[\x1a\ud800-\udfff]/gu
const MARKED = /\x1a([\da-f]{4})/g

const marked = (text: string): string =>
  isWellFormed(text) && !text.includes(MARK)
    ? text
    : text.replace(TO_MARK, (unit) => MARK + unit.charCodeAt(0).toString(16).padStart(4, '0'))
const unmarked = (text: string): string =>
  text.includes(MARK) ? text.replace(MARKED, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16))) : text

/** The state with well-formed texts only. */
export const storable = (parts: StateParts): StateParts => mapped(parts, marked, stored)

/** What `storable` was given. */
export const restorable = (parts: StateParts): StateParts => mapped(parts, unmarked, restored)

type Known = WeakMap<object, unknown>
/** Trees of functions that have been looked at: one that stays is looked at once. */
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

/** A tree in which nothing is to be changed is given back itself. */
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
