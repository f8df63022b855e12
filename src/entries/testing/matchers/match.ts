import { decodeUtf8 } from '../../../ops/utf8.js'

/**
 * An expected value. For an object, only the fields that it lists are compared. A RegExp matches text. A function returns whether the value
 * is accepted. A matcher of the test runner, such as `expect.any(Number)`, works as well.
 */
export type Expected = unknown

export function fits(expected: Expected, actual: unknown): boolean {
  if (typeof expected === 'function') return (expected as (value: unknown) => unknown)(actual) === true
  if (typeof expected === 'string' && actual instanceof Uint8Array) return decodeUtf8(actual) === expected
  if (expected instanceof Uint8Array && typeof actual === 'string') return decodeUtf8(expected) === actual
  if (typeof expected !== 'object' || expected === null) return Object.is(expected, actual)
  if ('asymmetricMatch' in expected && typeof expected.asymmetricMatch === 'function')
    return (expected.asymmetricMatch as (value: unknown) => unknown)(actual) === true
  if (expected instanceof RegExp)
    return typeof actual === 'string' && new RegExp(expected.source, expected.flags.replace(/[gy]/g, '')).test(actual)
  if (typeof actual !== 'object' || actual === null) return false
  if (Array.isArray(expected) || expected instanceof Uint8Array) {
    const [wanted, found] = [expected as ArrayLike<unknown>, actual as ArrayLike<unknown>]
    return wanted.length === found.length && Array.from(wanted).every((item, index) => fits(item, found[index]))
  }
  return Object.entries(expected).every(([key, value]) => fits(value, (actual as Record<string, unknown>)[key]))
}

/** Formats a value on one line, for messages. */
export function shown(value: unknown): string {
  if (typeof value === 'function') return value.name === '' ? 'a function' : `the function ${value.name}`
  if (value instanceof RegExp) return String(value)
  if (value instanceof Uint8Array) return `${value.length} bytes`
  const text =
    JSON.stringify(value, (_, field: unknown) => (field instanceof RegExp || typeof field === 'function' ? String(field) : field)) ??
    'undefined'
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

/** The result that matchers return in Vitest and Jest. */
export interface MatcherResult {
  readonly pass: boolean
  /** Returns the message for a failed assertion; if the matcher passes, the message for `.not`. */
  message(): string
  readonly actual?: unknown
  readonly expected?: unknown
}
