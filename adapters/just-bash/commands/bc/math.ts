import { Failure } from '../shared/failure.js'
import { add, type Decimal, decimal, divide, multiply, negated, rescaled, ZERO } from './decimal.js'

// The functions of `-l`. They compute with integers in units of 10^-places, with some spare places, and truncate to `scale` decimal places.

const SPARE = 12
/** Maximum number of digits of e^x, and maximum scale of an argument. */
const MOST = 20_000

type MathFunction = (x: Decimal, scale: number, second: Decimal) => Decimal

export const MATH: Readonly<Record<string, MathFunction>> = {
  e: (x, scale) => at(x, scale, power10s(x) + 1, exponential),
  l: (x, scale) =>
    x.units <= 0n ? decimal(10n ** BigInt(scale) - 10n ** BigInt(2 * scale), scale) : at(x, scale, x.scale + digitsOf(x), logarithm),
  s: (x, scale) => sine(bounded(x), scale),
  c: (x, scale) => cosine(bounded(x), scale),
  a: arctangentOf,
  j: (n, scale, x) => bessel(Number(rescaled(n, 0).units), x, scale),
}

const digitsOf = (x: Decimal): number => Math.max(0, String(x.units).replace('-', '').length - x.scale)

/** Returns the number of digits before the decimal point of e^x. */
function power10s(x: Decimal): number {
  const digits = Math.ceil((Number(rescaled(x, 3).units) / 1000) * Math.LOG10E)
  if (digits > MOST) throw new Failure(`a number of more than ${MOST} digits is too long here`)
  return Math.max(0, digits)
}

function bounded(x: Decimal): Decimal {
  if (digitsOf(x) > 1000 || x.scale > MOST) throw new Failure('a number of more than 1000 digits is too long for this function here')
  return x
}

/** Computes `body` with `more` additional places and truncates the result to `scale`. */
function at(x: Decimal, scale: number, more: number, body: (value: bigint, one: bigint) => bigint): Decimal {
  const places = scale + Math.max(more, 0) + SPARE
  const value = rescaled(bounded(x), places).units
  const result = rescaled(decimal(body(value, 10n ** BigInt(places)), places), scale)
  return result.units === 0n ? ZERO : result
}

/** Halves the argument until it is small, sums the series, and squares the result once per halving. */
function exponential(x: bigint, one: bigint): bigint {
  if (x < 0n) return (one * one) / exponential(-x, one)
  const halvings = BigInt(Math.max(0, bits(x) - bits(one) + 8))
  const [fine, small] = [one << (halvings + 8n), x << 8n]
  let [sum, term] = [fine, fine]
  for (let n = 1n; term !== 0n; n++) {
    term = (term * small) / (fine * n)
    sum += term
  }
  for (let i = 0n; i < halvings; i++) sum = (sum * sum) / fine
  return sum / (1n << (halvings + 8n))
}

const bits = (value: bigint): number => value.toString(16).length * 4

/** Takes square roots until the value is near 1, then sums the series of the inverse hyperbolic tangent. */
function logarithm(x: bigint, one: bigint): bigint {
  const fine = one << 64n
  let [value, doubled] = [x << 64n, 1n]
  while (value > fine + (fine >> 4n) || value < fine - (fine >> 4n)) {
    value = root(value * fine)
    doubled *= 2n
  }
  const ratio = ((value - fine) * fine) / (value + fine)
  const square = (ratio * ratio) / fine
  let [sum, power] = [0n, ratio]
  for (let n = 1n; power !== 0n; n += 2n) {
    sum += power / n
    power = (power * square) / fine
  }
  return (sum * 2n * doubled) >> 64n
}

function root(value: bigint): bigint {
  let guess = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (guess + value / guess) >> 1n
    if (next >= guess) return guess
    guess = next
  }
}

/** Sums the series with as few spare places as bc, because the number of spare places affects the last digits of the result. */
function sine(given: Decimal, scale: number): Decimal {
  const quarter = arctangentOf(decimal(1n), Math.floor((scale * 11) / 10) + 2)
  const size = given.units < 0n ? negated(given) : given
  const quarters = (divide(size, quarter, 0).units + 2n) / 4n
  const rest = add(size, negated(decimal(4n * quarters * quarter.units, quarter.scale)))
  const x = quarters % 2n === 1n ? negated(rest) : rest
  const places = scale + 2
  const square = negated(multiply(x, x, places))
  let [sum, term] = [x, x]
  for (let n = 3n; term.units !== 0n; n += 2n) {
    term = multiply(term, divide(square, decimal(n * (n - 1n)), places), places)
    sum = add(sum, term)
  }
  return divide(given.units < 0n ? negated(sum) : sum, decimal(1n), scale)
}

function cosine(x: Decimal, scale: number): Decimal {
  const places = Math.floor((scale * 12) / 10)
  const half = multiply(arctangentOf(decimal(1n), places), decimal(2n), places)
  return divide(sine(add(x, half), places), decimal(1n), scale)
}

function arctangentOf(x: Decimal, scale: number): Decimal {
  return at(x, scale, digitsOf(x), arctangent)
}

/** Halves the angle until it is small, then sums the series. */
function arctangent(x: bigint, one: bigint): bigint {
  const fine = one << 32n
  let [value, doubled] = [x << 32n, 1n]
  while (value > fine >> 3n || value < -(fine >> 3n)) {
    value = (value * fine) / (fine + root(fine * fine + value * value))
    doubled *= 2n
  }
  const square = (value * value) / fine
  let [sum, power] = [0n, value]
  for (let n = 1n; power !== 0n; n += 2n) {
    sum += n % 4n === 1n ? power / n : -(power / n)
    power = (power * square) / fine
  }
  return (sum * doubled) >> 32n
}

function bessel(order: number, x: Decimal, scale: number): Decimal {
  const n = Math.abs(order)
  const size = Math.abs(Number(rescaled(x, 3).units) / 1000)
  if (n > 1000 || size > 1000) throw new Failure('j(n, x) supports only numbers up to 1000 in this shell')
  const sign = order < 0 && n % 2 === 1 ? -1n : 1n
  return at(x, scale, Math.ceil(size), (value, one) => {
    const half = value / 2n
    let term = one
    for (let i = 1n; i <= BigInt(n); i++) term = (term * half) / (one * i)
    let sum = term
    for (let k = 1n; term !== 0n; k++) {
      term = (-term * half * half) / (one * one * k * (k + BigInt(n)))
      sum += term
    }
    return sign * sum
  })
}
