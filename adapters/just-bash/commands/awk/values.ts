import { formatFloat } from '../shared/c-format.js'
import { Failure } from '../shared/failure.js'

/** A string from the input (a "numeric string" in POSIX). If it looks like a number, it compares as a number. */
export class Input {
  readonly text: string
  #number: number | undefined | null = null

  constructor(text: string) {
    this.text = text
  }

  /** The number that the text contains, or undefined if the text is not a number. */
  get number(): number | undefined {
    if (this.#number === null) this.#number = wholeNumber(this.text)
    return this.#number
  }
}

/** A value of the program. Undefined is the value of an uninitialized variable. */
export type Value = string | number | Input | undefined
/** Maximum number of characters in a text, so that a program cannot use up the host's memory. */
export const MAX_TEXT: number = 16 * 2 ** 20
export const MAX_ELEMENTS = 1_000_000

export class AwkArray extends Map<string, Value> {
  override set(key: string, value: Value): this {
    if (this.size >= MAX_ELEMENTS && !this.has(key)) throw tooMany()
    return super.set(key, value)
  }
}

export const tooMany = (): Failure =>
  new Failure(`more than ${MAX_ELEMENTS} elements, fields or replacements are not supported in this shell`, 2)

/** @throws {Failure} if the text is longer than `MAX_TEXT` */
export function bounded(text: string): string {
  if (text.length > MAX_TEXT) throw tooLong()
  return text
}

export const tooLong = (): Failure => new Failure(`a text of more than ${MAX_TEXT} characters is not supported in this shell`, 2)

const NUMBER = /^[ \t\n\r\f\v]*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-](?:inf|nan)(?![a-z\d_.]))/i

function wholeNumber(text: string): number | undefined {
  // Fast path: most texts are not numbers.
  const code = text.charCodeAt(0)
  if (code > 57 || text === '') return undefined
  const found = NUMBER.exec(text)
  if (!found || !/^[ \t\n\r\f\v]*$/.test(text.slice(found[0].length))) return undefined
  return numberOf(found[1] as string)
}

/** Returns the number at the start of a text, or 0 if there is none. */
export function numberIn(text: string): number {
  const found = NUMBER.exec(text)?.[1]
  return found === undefined ? 0 : numberOf(found)
}

/** Converts awk's `inf` to JavaScript's `Infinity`. */
const numberOf = (found: string): number => Number(found.replace(/inf$/i, 'Infinity'))

export function toNumber(value: Value): number {
  if (typeof value === 'number') return value
  if (value === undefined) return 0
  if (typeof value === 'string') return numberIn(value)
  return value.number ?? numberIn(value.text)
}

/** Formats infinity and NaN with a sign, like gawk. NaN is negative, as x86 processors produce it. */
export const specialText = (value: number): string => (Number.isNaN(value) ? '-nan' : value < 0 ? '-inf' : '+inf')

export function numberText(value: number, format: string): string {
  if (Number.isInteger(value)) return Math.abs(value) < 1e16 ? String(value === 0 ? 0 : value) : BigInt(value).toString()
  if (!Number.isFinite(value)) return specialText(value)
  const found = /^%\.(\d+)g$/.exec(format)
  if (found) return formatFloat(value, { flags: '', width: 0, precision: Number(found[1]), letter: 'g' })
  const other = /^%([-+ 0#]*)(\d*)(?:\.(\d*))?([efgEFGdi])$/.exec(format)
  if (!other) return formatFloat(value, { flags: '', width: 0, precision: 6, letter: 'g' })
  const [, flags = '', width, precision, letter = 'g'] = other
  if (letter === 'd' || letter === 'i') return String(Math.trunc(value))
  return formatFloat(value, {
    flags,
    width: Number(width || 0),
    precision: precision === undefined ? undefined : Number(precision),
    letter,
  })
}

export function toText(value: Value, format: string): string {
  if (typeof value === 'string') return value
  if (value === undefined) return ''
  return typeof value === 'number' ? numberText(value, format) : value.text
}

export function isTrue(value: Value): boolean {
  if (typeof value === 'number') return value !== 0
  if (typeof value === 'string') return value !== ''
  if (value === undefined) return false
  const { number } = value
  return number === undefined ? value.text !== '' : number !== 0
}

/** Returns undefined for a value that compares as text. */
function asNumber(value: Value): number | undefined {
  if (typeof value === 'number') return value
  if (value === undefined) return 0
  return typeof value === 'string' ? undefined : value.number
}

/** Returns a number below, at or above 0, like a comparison function, or 2 if one of the numbers is NaN. */
export function compareValues(a: Value, b: Value, format: string): number {
  const [x, y] = [asNumber(a), asNumber(b)]
  if (x !== undefined && y !== undefined) return x < y ? -1 : x > y ? 1 : x === y ? 0 : 2
  const [left, right] = [toText(a, format), toText(b, format)]
  return left < right ? -1 : left > right ? 1 : 0
}
