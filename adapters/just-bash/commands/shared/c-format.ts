import { Fraction } from './fraction.js'

/** One directive of `printf`: `%-5.2f`. */
export interface Directive {
  readonly flags: string
  readonly width: number
  /** The precision, or undefined if the directive has none. */
  readonly precision: number | undefined
  readonly letter: string
}

/** Maximum width of a directive. C allows larger widths, but nobody needs them. */
export const MAX_WIDTH = 1_000_000

/** Maximum number of digits after the decimal point. */
const MAX_DIGITS = 100

/** Returns why a directive is not supported, or undefined if it is supported. */
export function refusalOf({ width, precision = 0, letter }: Directive): string | undefined {
  if (width > MAX_WIDTH) return `a width of more than ${MAX_WIDTH} columns is not supported here`
  const most = 'efg'.includes(letter.toLowerCase()) ? MAX_DIGITS : 'dioux'.includes(letter.toLowerCase()) ? MAX_WIDTH : precision
  return precision > most ? `a precision of more than ${most} digits is not supported here` : undefined
}

/** Pads the result of a directive. */
export function padded(text: string, { flags, width }: Pick<Directive, 'flags' | 'width'>): string {
  const length = [...text].length
  if (length >= width) return text
  const fill = ' '.repeat(Math.min(width, MAX_WIDTH) - length)
  return flags.includes('-') ? text + fill : fill + text
}

export function formatText(text: string, directive: Directive): string {
  const cut = directive.precision === undefined ? text : [...text].slice(0, directive.precision).join('')
  return padded(cut, directive)
}

/** Formats an integer with `d i u o x X`. */
export function formatInteger(value: bigint, directive: Directive): string {
  const { flags, precision, letter } = directive
  const signed = letter === 'd' || letter === 'i'
  const plain = signed ? (value < 0n ? -value : value) : BigInt.asUintN(64, value)
  let digits = plain.toString(letter === 'o' ? 8 : letter === 'x' || letter === 'X' ? 16 : 10)
  if (precision !== undefined) digits = precision === 0 && plain === 0n ? '' : digits.padStart(Math.min(precision, MAX_WIDTH), '0')
  let prefix = signed ? signOf(value < 0n, flags) : ''
  if (flags.includes('#') && plain !== 0n) {
    if (letter === 'o' && !digits.startsWith('0')) digits = `0${digits}`
    else if (letter === 'x' || letter === 'X') prefix = '0x'
  }
  const text = framed(prefix, digits, { ...directive, flags: precision === undefined ? flags : flags.replaceAll('0', '') })
  return letter === 'X' ? text.toUpperCase() : text
}

/** Formats a double with `e f g` or their upper-case forms. */
export function formatFloat(value: number, directive: Directive): string {
  const isNegative = value < 0 || Object.is(value, -0)
  if (Number.isFinite(value)) return formatExact(isNegative, Fraction.of(Math.abs(value)), directive)
  const { flags, letter } = directive
  const plain = { ...directive, flags: flags.replaceAll('0', '') }
  return cased(framed(signOf(isNegative, flags), Number.isNaN(value) ? 'nan' : 'inf', plain), letter)
}

/** Like `formatFloat`, but for an exact number. `size` is the number without its sign. */
export function formatExact(isNegative: boolean, size: Fraction, directive: Directive): string {
  const { flags, precision = 6, letter } = directive
  const kind = letter.toLowerCase()
  const digits = Math.min(precision, MAX_DIGITS)
  const body =
    kind === 'f' ? size.toFixed(digits, 'even') : kind === 'e' ? size.toExponential(digits) : general(size, digits, flags.includes('#'))
  const pointed = flags.includes('#') && !body.includes('.') ? body.replace(/(?=e|$)/, '.') : body
  return cased(framed(signOf(isNegative, flags), pointed, directive), letter)
}

function general(size: Fraction, precision: number, keepZeros: boolean): string {
  const digits = precision === 0 ? 1 : precision
  const short = size.toExponential(digits - 1)
  const exponent = Number(short.split('e')[1])
  const isShort = exponent < -4 || exponent >= digits
  const text = isShort ? short : size.toFixed(digits - 1 - exponent, 'even')
  if (keepZeros || !text.includes('.')) return text
  return isShort ? text.replace(/\.?0*e/, 'e') : text.replace(/\.?0+$/, '')
}

const cased = (text: string, letter: string): string => (letter === letter.toLowerCase() ? text : text.toUpperCase())

const signOf = (negative: boolean, flags: string): string => (negative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '')

function framed(prefix: string, digits: string, { flags, width }: Directive): string {
  const zeros =
    flags.includes('0') && !flags.includes('-') && /^\d/.test(digits) ? Math.min(width, MAX_WIDTH) - prefix.length - digits.length : 0
  return padded(prefix + (zeros > 0 ? '0'.repeat(zeros) : '') + digits, { flags, width })
}
