import { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonSchema } from 'toolport'
import { record } from './from-schema.js'
import type { PresetName } from './presets.js'

type Fields = Readonly<Record<string, unknown>>

/** Input that a preset accepts although its schema does not, according to its document (section of `seed-semantics`). */
interface Leniency {
  readonly rule: string
  readonly section: string
  /** A tool, and input that it accepts although its schema does not. */
  readonly example: readonly [tool: string, input: unknown]
  /** Rewrites the input so that it no longer needs this rule. Other rules may still apply. */
  readonly undo: (input: unknown, schema: JsonSchema, tool: string) => unknown
}

const ajv = new Ajv2020({ strict: false })
const checks = new WeakMap<JsonSchema, (value: unknown) => boolean>()
const fits = (schema: JsonSchema, value: unknown): boolean => {
  const check = checks.get(schema) ?? (ajv.compile(structuredClone(schema)) as (value: unknown) => boolean)
  checks.set(schema, check)
  return check(value)
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Applies `change` to each field of the schema. If `change` returns undefined, the field is removed. */
function eachField(
  input: unknown,
  schema: JsonSchema,
  change: (value: unknown, schema: JsonSchema, required: boolean) => unknown,
): unknown {
  if (!isFields(input)) return input
  const properties = record(schema.properties)
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : []
  const entries = Object.entries(input).map(([name, value]) => {
    const property = Object.hasOwn(properties, name) ? record(properties[name]) : undefined
    return [name, property ? change(value, property, required.includes(name)) : value] as const
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

const dropped = (input: unknown, schema: JsonSchema, wrong: (value: unknown, schema: JsonSchema) => boolean): unknown =>
  eachField(input, schema, (value, property, required) => (!required && wrong(value, property) ? undefined : value))

const isNull = (value: unknown): boolean => value === null

/** serde: null for an `Option`, also inside the elements of a sequence. */
function withoutNulls(input: unknown, schema: JsonSchema): unknown {
  const outer = dropped(input, schema, isNull)
  return eachField(outer, schema, (value, { items }) =>
    Array.isArray(value) ? value.map((item) => dropped(item, record(items), isNull)) : value,
  )
}

const clamped = (
  value: number,
  { minimum = -Infinity, maximum = Infinity }: { readonly minimum?: number; readonly maximum?: number },
): number => Math.max(minimum, Math.min(maximum, value))

/** Clamps numbers to the bounds, because the preset does so instead of rejecting them. A `u64` must still be an integer from 0 up. */
const withinBounds = (input: unknown, schema: JsonSchema): unknown =>
  eachField(input, schema, (value, property) => {
    if (typeof value !== 'number' || (property.type === 'integer' && (value < 0 || !Number.isInteger(value)))) return value
    return clamped(value, property)
  })

/** The parts of a schema about types and enum values. */
function typeOf({ type, enum: words, items }: JsonSchema): JsonSchema {
  return {
    ...(type !== undefined && { type }),
    ...(words !== undefined && { enum: words }),
    ...(items !== undefined && { items: typeOf(record(items)) }),
  }
}

const typeAndWords = new WeakMap<JsonSchema, JsonSchema>()
const typeAlone = new WeakMap<JsonSchema, JsonSchema>()

function ofAnotherType(value: unknown, schema: JsonSchema, words: 'or another word' | 'whatever the word'): boolean {
  const known = words === 'or another word' ? typeAndWords : typeAlone
  const { enum: _, ...type } = typeOf(schema)
  const wanted = known.get(schema) ?? (words === 'or another word' ? typeOf(schema) : type)
  known.set(schema, wanted)
  return !fits(wanted, value)
}

function texts(value: unknown): readonly string[] | undefined {
  if (Array.isArray(value)) return value.filter((each) => typeof each === 'string')
  if (typeof value !== 'string') return undefined
  try {
    const parsed: unknown = JSON.parse(value)
    if (Array.isArray(parsed)) return texts(parsed)
  } catch {
    // Not JSON, so split into words.
  }
  return value.split(/\s+/)
}

const listed = (input: unknown): unknown => {
  if (!isFields(input)) return input
  const packages = texts(input.packages)?.filter((name) => name.trim() !== '')
  return packages ? { ...input, packages } : input
}

const SESSION_TOOLS = /^(read|write|stop|resize)_background_/

const fromText = (value: unknown, { type }: JsonSchema): unknown => {
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value)
  if (typeof value !== 'string') return value
  if (type === 'integer' && /^\s*-?\d+(\.\d+)?([eE][+-]?\d+)?\s*$/.test(value)) return Number(value)
  if (type === 'boolean' && /^\s*(true|false)\s*$/i.test(value)) return /true/i.test(value)
  return value
}

function parsed(input: unknown): unknown {
  if (typeof input !== 'string') return input
  try {
    return JSON.parse(input) as unknown
  } catch {
    return input
  }
}

export const LENIENCIES: Readonly<Record<PresetName, readonly Leniency[]>> = {
  standard: [],
  loom: [
    {
      rule: 'null is no value of a field that may be absent',
      section: '6',
      example: ['read_file', { path: 'a', max_bytes: null }],
      undo: withoutNulls,
    },
    {
      rule: 'numbers beyond the bounds are brought into them',
      section: '6',
      example: ['bash', { command: 'ls', timeout_secs: 301 }],
      undo: withinBounds,
    },
  ],
  loaf: [
    {
      rule: 'an optional field of another type, or with a word that it does not know, is as good as absent; env is not',
      section: '1.3',
      example: ['read_file', { file_path: 'a', offset: '5', mode: 'all', indentation: 1 }],
      undo: (input, schema) =>
        dropped(input, schema, (value, property) => (isEnv(property) ? value === null : ofAnotherType(value, property, 'or another word'))),
    },
    {
      rule: 'the session is looked for when the tool runs, which says what is wrong with its id',
      section: '2.2',
      example: ['stop_background_js', {}],
      undo: (input, _, tool) => (isFields(input) && SESSION_TOOLS.test(tool) ? { ...input, session_id: 'x' } : input),
    },
    {
      rule: 'a size that is none keeps the one that the terminal has',
      section: '2.2',
      example: ['resize_background_bash', { session_id: 'x', cols: 'wide' }],
      undo: (input, _, tool) => (isFields(input) && tool === 'resize_background_bash' ? { ...input, cols: 1, rows: 1 } : input),
    },
    {
      rule: 'the packages may be one text, a JSON array or words, and what is no name is left out',
      section: '3',
      example: ['install_js_packages', { packages: 'nanoid zod' }],
      undo: (input, _, tool) => (tool === 'install_js_packages' ? listed(input) : input),
    },
  ],
  'loom-elixir': [
    {
      rule: 'the input may be JSON text',
      section: '7, and the lenient validation of the preset',
      example: ['file_read', '{"file_path":"a"}'],
      undo: parsed,
    },
    {
      rule: 'null is no value of a field that may be absent',
      section: '7',
      example: ['file_read', { file_path: 'a', offset: null }],
      undo: (input, schema) => dropped(input, schema, isNull),
    },
    {
      rule: 'numbers, booleans and text are read as what the schema wants, where they say it',
      section: '7, and the lenient validation of the preset',
      example: ['file_edit', { file_path: 7, old_string: 'a', new_string: true, replace_all: 'True' }],
      undo: (input, schema) => eachField(input, schema, fromText),
    },
  ],
  zeroclaw: [
    {
      rule: 'an optional field of another type is as good as absent; a text that is none of the words is not',
      section: '8',
      example: ['file_read', { path: 'a', offset: 1.5, encoding: 8 }],
      undo: (input, schema) => dropped(input, schema, (value, property) => ofAnotherType(value, property, 'whatever the word')),
    },
  ],
}

const isEnv = ({ additionalProperties }: JsonSchema): boolean => additionalProperties !== undefined

/** Input that a tool rejects although its schema accepts it: JSON Schema cannot express the rule, or the document's schema lacks it. */
interface Narrower {
  readonly tools: readonly string[]
  readonly why: string
  readonly example: unknown
  /** Matches the error message. */
  readonly says: RegExp
  /** For a message that the schema's own errors have too: whether the rule applies to this input. */
  readonly where?: (input: Fields) => boolean
}

const NO_HALF_CHARACTERS = 'half a character is in no JSON that other languages read'

export const NARROWER: Readonly<Record<PresetName, readonly Narrower[]>> = {
  standard: [
    {
      tools: ['web_search'],
      why: 'which names are domains is up to the standard of addresses (IDNA): no pattern says it',
      example: { query: 'x', include_domains: ['a..b'] },
      says: /(include|exclude)_domains\[\d+\] is not a domain/,
    },
  ],
  loom: [
    {
      tools: ['bash', 'read_file', 'edit_file', 'list_files', 'oracle', 'web_search', 'web_search_serper'],
      why: NO_HALF_CHARACTERS,
      example: { command: '\ud800', path: '\ud800', edits: [], query: '\ud800' },
      says: /lone leading surrogate/,
    },
    {
      tools: ['list_files'],
      why: 'root is another name of path, which the document does not show',
      example: { path: 'a', root: 'b' },
      says: /duplicate field `path`|invalid type: .*, expected a string/,
      where: (input) => Object.hasOwn(input, 'root'),
    },
    {
      tools: ['oracle'],
      why: 'model is a field of the source, which the document does not show',
      example: { query: 'x', model: 5 },
      says: /invalid type: .*, expected a string/,
      where: ({ model }) => model !== undefined && typeof model !== 'string',
    },
    {
      tools: ['edit_file'],
      why: 'a call has at most 10,000 fields and items',
      example: { path: 'a', edits: Array(100_001).fill({ old_str: '', new_str: '' }) },
      says: /has more than 10000 fields and items/,
    },
  ],
  loaf: [
    {
      tools: ['read_file'],
      why: 'the document shows the schema without these bounds',
      example: { file_path: '', offset: -1, limit: 0 },
      says: /file_path must not be empty|offset must be zero or greater|limit must be greater than zero|anchor_line must be a 1-indexed line number/,
    },
  ],
  'loom-elixir': [
    {
      tools: ['file_write', 'file_edit'],
      why: NO_HALF_CHARACTERS,
      example: { file_path: 'a', content: '\ud800', old_string: '\ud800', new_string: '' },
      says: /half a character/,
    },
  ],
  zeroclaw: [
    {
      tools: ['shell'],
      why: 'the document shows the schema of a command without it',
      example: { command: ' ' },
      says: /Command cannot be empty/,
    },
    {
      tools: ['memory_recall'],
      why: 'which days there are no pattern says, nor which of two comes first',
      example: { since: '2025-03-02', until: '2025-03-01' },
      says: /Invalid '(since|until)' date|'since' must be before 'until'/,
    },
  ],
}
