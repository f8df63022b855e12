import { record } from '../../core/schema-fields.js'
import type { InputIssue, JsonSchema } from '../../types/tool.js'

/** Places of the schema times places of the input: what a check may cost this thread. */
const MOST_WORK = 5_000_000
const UNITS_OF_A_PLACE = 64

/**
 * What can take unbounded time on an input of its author's choice (patterns, references into each other, comparing all with all) is told
 * to the model, and left to the tool to check.
 */
const UNCHECKED: ReadonlySet<string> = new Set([
  ...['pattern', 'patternProperties', 'uniqueItems', '$ref', '$dynamicRef', '$recursiveRef', '$anchor', '$dynamicAnchor', '$id'],
  ...['$defs', 'definitions', 'unevaluatedProperties', 'unevaluatedItems'],
])
const NAMED: ReadonlySet<string> = new Set(['properties', 'dependentSchemas'])
/** Of these a branch that is not checked in full would decide wrongly. */
const DECIDING: ReadonlySet<string> = new Set(['not', 'oneOf', 'if', 'then', 'else', 'contains', 'minContains', 'maxContains'])

/** A check of input against a schema that comes out of a sandbox, bounded in what it costs. */
export function createInputCheck(schema: JsonSchema): (input: unknown) => Promise<readonly InputIssue[]> {
  const cheap = without(schema) as JsonSchema
  const size = placesOf(cheap)
  return async (input) => {
    if (size * placesOf(input) > MOST_WORK) return [{ path: '', message: 'is too large to be checked against its schema' }]
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

/** Values, and long texts as several. Without recursion: the input may be deep. */
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
