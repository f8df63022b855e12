import type { JsonSchema } from '../types/tool.js'
import type { RawIssue } from './input-issues.js'
import { record } from './schema-fields.js'

const EACH: unique symbol = Symbol('each item')

/** Where a list is in the input: names of fields, or every item of a list. */
export type ListPlace = readonly (string | typeof EACH)[]

/** References to other places than definitions, which may lead to what is taken out. */
const REFERENCE = /"\$(?:ref|dynamicRef|recursiveRef)":"(?!#\/(?:\$defs|definitions)\/)/

/**
 * Takes `uniqueItems` out of a schema where it always applies: the library compares every item with every other, which is quadratic.
 * Below `anyOf` and the like it stays.
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

/** The lists at these places that hold an item twice, whatever the order of its keys. */
export function repeatedIn(places: readonly ListPlace[], input: unknown): RawIssue[] {
  return places.flatMap((place) => listsAt(place, input, [])).map((path) => ({ path, message: 'expected every item once' }))
}

function listsAt([step, ...rest]: ListPlace, value: unknown, path: readonly PropertyKey[]): (readonly PropertyKey[])[] {
  if (step === undefined) return Array.isArray(value) && new Set(value.map(keyOf)).size < value.length ? [path] : []
  if (step === EACH) return Array.isArray(value) ? value.flatMap((item, i) => listsAt(rest, item, [...path, i])) : []
  const fields = record(value)
  return fields && Object.hasOwn(fields, step) ? listsAt(rest, fields[step], [...path, step]) : []
}

/** The same for equal values, whatever the order of their keys. */
function keyOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`
  const fields = record(value)
  if (!fields) return JSON.stringify(value) ?? 'undefined'
  const names = Object.keys(fields).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${keyOf(fields[name])}`).join()}}`
}
