import { record } from '../../core/schema-fields.js'
import type { InputIssue, JsonSchema } from '../../types/tool.js'

/** Maximum cost of a check in this thread: nodes of the schema times nodes of the input. */
const MOST_WORK = 5_000_000
const UNITS_OF_A_PLACE = 64

/**
 * Keywords that are not checked, because their check can take unbounded time on hostile input: patterns, recursive references, comparing
 * all items. The model sees these keywords, and the tool has to check them.
 */
const UNCHECKED: ReadonlySet<string> = new Set([
  ...['pattern', 'patternProperties', 'uniqueItems', '$ref', '$dynamicRef', '$recursiveRef', '$anchor', '$dynamicAnchor', '$id'],
  ...['$defs', 'definitions', 'unevaluatedProperties', 'unevaluatedItems'],
])
const NAMED: ReadonlySet<string> = new Set(['properties', 'dependentSchemas'])
/** Keywords that would give wrong results if their subschemas were checked only partly. */
const DECIDING: ReadonlySet<string> = new Set(['not', 'oneOf', 'if', 'then', 'else', 'contains', 'minContains', 'maxContains'])

/** Checks input against a schema from a sandbox, with bounded cost. */
export function createInputCheck(schema: JsonSchema): (input: unknown) => Promise<readonly InputIssue[]> {
  const cheap = without(schema) as JsonSchema
  const size = placesOf(cheap)
  return async (input) => {
    if (size * placesOf(input) > MOST_WORK) return [{ path: '', message: 'is too large to check against its schema' }]
    const { createPlainCheck } = await import('../../core/plain-check.js')
    return createPlainCheck(cheap)(input)
  }
}

function without(schema: unknown): unknown {
  const fields = record(schema)
  if (!fields) return schema
  const open = fields.patternProperties !== undefined
  const kept = Object.entries(fields).filter(
    ([keyword]) => !UNCHECKED.has(keyword) && !DECIDING.has(keyword) && !(open && keyword === 'additionalProperties'),
  )
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (NAMED.has(keyword)) return [keyword, mapped(record(value) ?? {})]
      if (keyword === 'enum' || keyword === 'const' || keyword === 'default' || keyword === 'examples') return [keyword, value]
      if (Array.isArray(value)) return [keyword, value.map((each) => without(each))]
      return [keyword, without(value)]
    }),
  )
}

const mapped = (schemas: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, without(schema)]))

/** Counts the values in a value. A long text counts as several values. Iterative, because the input may be deep. */
function placesOf(value: unknown): number {
  let places = 0
  const left: unknown[] = [value]
  while (left.length > 0) {
    const next = left.pop()
    places++
    if (typeof next === 'string') places += next.length / UNITS_OF_A_PLACE
    else if (typeof next === 'object' && next !== null) for (const child of Object.values(next)) left.push(child)
  }
  return places
}
