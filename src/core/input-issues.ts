import type { InputIssue, JsonSchema } from '../types/tool.js'
import { closestNames } from './closest-names.js'
import { formatPath, shorten, valueAt } from './field-path.js'
import { looksLikeJson } from './looks-like-json.js'
import { fieldsAt } from './schema-fields.js'

/** An issue from a validator. Standard Schema guarantees only `message` and `path`; zod and JSON Schema fill the other fields. */
export interface RawIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
  readonly code?: string
  readonly expected?: unknown
  readonly values?: readonly unknown[]
  readonly keys?: readonly string[]
  /** Number of unknown fields, if `keys` lists only some of them. */
  readonly count?: number
  readonly errors?: readonly (readonly RawIssue[])[]
  /** Problems with the name of a field. */
  readonly issues?: readonly RawIssue[]
  readonly options?: readonly unknown[]
  readonly discriminator?: string
  readonly origin?: string
  readonly minimum?: unknown
  readonly maximum?: unknown
  readonly inclusive?: boolean
  readonly divisor?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly prefix?: string
  readonly suffix?: string
  readonly includes?: string
}

interface Subject {
  readonly input: unknown
  readonly schema: JsonSchema
  readonly found: InputIssue[]
  /** Number of problems that are counted but not described: describing 100,000 problems would take seconds. */
  more: number
}

export const MOST_ISSUES = 50
const MOST_NAMES = 20
const LONGEST_MESSAGE = 500

/** zod's default messages. Toolport replaces these messages by its own, which say more and do not depend on a locale. */
const STOCK = /^(Invalid (input|option|string|number|discriminator value|(key|value|element) in )|Too (small|big): |Unrecognized keys?: |$)/

/** Describes the problems of an input for a model, each with its path. Describes at most 50 and counts the others. */
export function describeIssues(raw: readonly RawIssue[], input: unknown, schema: JsonSchema): readonly InputIssue[] {
  const subject: Subject = { input, schema, found: [], more: 0 }
  for (const issue of raw) describe(issue, [], subject)
  return subject.more === 0 ? subject.found : [...subject.found, { path: '', message: `${subject.more} more problems` }]
}

function describe(issue: RawIssue, base: readonly PropertyKey[], subject: Subject): void {
  const path = [...base, ...plainPath(issue)]
  if (issue.code === 'unrecognized_keys') {
    addUnknown(issue, path, subject)
  } else if (issue.code === 'invalid_union' && issue.errors?.length) {
    describeUnion(issue.errors, path, subject)
  } else {
    add(subject, path, () => worded(issue, issue.code === 'invalid_key' ? path.at(-1) : valueAt(subject.input, path)))
  }
}

function addUnknown({ keys = [], count = keys.length }: RawIssue, path: readonly PropertyKey[], subject: Subject): void {
  const room = Math.max(0, MOST_ISSUES - subject.found.length)
  const fields = room > 0 ? fieldsAt(subject.schema, path) : []
  for (const key of keys.slice(0, room)) add(subject, [...path, key], () => unknownField(key, fields))
  subject.more += Math.max(0, count - room)
}

/**
 * Describes a value that fits no branch of a union. If the value has none of the branches' types, adds one message. Otherwise adds the
 * problems of the branch with the fewest problems.
 */
function describeUnion(branches: readonly (readonly RawIssue[])[], path: readonly PropertyKey[], subject: Subject): void {
  const wrongType = branches.filter(
    ([first, ...others]) => first?.code === 'invalid_type' && others.length === 0 && plainPath(first).length === 0,
  )
  if (wrongType.length === branches.length) {
    add(subject, path, () => {
      const value = valueAt(subject.input, path)
      const types = [...new Set(wrongType.map(([first]) => typeWord(first?.expected)))]
      return value === undefined ? 'is required' : `expected ${types.join(' or ')}, got ${described(value)}`
    })
    return
  }
  const [nearest] = branches.filter((branch) => !wrongType.includes(branch)).sort((a, b) => a.length - b.length)
  for (const issue of nearest ?? []) describe(issue, path, subject)
}

function add(subject: Subject, path: readonly PropertyKey[], message: () => string): void {
  if (subject.found.length < MOST_ISSUES) subject.found.push({ path: formatPath(path), message: shorten(message(), LONGEST_MESSAGE) })
  else subject.more++
}

function unknownField(key: string, fields: readonly string[]): string {
  const [meant] = closestNames(key, fields, 1)
  const question = meant === undefined ? '' : `, did you mean "${meant}"?`
  if (fields.length === 0) return `is not a known field${question}`
  const names = fields.slice(0, MOST_NAMES).map((name) => `"${name}"`)
  if (fields.length > MOST_NAMES) names.push('...')
  return `is not a known field${question || ':'} use ${names.join(', ')}`
}

const worded = (issue: RawIssue, value: unknown): string => (STOCK.test(issue.message) ? wording(issue, value) : issue.message)

function wording(issue: RawIssue, value: unknown): string {
  if (value === undefined) return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${typeWord(issue.expected)}, got ${described(value, issue.expected === 'int')}`
    case 'invalid_value':
      return `expected ${oneOf(issue.values ?? [])}, got ${quoted(value)}`
    case 'invalid_union':
      return issue.options
        ? `expected ${oneOf(issue.options)}, got ${quoted(value)}`
        : `matches none of the allowed forms, got ${described(value)}`
    case 'too_small':
      return tooFar('at least', 'more than', issue.minimum, issue, value)
    case 'too_big':
      return tooFar('at most', 'less than', issue.maximum, issue, value)
    case 'not_multiple_of':
      return `expected a multiple of ${String(issue.divisor)}, got ${quoted(value)}`
    case 'invalid_format':
      return `expected ${formatWord(issue)}, got ${quoted(value)}`
    case 'invalid_key': {
      const [first] = issue.issues ?? []
      return first ? `is not an allowed name: ${worded(first, value)}` : 'is not an allowed name'
    }
    default:
      return issue.message === '' || issue.message === 'Invalid input' ? 'is not valid' : issue.message
  }
}

function tooFar(inclusive: string, exclusive: string, bound: unknown, issue: RawIssue, value: unknown): string {
  const words = issue.inclusive === false ? exclusive : inclusive
  const unit = UNITS[issue.origin ?? '']
  if (!unit) return `expected ${words} ${String(bound)}, got ${quoted(value)}`
  return `expected ${words} ${String(bound)} ${bound === 1 ? unit.one : unit.many}, got ${unit.count(value)}`
}

interface Unit {
  readonly one: string
  readonly many: string
  count(value: unknown): number
}

const lengthOf = (value: unknown): number => (typeof value === 'string' ? [...value].length : Array.isArray(value) ? value.length : 0)
const UNITS: Readonly<Record<string, Unit>> = {
  string: { one: 'character', many: 'characters', count: lengthOf },
  array: { one: 'item', many: 'items', count: lengthOf },
  object: { one: 'field', many: 'fields', count: (value) => (typeof value === 'object' && value ? Object.keys(value).length : 0) },
}

function formatWord(issue: RawIssue): string {
  if (issue.prefix !== undefined) return `text that begins with "${issue.prefix}"`
  if (issue.suffix !== undefined) return `text that ends with "${issue.suffix}"`
  if (issue.includes !== undefined) return `text that contains "${issue.includes}"`
  if (issue.format === 'regex') return `text that matches ${issue.pattern ?? 'the pattern'}`
  return `a valid ${issue.format ?? 'format'}`
}

const TYPE_WORDS: Readonly<Record<string, string>> = { int: 'integer', record: 'object', tuple: 'array', nonoptional: 'a value' }

function typeWord(expected: unknown): string {
  if (Array.isArray(expected)) return expected.map(typeWord).join(' or ')
  const word = String(expected)
  return TYPE_WORDS[word] ?? word
}

/** Names the JSON type of a value for a message. Points out text that contains JSON, because models sometimes encode a value twice. */
function described(value: unknown, numbersByValue = false): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number' && (numbersByValue || !Number.isFinite(value))) return String(value)
  if (typeof value === 'string' && looksLikeJson(value)) return 'a string of JSON: pass the value itself, not its text'
  return typeof value
}

function quoted(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value, 40))
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : described(value)
}

function oneOf(values: readonly unknown[]): string {
  const words = values
    .slice(0, MOST_NAMES)
    .map((value) => (typeof value === 'bigint' ? String(value) : shorten(JSON.stringify(value) ?? 'undefined', 200)))
  if (values.length > MOST_NAMES) words.push('...')
  const last = words.pop() ?? 'nothing'
  return words.length === 0 ? last : `${words.join(', ')} or ${last}`
}

function plainPath(issue: RawIssue): PropertyKey[] {
  return (issue.path ?? []).map((segment) => (typeof segment === 'object' ? segment.key : segment))
}

/** Suggests known names that are similar to an unknown one. */
export function meantFor(name: string, names: readonly string[]): { readonly closest?: readonly string[]; readonly hint?: string } {
  const closest = closestNames(name, names)
  return closest.length === 0 ? {} : { closest, hint: `Did you mean "${closest[0]}"?` }
}
