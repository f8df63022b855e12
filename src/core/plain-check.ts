import { format, type OutputUnit, Validator } from '@cfworker/json-schema'
import type { InputIssue, JsonSchema } from '../types/tool.js'
import { type BoundedPattern, boundPattern, isNativelyLinear, newWork, spend, type Work } from './bounded-pattern.js'
import { NAMED, SCHEMAS, targetOf } from './check-plain-schema.js'
import { costsOf, hasMoreValues } from './count-values.js'
import { describeIssues, MOST_ISSUES, type RawIssue } from './input-issues.js'
import { decodeToken, record, resolvePointer } from './schema-fields.js'
import { repeatedIn, takeUniqueLists } from './unique-items.js'

/** Returns a function that lists the problems of an input by plain JSON Schema (draft 2020-12), worded as for all other schemas. */
export function createPlainCheck(schema: JsonSchema): (input: unknown) => readonly InputIssue[] {
  // Work on a copy: `schema` is frozen, and the library modifies the schema that it receives.
  const own = JSON.parse(JSON.stringify(schema)) as JsonSchema
  const lists = takeUniqueLists(own)
  const nodes = new Set<Record<string, unknown>>()
  boundPatterns(own, own, nodes)
  const all = new Validator(own, '2020-12', false)
  const first = new Validator(own, '2020-12', true)
  const named = [...nodes].flatMap(takeNamePatterns)
  const tooDear = boundInput([...nodes])
  return (input) => {
    begin()
    const refused = tooDear(input)
    if (refused) return [{ path: '', message: `${refused}: send less in one call` }]
    const names = named.length === 0 ? [] : namesIn(input)
    for (const node of named) nameFields(node, names, (pattern, name) => formats[patternFormat(pattern)]?.(name) === true)
    // Stop here: fields whose name patterns were not tested would be reported as unknown.
    if (untried.size > 0) return describeIssues(untriedIssues(), input, schema)
    const large = hasMoreValues(input, MOST_VALUES)
    const { valid, errors } = (large ? first : all).validate(input)
    const told = errors.slice(0, MOST_ERRORS)
    const issues = [...(valid ? untriedIssues() : toRawIssues(told, input, own)), ...repeatedIn(lists, input)]
    const described = issues.length === 0 ? [] : describeIssues(issues, input, schema)
    if (large && !valid) return [...described.slice(0, MOST_ISSUES), UNCHECKED]
    return told.length < errors.length ? [...described.slice(0, MOST_ISSUES), MORE] : described
  }
}

/**
 * Maximum fields and items of an input for which the check continues after the first problem. In larger inputs, finding each further
 * problem takes as long as checking many valid values.
 */
const MOST_VALUES = 2000
const UNCHECKED: InputIssue = { path: '', message: 'may have more problems: the check of a large input stops at the first' }

/**
 * Limits for checks whose cost grows faster than the input: pairs of items within lists (`MOST_PAIRS`), and pairs of a field name and a
 * name pattern (`MOST_NAMES`). Each limit allows about 50 ms.
 */
const MOST_PAIRS = 250_000
const MOST_NAMES = 1_000_000

/**
 * Returns a function that returns the reason to reject an input whose check would take far longer than its size suggests. Undefined: check
 * the input.
 */
function boundInput(nodes: readonly Record<string, unknown>[]): (input: unknown) => string | undefined {
  const unique = nodes.some(({ uniqueItems }) => uniqueItems === true)
  const patterns = nodes.reduce((sum, node) => sum + Object.keys(record(node.patternProperties) ?? {}).length, 0)
  if (!unique && patterns === 0) return () => undefined
  return (input) => {
    const { pairs, fields } = costsOf(input)
    if (unique && pairs > MOST_PAIRS) return 'has lists too long to check for duplicate items'
    return fields * patterns > MOST_NAMES ? 'has too many fields to check against the patterns of its schema' : undefined
  }
}

/**
 * Maximum number of the library's errors to describe. Describing an error takes far longer than finding it, and even a small input can have
 * an error per value.
 */
const MOST_ERRORS = 1000
const MORE: InputIssue = { path: '', message: 'has more problems, which are not counted: send less in one call' }

/** Prefix of the names of formats that stand for patterns. */
const PATTERN = 'pattern '
const formats: Record<string, (text: string) => boolean> = format as Record<string, (text: string) => boolean>
/** Replaces the format "url": the library's regular expression for it can backtrack exponentially. */
const URL_FORMAT = 'URL'
/**
 * Prefix of the names of the library's own formats with a limited budget. These formats take linear time: up to 0.4 microseconds per
 * character.
 */
const FORMAT = 'format '
const COST = 16
formats[URL_FORMAT] = (text) => /^(?:https?|ftp):/i.test(text) && formats.uri?.(text) === true

/**
 * State of the current check: the remaining budget, and the patterns and formats that were not tested because the budget was too small.
 * These are module variables, because the library's formats can return only true or false.
 */
let work: Work = newWork()
let untried = new Set<string>()

function begin(): void {
  work = newWork()
  untried = new Set()
}

/**
 * Reports every untested pattern, even if the input is valid otherwise: within `not` and `if`, counting an untested pattern as a mismatch
 * can make an invalid input valid.
 */
const untriedIssues = (): RawIssue[] => [...untried].map((name) => ({ path: [], message: `has a text that ${tooLong(name)}` }))

function tooLong(name: string): string {
  const what = name.startsWith(FORMAT) ? `format "${name.slice(FORMAT.length)}"` : `pattern /${name.slice(PATTERN.length)}/`
  return `is too long to check against the ${what}: send a shorter text`
}

/** Registers a format for a pattern and returns its name. */
function patternFormat(pattern: string): string {
  const name = PATTERN + pattern
  formats[name] ??= tryPattern(pattern)
  return name
}

function tryPattern(pattern: string): (text: string) => boolean {
  const bounded: BoundedPattern = boundPattern(pattern)
  return (text) => {
    const fits = bounded(text, work)
    if (fits === undefined) untried.add(PATTERN + pattern)
    return fits ?? false
  }
}

/** Registers a format again with a limited budget and returns the new name. */
function boundFormat(format: string): string {
  const known = Object.hasOwn(formats, format) ? formats[format] : undefined
  if (!known || format.startsWith(FORMAT)) return format
  const name = FORMAT + format
  formats[name] ??= (text) => {
    if (spend(work, COST * text.length)) return known(text)
    untried.add(name)
    return false
  }
  return name
}

/** Replaces each `pattern` keyword by a format, because the library would test patterns with the host's engine, without a time limit. */
function boundPatterns(value: unknown, base: JsonSchema, seen: Set<Record<string, unknown>>): void {
  if (Array.isArray(value)) for (const each of value) boundPatterns(each, base, seen)
  const schema = Array.isArray(value) ? undefined : (record(value) as Record<string, unknown> | undefined)
  if (!schema || seen.has(schema)) return
  seen.add(schema)
  const root = typeof schema.$id === 'string' ? schema : base
  if (typeof schema.$ref === 'string') boundPatterns(targetOf(schema.$ref, root), root, seen)
  for (const keyword of SCHEMAS) boundPatterns(schema[keyword], root, seen)
  for (const keyword of NAMED) for (const named of Object.values(record(schema[keyword]) ?? {})) boundPatterns(named, root, seen)
  if (typeof schema.format === 'string') schema.format = boundFormat(schema.format === 'url' ? URL_FORMAT : schema.format)
  const { pattern } = schema
  if (typeof pattern !== 'string') return
  const name = patternFormat(pattern)
  delete schema.pattern
  if (schema.format === undefined) schema.format = name
  else schema.allOf = [...(Array.isArray(schema.allOf) ? schema.allOf : []), { format: name }]
}

/** Keywords whose errors are skipped: such an error only reports that something inside failed, and the inner error follows. */
const WRAPPERS = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'propertyNames', 'items', 'prefixItems'],
  ...['additionalItems', 'unevaluatedItems', 'allOf', 'if', '$ref', '$recursiveRef', 'dependentSchemas'],
])

function toRawIssues(units: readonly OutputUnit[], input: unknown, schema: JsonSchema): RawIssue[] {
  const issues: RawIssue[] = []
  // Location of the last `propertyNames` error. Errors below this location are about a field name.
  let names = ''
  for (let index = 0; index < units.length; index++) {
    const unit = units[index]
    if (unit?.keyword === 'propertyNames') names = `${unit.keywordLocation}/`
    if (!unit || WRAPPERS.has(unit.keyword)) continue
    const add = (issue: RawIssue): void => {
      const ofName = names !== '' && unit.keywordLocation.startsWith(names)
      issues.push(ofName ? { code: 'invalid_key', path: issue.path, message: '', issues: [issue] } : issue)
    }
    if (unit.keyword !== 'anyOf' && unit.keyword !== 'oneOf') {
      add(toRawIssue(unit, input, schema))
      continue
    }
    // The errors of the branches follow directly.
    const inside: OutputUnit[] = []
    for (let next = units[index + 1]; next && isInside(next, unit); next = units[index + 1]) {
      inside.push(next)
      index++
    }
    add(toUnion(unit, inside, input, schema))
  }
  return issues
}

/**
 * Whether `unit` is an error inside `outer`. Compares locations in the schema, except for a `false` schema, where only the location of the
 * value is known.
 */
function isInside(unit: OutputUnit, outer: OutputUnit): boolean {
  const place = unit.keyword === 'false' ? unit.instanceLocation : unit.keywordLocation
  return place.startsWith(`${unit.keyword === 'false' ? outer.instanceLocation : outer.keywordLocation}/`)
}

function toUnion(unit: OutputUnit, inside: readonly OutputUnit[], input: unknown, schema: JsonSchema): RawIssue {
  const path = pathOf(unit.instanceLocation, input)
  if (inside.length === 0) return { path, message: 'matches more than one of the allowed forms' }
  const branches = new Map<string, OutputUnit[]>()
  let branch = ''
  for (const failed of inside) {
    if (failed.keyword !== 'false') branch = failed.keywordLocation.slice(unit.keywordLocation.length + 1).split('/', 1)[0] ?? ''
    const list = branches.get(branch)
    if (list) list.push(failed)
    else branches.set(branch, [failed])
  }
  const errors = [...branches.values()].map((failed) =>
    toRawIssues(failed, input, schema).map((issue) => ({ ...issue, path: (issue.path ?? []).slice(path.length) })),
  )
  return { code: 'invalid_union', path, message: '', errors }
}

const BOUNDS: Readonly<Record<string, Partial<RawIssue>>> = {
  minimum: { code: 'too_small' },
  exclusiveMinimum: { code: 'too_small', inclusive: false },
  minLength: { code: 'too_small', origin: 'string' },
  minItems: { code: 'too_small', origin: 'array' },
  minProperties: { code: 'too_small', origin: 'object' },
  maximum: { code: 'too_big' },
  exclusiveMaximum: { code: 'too_big', inclusive: false },
  maxLength: { code: 'too_big', origin: 'string' },
  maxItems: { code: 'too_big', origin: 'array' },
  maxProperties: { code: 'too_big', origin: 'object' },
}

function toRawIssue(unit: OutputUnit, input: unknown, schema: JsonSchema): RawIssue {
  const path = pathOf(unit.instanceLocation, input)
  const wanted = keywordValue(unit.keywordLocation, schema)
  const bound = BOUNDS[unit.keyword]
  if (bound) return { path, message: '', ...bound, minimum: wanted, maximum: wanted }
  switch (unit.keyword) {
    case 'false':
      return forbidden(path)
    case 'required':
      return { path: [...path, /required property "(.*)"\.$/s.exec(unit.error)?.[1] ?? ''], message: '' }
    case 'type':
      return { path, message: '', code: 'invalid_type', expected: wanted === 'integer' ? 'int' : wanted }
    case 'enum':
      return { path, message: '', code: 'invalid_value', values: Array.isArray(wanted) ? wanted : [] }
    case 'const':
      return { path, message: '', code: 'invalid_value', values: [wanted] }
    case 'format': {
      const name = String(wanted)
      if (untried.has(name)) return { path, message: tooLong(name) }
      if (!name.startsWith(PATTERN)) return { path, message: '', code: 'invalid_format', format: name.replace(FORMAT, '') }
      return { path, message: '', code: 'invalid_format', format: 'regex', pattern: `/${name.slice(PATTERN.length)}/` }
    }
    case 'multipleOf':
      return { path, message: '', code: 'not_multiple_of', divisor: wanted }
    case 'uniqueItems':
      return { path, message: 'expected unique items' }
    default:
      return { path, message: `does not satisfy "${unit.keyword}" of its schema` }
  }
}

function forbidden(path: readonly PropertyKey[]): RawIssue {
  const last = path.at(-1)
  if (typeof last === 'string') return { path: path.slice(0, -1), message: '', code: 'unrecognized_keys', keys: [last] }
  return { path, message: 'is not allowed here' }
}

/** Converts `#/edits/0/old` to a path. A token becomes a number only if the input has an array there. */
function pathOf(location: string, input: unknown): PropertyKey[] {
  const path: PropertyKey[] = []
  let current = input
  for (const token of location.split('/').slice(1)) {
    const key = decodeToken(token)
    path.push(Array.isArray(current) ? Number(key) : key)
    current = record(current)?.[key]
  }
  return path
}

/** Returns the value of the keyword at a location in the schema. Follows `$ref`. */
function keywordValue(location: string, schema: JsonSchema): unknown {
  let current: unknown = schema
  for (const token of location.split('/').slice(1)) {
    const node = record(current)
    if (!node) return undefined
    const next = node[decodeToken(token)]
    current = token === '$ref' && typeof next === 'string' ? resolvePointer(schema, next) : next
  }
  return current
}

/** An object schema with name patterns that the library would test with the host's engine, without a time limit. */
interface NamePatterns {
  readonly node: Record<string, unknown>
  readonly properties: readonly (readonly [name: string, schema: unknown])[]
  readonly patterns: readonly (readonly [pattern: string, schema: unknown])[]
}

/**
 * Removes the patterns that the host's engine may not match in linear time from a schema. For each input, `nameFields` adds the matching
 * names as fields instead.
 */
function takeNamePatterns(node: Record<string, unknown>): NamePatterns[] {
  const all = Object.entries(record(node.patternProperties) ?? {})
  const patterns = all.filter(([pattern]) => !isNativelyLinear(pattern))
  if (patterns.length === 0) return []
  node.patternProperties = Object.fromEntries(all.filter(([pattern]) => isNativelyLinear(pattern)))
  // Not enumerable, so the library does not test the patterns, but `$ref` can still point to them.
  for (const [pattern, value] of patterns) Object.defineProperty(node.patternProperties, pattern, { value })
  return [{ node, properties: Object.entries(record(node.properties) ?? {}), patterns }]
}

/** Adds the names of an input that match a pattern to the schema's known fields. */
function nameFields({ node, properties, patterns }: NamePatterns, names: Iterable<string>, fits: Fits): void {
  const fields = new Map(properties)
  for (const name of names) {
    for (const [pattern, schema] of patterns)
      if (fits(pattern, name)) fields.set(name, fields.has(name) ? { allOf: [fields.get(name), schema] } : schema)
  }
  node.properties = Object.fromEntries(fields)
}

type Fits = (pattern: string, name: string) => boolean

/** Collects all field names in a JSON value. */
function namesIn(value: unknown): ReadonlySet<string> {
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
