import type { JsonSchema } from '../types/tool.js'
import type { RawIssue } from './input-issues.js'
import { record } from './schema-fields.js'

const EACH: unique symbol = Symbol('each item')

/** A path that leads to lists in the input. Each step is a field name, or `EACH` for every item of a list. */
export type ListPlace = readonly (string | typeof EACH)[]

/** References outside of definitions, which may point to a removed part. */
const REFERENCE = /"\$(?:ref|dynamicRef|recursiveRef)":"(?!#\/(?:\$defs|definitions)\/)/

/**
 * Removes `uniqueItems` from the parts of a schema that always apply, because the library compares all pairs of items in quadratic time.
 * Keeps `uniqueItems` below `anyOf` and similar keywords.
 */
export function takeUniqueLists(schema: JsonSchema): ListPlace[] {
  const places: ListPlace[] = []
  const take = (value: unknown, at: ListPlace): void => {
    const node = record(value) as Record<string, unknown> | undefined
    if (!node) return
    if (node.uniqueItems === true) {
      delete node.uniqueItems
      places.push(at)
    }
    for (const [name, property] of Object.entries(record(node.properties) ?? {})) take(property, [...at, name])
    if (node.prefixItems === undefined) take(node.items, [...at, EACH])
    if (Array.isArray(node.allOf)) for (const part of node.allOf) take(part, at)
  }
  if (!REFERENCE.test(JSON.stringify(schema))) take(schema, [])
  return places
}

/** Reports the lists at these paths that contain an item twice. Ignores the order of keys in items. */
export function repeatedIn(places: readonly ListPlace[], input: unknown): RawIssue[] {
  return places.flatMap((place) => listsAt(place, input, [])).map((path) => ({ path, message: 'expected unique items' }))
}

function listsAt([step, ...rest]: ListPlace, value: unknown, path: readonly PropertyKey[]): (readonly PropertyKey[])[] {
  if (step === undefined) return Array.isArray(value) && new Set(value.map(keyOf)).size < value.length ? [path] : []
  if (step === EACH) return Array.isArray(value) ? value.flatMap((item, i) => listsAt(rest, item, [...path, i])) : []
  const fields = record(value)
  return fields && Object.hasOwn(fields, step) ? listsAt(rest, fields[step], [...path, step]) : []
}

/** A key that is equal for equal values, whatever the order of their keys. */
function keyOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`
  const fields = record(value)
  if (!fields) return JSON.stringify(value) ?? 'undefined'
  const names = Object.keys(fields).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${keyOf(fields[name])}`).join()}}`
}
