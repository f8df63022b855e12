import type { JsonSchema } from 'toolport'
import fc from '../fast-check.js'

/** Junk values that a model or a hostile client may send instead of a valid value. */
const JUNK: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 1, 2, 0.5, 1.5, -2.5, 25, 401, 1e9, 2 ** 53, -(2 ** 53), 1e300, Number.MIN_VALUE],
  ...[
    '',
    ' ',
    '\n\t',
    '\u00a0\u2003',
    '\0',
    'a\0b',
    'x',
    'both',
    'NaN',
    '0',
    '5',
    ' 7 ',
    '1.5',
    '-3',
    '1e3',
    '0x10',
    'true',
    ' FALSE ',
    'null',
  ],
  ...[
    '[]',
    '{}',
    '["a"]',
    '[1]',
    '[" "]',
    '{"a":1}',
    'two words',
    '\ud800',
    'a\udc00b',
    '\ud83d',
    '😀',
    'line\nline',
    '\x7f',
    '\u2028',
    '/abs',
    '..',
  ],
  ...['example.com', 'a..b', 'xn--', 'bücher.example', 'http://x', '2025-02-30', '2025-03-01T00:00:00Z', '9999-99-99', 'utf8', 'module'],
  ...[
    [],
    [null],
    ['x'],
    ['x', 1],
    [''],
    [' '],
    [[]],
    [{}],
    [['x']],
    {},
    { a: 1 },
    { a: 'b' },
    { '': '' },
    { A: 'x\0' },
    { 'a b': 'c' },
    { constructor: '1' },
  ],
  JSON.parse('{"__proto__":"x"}'),
  JSON.parse('{"A":{"B":{"C":{"D":[[[[[]]]]]}}}}'),
]

const NAMES = ['extra', 'zz', '', 'constructor', 'toString', '__proto__', 'Path', 'path ', 'root', 'model', 'file', '0']

/** A place inside a value, with the schema for that place. The schema is empty if none applies. */
interface Place {
  readonly holder: Record<string, unknown>
  readonly key: string
  readonly schema: JsonSchema
}

const record = (value: unknown): JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : {}

/** The values with one to three mutations at random places. */
export function mutated(values: fc.Arbitrary<unknown>, schema: JsonSchema): fc.Arbitrary<unknown> {
  const step = fc.tuple(fc.nat(), fc.nat(), fc.nat())
  return fc.tuple(values, fc.array(step, { minLength: 1, maxLength: 3 })).map(([value, steps]) => {
    const box = { root: structuredClone(value) }
    for (const [where, how, what] of steps) {
      const places = placesIn({ holder: box, key: 'root', schema })
      // The root is mutated rarely, because nearly all of its mutations are rejected for the same reason.
      const at = where % 20 === 0 ? 0 : where % places.length
      change(places[at] as Place, how, what)
    }
    return box.root
  })
}

function placesIn(place: Place): Place[] {
  const value = place.holder[place.key]
  if (typeof value !== 'object' || value === null) return [place]
  const { properties, items, additionalProperties, anyOf } = place.schema
  const branches = Array.isArray(anyOf) ? anyOf.map(record) : []
  const inner = (key: string): JsonSchema => {
    if (Array.isArray(value)) return record(items ?? branches.find((branch) => branch.items)?.items)
    return record(record(properties)[key] ?? additionalProperties)
  }
  const holder = value as Record<string, unknown>
  return [place, ...Object.keys(value).flatMap((key) => placesIn({ holder, key, schema: inner(key) }))]
}

const CHANGES: readonly ((place: Place, what: number) => void)[] = [
  (place, what) => put(place, JUNK[what % JUNK.length]),
  (place, what) => put(place, JUNK[what % JUNK.length]),
  (place, what) => put(place, edgesOf(place.schema)[what % edgesOf(place.schema).length]),
  (place, what) => put(place, edgesOf(place.schema)[what % edgesOf(place.schema).length]),
  ({ holder, key }) => {
    if (Array.isArray(holder)) holder.splice(Number(key), 1)
    else if (key !== 'root') delete holder[key]
  },
  (place, what) => extend(place, NAMES[what % NAMES.length] as string, JUNK[what % JUNK.length]),
  (place) => put(place, [place.holder[place.key]]),
  (place) => put(place, JSON.stringify(place.holder[place.key])),
  (place) => put(place, String(place.holder[place.key])),
  (place, what) => twisted(place, what),
]

function change(place: Place, how: number, what: number): void {
  CHANGES[how % CHANGES.length]?.(place, what)
}

/** Sets a property, also one named `__proto__`. */
const put = ({ holder, key }: Pick<Place, 'holder' | 'key'>, value: unknown): void => {
  Object.defineProperty(holder, key, { value: structuredClone(value), enumerable: true, writable: true, configurable: true })
}

function extend({ holder, key, schema }: Place, name: string, value: unknown): void {
  const target = holder[key]
  if (Array.isArray(target)) target.push(value)
  else if (typeof target === 'object' && target !== null)
    put({ holder: target as Record<string, unknown>, key: known(schema, name) }, value)
}

/** Returns a field of the tool's schema or the given name, about equally often. */
function known({ properties }: JsonSchema, name: string): string {
  const names = Object.keys(record(properties))
  return name.length % 2 === 0 && names.length > 0 ? (names[name.length % names.length] as string) : name
}

function twisted(place: Place, what: number): void {
  const value = place.holder[place.key]
  if (typeof value === 'string') {
    const end = ['\0', '\ud800', ' ', '\n', '😀', '\x1f', '/', '%'][what % 8] as string
    put(place, what % 3 === 0 ? end + value : value + end)
  } else if (typeof value === 'number') put(place, [value + 1, value - 1, value + 0.5, -value, value * 1e6][what % 5])
  else if (Array.isArray(value)) put(place, [...value, ...value, ...value])
}

/** Values just inside and just outside the schema's bounds. Lengths count characters, also those of two UTF-16 units. */
function edgesOf(schema: JsonSchema): readonly unknown[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, enum: values, items } = schema
  const edges: unknown[] = []
  for (const bound of [minimum, maximum]) if (typeof bound === 'number') edges.push(bound - 1, bound, bound + 1, bound - 0.5, bound + 0.5)
  for (const bound of [minLength, maxLength])
    if (typeof bound === 'number' && bound <= MOST_TEXT)
      for (const count of [bound - 1, bound, bound + 1]) edges.push('a'.repeat(Math.max(0, count)), '😀'.repeat(Math.max(0, count)))
  for (const bound of [minItems, maxItems])
    if (typeof bound === 'number')
      for (const count of [bound - 1, bound, bound + 1]) edges.push(Array(Math.max(0, count)).fill(sample(items)))
  if (Array.isArray(values)) edges.push(...values, `${values[0]}s`, String(values[0]).toUpperCase(), [values[0]], values.indexOf(values[0]))
  return edges.length > 0 ? edges : JUNK
}

/** Longer texts have their own example: generating them would take most of the time. */
const MOST_TEXT = 5000

function sample(items: unknown): unknown {
  const { type, properties, required } = record(items)
  if (type !== 'object') return type === 'string' ? 'a.b' : 1
  const names = Array.isArray(required) ? (required as string[]) : []
  return Object.fromEntries(names.map((name) => [name, sample(record(properties)[name])]))
}
