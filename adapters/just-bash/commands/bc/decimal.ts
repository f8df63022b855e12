import { Failure } from '../shared/failure.js'

/** An exact decimal number: `units` / 10^`scale`. */
export interface Decimal {
  readonly units: bigint
  readonly scale: number
}

/** Maximum number of digits, because arithmetic on longer numbers would block the event loop. */
const MAX_DIGITS = 20_000

const LARGEST = 10n ** BigInt(MAX_DIGITS)

/** @throws {Failure} if the number has more than `MAX_DIGITS` digits */
export function checked(value: Decimal): Decimal {
  if (value.units > LARGEST || value.units < -LARGEST) throw new Failure(`a number of more than ${MAX_DIGITS} digits is too long here`)
  return value
}

export const decimal = (units: bigint, scale = 0): Decimal => ({ units, scale })
export const ZERO: Decimal = decimal(0n)

const power10 = (exponent: number): bigint => 10n ** BigInt(exponent)

/** Changes the number of decimal places. Truncates surplus places. */
export function rescaled({ units, scale }: Decimal, to: number): Decimal {
  if (to >= scale) return decimal(units * power10(to - scale), to)
  return decimal(units / power10(scale - to), to)
}

function aligned(a: Decimal, b: Decimal): { readonly x: bigint; readonly y: bigint; readonly scale: number } {
  const scale = Math.max(a.scale, b.scale)
  return { x: rescaled(a, scale).units, y: rescaled(b, scale).units, scale }
}

export function add(a: Decimal, b: Decimal): Decimal {
  const { x, y, scale } = aligned(a, b)
  return decimal(x + y, scale)
}

export const negated = ({ units, scale }: Decimal): Decimal => decimal(-units, scale)

export function compare(a: Decimal, b: Decimal): number {
  const { x, y } = aligned(a, b)
  return x < y ? -1 : x > y ? 1 : 0
}

export function multiply(a: Decimal, b: Decimal, scale: number): Decimal {
  const full = decimal(a.units * b.units, a.scale + b.scale)
  return rescaled(full, Math.min(a.scale + b.scale, Math.max(scale, a.scale, b.scale)))
}

export function divide(a: Decimal, b: Decimal, scale: number): Decimal {
  if (b.units === 0n) throw new DivideByZero()
  return decimal((a.units * power10(scale + b.scale)) / (b.units * power10(a.scale)), scale)
}

export function modulo(a: Decimal, b: Decimal, scale: number): Decimal {
  const quotient = divide(a, b, scale)
  const product = decimal(quotient.units * b.units, quotient.scale + b.scale)
  return rescaled(add(a, negated(product)), Math.max(scale + b.scale, a.scale))
}

export function raise(a: Decimal, b: Decimal, scale: number): Decimal {
  const exponent = Number(rescaled(b, 0).units)
  const count = Math.abs(exponent)
  if (count * String(a.units).length > MAX_DIGITS && a.units !== 0n && a.units !== 1n && a.units !== -1n) {
    throw new Failure(`a number of more than ${MAX_DIGITS} digits is too long here`)
  }
  const full = decimal(a.units ** BigInt(count), a.scale * count)
  if (exponent < 0) return divide(decimal(1n), full, scale)
  return rescaled(full, Math.min(a.scale * count, Math.max(scale, a.scale)))
}

export function squareRoot(a: Decimal, scale: number): Decimal {
  const places = Math.max(scale, a.scale)
  return decimal(integerRoot(rescaled(a, places * 2).units), places)
}

/** Returns the integer square root. Uses Newton's method, starting above the root. */
function integerRoot(value: bigint): bigint {
  if (value < 2n) return value
  let guess = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (guess + value / guess) >> 1n
    if (next >= guess) return guess
    guess = next
  }
}

export function parseDecimal(text: string, base: number): Decimal {
  const [whole = '', fraction = ''] = text.split('.')
  const digits = `${whole}${fraction}`
  if (base === 10 && !/[A-F]/.test(digits)) return decimal(BigInt(digits || '0'), fraction.length)
  // Like bc, treats a digit beyond the base as the largest digit, except in a number of one digit.
  const most = digits.length === 1 ? 36 : base - 1
  let units = 0n
  for (const digit of digits) units = units * BigInt(base) + BigInt(Math.min(Number.parseInt(digit, 36), most))
  return divide(decimal(units), decimal(BigInt(base) ** BigInt(fraction.length)), fraction.length)
}

/** Formats a number without a zero before the decimal point, like bc. */
export const shown = (value: Decimal, base: number): string => (base === 10 ? inTen(value) : inBase(value, base))

function inTen({ units, scale }: Decimal): string {
  if (units === 0n) return '0'
  const digits = String(units < 0n ? -units : units).padStart(scale, '0')
  const whole = digits.slice(0, digits.length - scale)
  return `${units < 0n ? '-' : ''}${whole}${scale > 0 ? `.${digits.slice(digits.length - scale)}` : ''}`
}

/**
 * Formats a number in another base. The scale determines the number of fractional digits. Above base 16, each digit is a decimal number.
 */
function inBase({ units, scale }: Decimal, base: number): string {
  if (units === 0n) return '0'
  const [size, one, radix] = [units < 0n ? -units : units, power10(scale), BigInt(base)]
  const width = String(base - 1).length
  const digit = (value: bigint, spaced: boolean): string =>
    base <= 16 ? value.toString(16).toUpperCase() : `${spaced ? ' ' : ''}${String(value).padStart(width, '0')}`
  let whole = ''
  if (base <= 16) whole = size / one === 0n ? '' : (size / one).toString(base).toUpperCase()
  else for (let rest = size / one; rest > 0n; rest /= radix) whole = digit(rest % radix, true) + whole
  let [fraction, rest] = ['', size % one]
  for (let reached = 1n; scale > 0 && String(reached).length <= scale; reached *= radix) {
    rest *= radix
    fraction += digit(rest / one, fraction !== '')
    rest %= one
  }
  return `${units < 0n ? '-' : ''}${whole}${scale > 0 ? `.${fraction}` : ''}`
}

export class DivideByZero extends Error {
  override readonly message = 'Divide by zero'
}
