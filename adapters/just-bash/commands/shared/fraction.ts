export const ROUNDINGS = { 'from-zero': 0, up: 0, down: 0, 'towards-zero': 0, nearest: 0 }
export type Rounding = keyof typeof ROUNDINGS

/** An exact rational number. */
export class Fraction {
  readonly #top: bigint
  readonly #bottom: bigint

  /** @param bottom positive */
  constructor(top: bigint, bottom: bigint) {
    this.#top = top
    this.#bottom = bottom
  }

  /** Parses a number such as `-12.5` or `.5`, and multiplies it by a power of ten. */
  static parse(text: string, power = 0): Fraction {
    const [integer = '', places = ''] = text.split('.')
    const digits = BigInt(`${integer.replace('-', '')}${places}`)
    return new Fraction(text.startsWith('-') ? -digits : digits, 1n).#over10(places.length - power)
  }

  /** Returns the exact value of a double. */
  static of(value: number): Fraction {
    let power = 0
    let whole = value
    for (; !Number.isInteger(whole); power += 20) whole *= 2 ** 20
    return new Fraction(BigInt(whole), 1n << BigInt(power))
  }

  get isZero(): boolean {
    return this.#top === 0n
  }

  get isNegative(): boolean {
    return this.#top < 0n
  }

  /** Whether the number is so small that a `long double` would be zero. */
  get isTooSmall(): boolean {
    return !this.isZero && this.#size << (SMALLEST + 1n) < this.#bottom
  }

  /** The absolute value. */
  get size(): Fraction {
    return new Fraction(this.#size, this.#bottom)
  }

  /** Number of digits before the decimal point, minus 1. */
  get digits(): number {
    return String(this.#size / this.#bottom).length - 1
  }

  get #size(): bigint {
    return this.#top < 0n ? -this.#top : this.#top
  }

  times(other: Fraction): Fraction {
    return new Fraction(this.#top * other.#top, this.#bottom * other.#bottom)
  }

  over(other: Fraction): Fraction {
    return new Fraction(this.#top * other.#bottom, this.#bottom * other.#top)
  }

  /** Returns whether the absolute value is at least `value`. */
  atLeast(value: bigint): boolean {
    return this.#size >= value * this.#bottom
  }

  toNumber(): number {
    return Number(this.#top) / Number(this.#bottom)
  }

  /** Rounds the absolute value to an x86 `long double`, whose mantissa has 64 bits. */
  toLongDouble(): Fraction {
    if (this.isZero || this.isTooSmall) return new Fraction(0n, 1n)
    let shift = 64n + bits(this.#bottom) - bits(this.#size)
    if (divided(this.#size, this.#bottom, shift)[0] >= 1n << 64n) shift--
    if (shift > SMALLEST) shift = SMALLEST
    const [units, rest, unit] = divided(this.#size, this.#bottom, shift)
    const half = rest * 2n - unit
    const mantissa = units + (half > 0n || (half === 0n && units % 2n === 1n) ? 1n : 0n)
    return shift > 0n ? new Fraction(mantissa, 1n << shift) : new Fraction(mantissa << -shift, 1n)
  }

  /** Formats the absolute value like C: `1.50e+00`. */
  toExponential(places: number): string {
    if (this.isZero) return `${(0).toFixed(places)}e+00`
    let power = String(this.#size).length - String(this.#bottom).length
    if (!this.#over10(power).atLeast(1n)) power--
    let digits = this.#over10(power).toFixed(places, 'even')
    // If rounding gives a mantissa of 10, use the next power.
    if (digits.startsWith('10')) digits = this.#over10(++power).toFixed(places, 'even')
    return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
  }

  #over10(power: number): Fraction {
    const scale = 10n ** BigInt(Math.abs(power))
    return power < 0 ? new Fraction(this.#top * scale, this.#bottom) : new Fraction(this.#top, this.#bottom * scale)
  }

  toFixed(places: number, rounding: Rounding | 'even'): string {
    const scaled = this.#size * 10n ** BigInt(places)
    const [floor, rest, isNegative] = [scaled / this.#bottom, scaled % this.#bottom, this.isNegative]
    const away = {
      'from-zero': rest > 0n,
      up: rest > 0n && !isNegative,
      down: rest > 0n && isNegative,
      'towards-zero': false,
      nearest: rest * 2n >= this.#bottom,
      even: rest * 2n > this.#bottom || (rest * 2n === this.#bottom && floor % 2n === 1n),
    }[rounding]
    const digits = String(away ? floor + 1n : floor).padStart(places + 1, '0')
    const sign = isNegative && /[1-9]/.test(digits) ? '-' : ''
    return sign + digits.slice(0, digits.length - places) + (places > 0 ? `.${digits.slice(digits.length - places)}` : '')
  }
}

/** Exponent of the smallest positive `long double`: 2^-16445. */
const SMALLEST = 16445n

const bits = (size: bigint): bigint => BigInt(size.toString(2).length)

/** Divides `top` times 2^`shift` by `bottom`. Returns quotient, remainder and divisor. */
function divided(top: bigint, bottom: bigint, shift: bigint): [whole: bigint, rest: bigint, unit: bigint] {
  const [dividend, unit] = shift > 0n ? [top << shift, bottom] : [top, bottom << -shift]
  return [dividend / unit, dividend % unit, unit]
}
