// Numbers of `$(( ))` have 64 bits, as in bash. Values that a double holds exactly are numbers, for speed. All others are BigInts. Built
// into just-bash by `scripts/vendor.mjs`.

export type Integer = number | bigint

/** Wraps a value to a signed 64-bit integer, like bash. */
export function narrowed(value: bigint): Integer {
  const wrapped = BigInt.asIntN(64, value)
  return wrapped >= Number.MIN_SAFE_INTEGER && wrapped <= Number.MAX_SAFE_INTEGER ? Number(wrapped) : wrapped
}

/** Like `Number.parseInt(text, 10)`, but exact. Digits after a leading 0 are octal, and give NaN if they are invalid. */
export function parseInteger(text: string): Integer {
  const octal = /^\s*([-+]?)(0\d+)\s*$/.exec(text)
  if (octal) return octal[1] === '-' ? calculatedOne(literalInteger(octal[2] as string), '-') : literalInteger(octal[2] as string)
  const value = Number.parseInt(text, 10)
  if (Number.isSafeInteger(value) || Number.isNaN(value)) return value
  const digits = /[+-]?\d+/.exec(text)?.[0] as string
  return narrowed(BigInt(digits.replace('+', '')))
}

/** Parses a number literal: `255`, `0377`, `0xff`, `16#ff`. Returns NaN for an invalid literal. */
export function literalInteger(text: string): Integer {
  const based = /^(\d+)#([\da-zA-Z@_]+)$/.exec(text)
  if (based) return inBase(based[2] as string, Number(based[1]))
  if (/^0[xX]/.test(text)) return text.length === 2 ? 0 : inBase(text.slice(2), 16)
  if (/^0\d+$/.test(text)) return inBase(text, 8)
  return /^\d+$/.test(text) ? narrowed(BigInt(text)) : Number.NaN
}

function inBase(digits: string, base: number): Integer {
  if (base < 2 || base > 64) return Number.NaN
  let value = 0n
  for (const digit of digits) {
    const place = placeOf(digit, base)
    if (place < 0 || place >= base) return Number.NaN
    value = value * BigInt(base) + BigInt(place)
  }
  return narrowed(value)
}

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_'
const placeOf = (digit: string, base: number): number => DIGITS.indexOf(base <= 36 ? digit.toLowerCase() : digit)

const COMPARISONS: Readonly<Record<string, (a: Integer, b: Integer) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
}

const EXACT: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '**': power,
  '<<': (a, b) => a << (b & 63n),
  '>>': (a, b) => a >> (b & 63n),
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
}

const FAST: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => Math.trunc(a / b),
  '%': (a, b) => a % b,
}

/**
 * Computes `a operator b`. The caller must check for a divisor of 0.
 *
 * @param operator a binary operator; for any other, the result is `b`
 */
export function calculated(a: Integer, b: Integer, operator: string): Integer {
  const compare = COMPARISONS[operator]
  if (compare) return compare(a, b) ? 1 : 0
  const exact = EXACT[operator]
  if (!exact) return b
  const fast = FAST[operator]
  if (fast && typeof a === 'number' && typeof b === 'number') {
    const value = fast(a, b)
    // Add 0 to turn -0 into 0.
    if (Number.isSafeInteger(value)) return value + 0
  }
  return narrowed(exact(BigInt(a), BigInt(b)))
}

function power(base: bigint, exponent: bigint): bigint {
  let [value, factor, rest] = [1n, base, exponent]
  for (; rest > 0n; rest >>= 1n) {
    if (rest & 1n) value = BigInt.asIntN(64, value * factor)
    factor = BigInt.asIntN(64, factor * factor)
  }
  return value
}

export function calculatedOne(value: Integer, operator: string): Integer {
  if (operator === '!') return value === 0 ? 1 : 0
  if (Number.isNaN(value)) return value
  if (operator === '-') return calculated(0, value, '-')
  return operator === '~' ? narrowed(~BigInt(value)) : value
}

/** Parses a number for `test`. */
export function testInteger(text: string): { readonly valid: boolean; readonly value: Integer } {
  const trimmed = text.trim()
  if (!/^[+-]?\d+$/.test(trimmed)) return { valid: false, value: 0 }
  const value = BigInt(trimmed.replace('+', ''))
  return { valid: value === BigInt.asIntN(64, value), value: narrowed(value) }
}
