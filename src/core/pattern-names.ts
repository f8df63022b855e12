import { isNativelyLinear } from './bounded-pattern.js'
import { record } from './schema-fields.js'

/** An object's schema with patterns of names that the host's engine, which the library uses, may take any time for. */
export interface NamePatterns {
  readonly node: Record<string, unknown>
  readonly properties: readonly (readonly [name: string, schema: unknown])[]
  readonly patterns: readonly (readonly [pattern: string, schema: unknown])[]
}

/** Takes these patterns out of a schema; `nameFields` puts back, for each input, the names that fit them. */
export function takeNamePatterns(node: Record<string, unknown>): NamePatterns[] {
  const all = Object.entries(record(node.patternProperties) ?? {})
  const patterns = all.filter(([pattern]) => !isNativelyLinear(pattern))
  if (patterns.length === 0) return []
  node.patternProperties = Object.fromEntries(all.filter(([pattern]) => isNativelyLinear(pattern)))
  // References may lead to them.
  for (const [pattern, value] of patterns) Object.defineProperty(node.patternProperties, pattern, { value })
  return [{ node, properties: Object.entries(record(node.properties) ?? {}), patterns }]
}

/** Of the names in an input, those that fit a pattern are fields that the schema knows. */
export function nameFields({ node, properties, patterns }: NamePatterns, names: Iterable<string>, fits: Fits): void {
  const fields = new Map(properties)
  for (const name of names) {
    for (const [pattern, schema] of patterns)
      if (fits(pattern, name)) fields.set(name, fields.has(name) ? { allOf: [fields.get(name), schema] } : schema)
  }
  node.properties = Object.fromEntries(fields)
}

type Fits = (pattern: string, name: string) => boolean

/** Every name of a field in a JSON value. */
export function namesIn(value: unknown): ReadonlySet<string> {
  const names = new Set<string>()
  const left: unknown[] = [value]
  while (left.length > 0) {
    const next = record(left.pop())
    if (!next) continue
    for (const [name, child] of Object.entries(next)) {
      if (!Array.isArray(next)) names.add(name)
      left.push(child)
    }
  }
  return names
}
