export const ROUNDINGS = { 'from-zero': 0, up: 0, down: 0, 'towards-zero': 0, nearest: 0 }
export type Rounding = keyof typeof ROUNDINGS

/** A number, exactly. */
export class Fraction {
  readonly #top: bigint
  readonly #bottom: bigint

  /** @param bottom positive */
  constructor(top: bigint, bottom: bigint) {
    this.#top = top
    this.#bottom = bottom
  }

  /** `-12.5`, `.5` */
  static parse(text: string): Fraction {
    const [integer = '', places = ''] = text.split('.')
    const digits = BigInt(`${integer.replace('-', '')}${places}`)
    return new Fraction(text.startsWith('-') ? -digits : digits, 10n ** BigInt(places.length))
  }

  get isZero(): boolean {
    return this.#top === 0n
  }

  /** In front of the point. */
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

  /** Whatever its sign. */
  atLeast(value: bigint): boolean {
    return this.#size >= value * this.#bottom
  }

  toNumber(): number {
    return Number(this.#top) / Number(this.#bottom)
  }

  toFixed(places: number, rounding: Rounding | 'even'): string {
    const scaled = this.#size * 10n ** BigInt(places)
    const [floor, rest, isNegative] = [scaled / this.#bottom, scaled % this.#bottom, this.#top < 0n]
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
