import { format, type OutputUnit, Validator } from '@cfworker/json-schema'
import type { InputIssue, JsonSchema } from '../types/tool.js'
import { type BoundedPattern, boundPattern, isNativelyLinear, newWork, spend, type Work } from './bounded-pattern.js'
import { NAMED, SCHEMAS, targetOf } from './check-plain-schema.js'
import { costsOf, hasMoreValues } from './count-values.js'
import { describeIssues, MOST_ISSUES, type RawIssue } from './input-issues.js'
import { decodeToken, record, resolvePointer } from './schema-fields.js'
import { repeatedIn, takeUniqueLists } from './unique-items.js'

/** The problems of an input by plain JSON Schema (draft 2020-12), in the words of every other schema; none when it fits. */
export function createPlainCheck(schema: JsonSchema): (input: unknown) => readonly InputIssue[] {
  // The library writes into the schema it is given, and ours is frozen.
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
    // What they could not be compared with would pass for unknown.
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

/** Fields and items of an input in which all problems are looked for: finding one more takes as long as many values that are right. */
const MOST_VALUES = 2000
const UNCHECKED: InputIssue = { path: '', message: 'may have more problems: the check of a large input stops at the first' }

/** Of the items of lists, each with each of its list, and of the names of fields, each with each pattern of names: some 50 ms. */
const MOST_PAIRS = 250_000
const MOST_NAMES = 1_000_000

/** Why an input is not compared, which would take the library far longer than its size says. */
function boundInput(nodes: readonly Record<string, unknown>[]): (input: unknown) => string | undefined {
  const unique = nodes.some(({ uniqueItems }) => uniqueItems === true)
  const patterns = nodes.reduce((sum, node) => sum + Object.keys(record(node.patternProperties) ?? {}).length, 0)
  if (!unique && patterns === 0) return () => undefined
  return (input) => {
    const { pairs, fields } = costsOf(input)
    if (unique && pairs > MOST_PAIRS) return 'has lists too long to be searched for items given twice'
    return fields * patterns > MOST_NAMES ? 'has too many fields to be compared with the patterns of its schema' : undefined
  }
}

/** Of the library: each takes far longer to be told than to be found, and a small input may have as many as it has values. */
const MOST_ERRORS = 1000
const MORE: InputIssue = { path: '', message: 'has more problems, which are not counted: send less in one call' }

/** Of the formats that stand for patterns. */
const PATTERN = 'pattern '
const formats: Record<string, (text: string) => boolean> = format as Record<string, (text: string) => boolean>
/** "url", of which the library's own expression backtracks without bound. */
const URL_FORMAT = 'URL'
/** Of the formats of the library: linear, with up to some 0.4 microseconds a character. */
const FORMAT = 'format '
const COST = 16
formats[URL_FORMAT] = (text) => /^(?:https?|ftp):/i.test(text) && formats.uri?.(text) === true

/** Of the input that is being checked: what its patterns may still take, and those that could not be tried. The library knows true and false only. */
let work: Work = newWork()
let untried = new Set<string>()

function begin(): void {
  work = newWork()
  untried = new Set()
}

/** Within `not` and `if` a text that does not fit is as it should be: one that could not be tried must not pass for that. */
const untriedIssues = (): RawIssue[] => [...untried].map((name) => ({ path: [], message: `has a text that ${tooLong(name)}` }))

function tooLong(name: string): string {
  const what = name.startsWith(FORMAT) ? `format "${name.slice(FORMAT.length)}"` : `pattern /${name.slice(PATTERN.length)}/`
  return `is too long to be compared with the ${what}: send a shorter text`
}

/** The name of the format that stands for a pattern. */
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

/** The name of the same format, within what may be spent. */
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

/** Patterns become formats: the library tries them with the host's engine, whatever time that takes. */
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

/** These only say that something inside them failed, and that follows. */
const WRAPPERS = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'propertyNames', 'items', 'prefixItems'],
  ...['additionalItems', 'unevaluatedItems', 'allOf', 'if', '$ref', '$recursiveRef', 'dependentSchemas'],
])

function toRawIssues(units: readonly OutputUnit[], input: unknown, schema: JsonSchema): RawIssue[] {
  const issues: RawIssue[] = []
  // Where the names of fields were last found to be wrong: what follows from there is about a name.
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
    // What failed inside the branches follows directly.
    const inside: OutputUnit[] = []
    for (let next = units[index + 1]; next && isInside(next, unit); next = units[index + 1]) {
      inside.push(next)
      index++
    }
    add(toUnion(unit, inside, input, schema))
  }
  return issues
}

/** A `false` schema reports the place of the value as its own. */
function isInside(unit: OutputUnit, outer: OutputUnit): boolean {
  const place = unit.keyword === 'false' ? unit.instanceLocation : unit.keywordLocation
  return place.startsWith(`${unit.keyword === 'false' ? outer.instanceLocation : outer.keywordLocation}/`)
}

function toUnion(unit: OutputUnit, inside: readonly OutputUnit[], input: unknown, schema: JsonSchema): RawIssue {
  const path = pathOf(unit.instanceLocation, input)
  if (inside.length === 0) return { path, message: 'fits more than one of the allowed forms' }
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
      return { path, message: 'expected every item once' }
    default:
      return { path, message: `does not satisfy "${unit.keyword}" of its schema` }
  }
}

function forbidden(path: readonly PropertyKey[]): RawIssue {
  const last = path.at(-1)
  if (typeof last === 'string') return { path: path.slice(0, -1), message: '', code: 'unrecognized_keys', keys: [last] }
  return { path, message: 'is not allowed here' }
}

/** `#/edits/0/old` as a path; a number only where the input has an array. */
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

/** What the schema says at a keyword's place, where `$ref` stands for the step to its target. */
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

/** An object's schema with patterns of names that the host's engine, which the library uses, may take any time for. */
interface NamePatterns {
  readonly node: Record<string, unknown>
  readonly properties: readonly (readonly [name: string, schema: unknown])[]
  readonly patterns: readonly (readonly [pattern: string, schema: unknown])[]
}

/** Takes these patterns out of a schema; `nameFields` puts back, for each input, the names that fit them. */
function takeNamePatterns(node: Record<string, unknown>): NamePatterns[] {
  const all = Object.entries(record(node.patternProperties) ?? {})
  const patterns = all.filter(([pattern]) => !isNativelyLinear(pattern))
  if (patterns.length === 0) return []
  node.patternProperties = Object.fromEntries(all.filter(([pattern]) => isNativelyLinear(pattern)))
  // References may lead to them.
  for (const [pattern, value] of patterns) Object.defineProperty(node.patternProperties, pattern, { value })
  return [{ node, properties: Object.entries(record(node.properties) ?? {}), patterns }]
}

/** Of the names in an input, those that fit a pattern are fields that the schema knows. */
function nameFields({ node, properties, patterns }: NamePatterns, names: Iterable<string>, fits: Fits): void {
  const fields = new Map(properties)
  for (const name of names) {
    for (const [pattern, schema] of patterns)
      if (fits(pattern, name)) fields.set(name, fields.has(name) ? { allOf: [fields.get(name), schema] } : schema)
  }
  node.properties = Object.fromEntries(fields)
}

type Fits = (pattern: string, name: string) => boolean

/** Every name of a field in a JSON value. */
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
