/** One directive of `printf`: `%-5.2f`. */
export interface Directive {
  readonly flags: string
  readonly width: number
  /** Undefined: none was given. */
  readonly precision: number | undefined
  readonly letter: string
}

/** Widths beyond this are refused by nobody, and make no sense. */
export const MAX_WIDTH = 1_000_000

/** Digits that are made behind the point of a number with one. */
const MAX_DIGITS = 100

/** Why a directive cannot be followed; undefined: it can. */
export function refusalOf({ width, precision = 0, letter }: Directive): string | undefined {
  if (width > MAX_WIDTH) return `a width of more than ${MAX_WIDTH} columns is not supported here`
  const most = 'efg'.includes(letter.toLowerCase()) ? MAX_DIGITS : 'dioux'.includes(letter.toLowerCase()) ? MAX_WIDTH : precision
  return precision > most ? `a precision of more than ${most} digits is not supported here` : undefined
}

/** Pads what a directive gives. */
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

/** `d i u o x X` of a whole number. */
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

/** `e f g` and their capitals. */
export function formatFloat(value: number, directive: Directive): string {
  const { flags, precision = 6, letter } = directive
  const sign = signOf(value < 0 || Object.is(value, -0), flags)
  const upper = letter !== letter.toLowerCase()
  if (!Number.isFinite(value)) {
    const text = framed(sign, Number.isNaN(value) ? 'nan' : 'inf', { ...directive, flags: flags.replaceAll('0', '') })
    return upper ? text.toUpperCase() : text
  }
  const size = Math.abs(value)
  const kind = letter.toLowerCase()
  const digits = Math.min(precision, MAX_DIGITS)
  const body = kind === 'f' ? fixed(size, digits) : kind === 'e' ? exponential(size, digits) : general(size, digits, flags.includes('#'))
  const pointed = flags.includes('#') && digits === 0 && !body.includes('.') ? `${body}.` : body
  const text = framed(sign, pointed, directive)
  return upper ? text.toUpperCase() : text
}

/** `toFixed` changes to exponents at 1e21, and rounds what lies in the middle as the digits say, not as the number is. */
function fixed(size: number, digits: number): string {
  if (size >= 1e21) return BigInt(size).toString() + (digits > 0 ? `.${'0'.repeat(digits)}` : '')
  const text = size.toFixed(digits)
  if (digits > 40) return text
  const exact = size.toFixed(digits + 60)
  const cut = exact.slice(0, exact.length - 60)
  // C rounds a half to the even digit, JavaScript up.
  const isHalf = /^50*$/.test(exact.slice(-60))
  return isHalf && /[02468]\.?$/.test(cut) ? cut.replace(/\.$/, '') : text
}

const exponential = (size: number, digits: number): string => size.toExponential(digits).replace(/e([+-])(\d)$/, 'e$10$2')

function general(size: number, precision: number, keepZeros: boolean): string {
  const digits = precision === 0 ? 1 : precision
  const exponent = size === 0 ? 0 : Number(size.toExponential(digits - 1).split('e')[1])
  const short = exponent < -4 || exponent >= digits
  const text = short ? exponential(size, digits - 1) : fixed(size, digits - 1 - exponent)
  if (keepZeros || !text.includes('.')) return text
  return short ? text.replace(/\.?0*e/, 'e') : text.replace(/\.?0+$/, '')
}

const signOf = (negative: boolean, flags: string): string => (negative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '')

function framed(prefix: string, digits: string, { flags, width }: Directive): string {
  const zeros =
    flags.includes('0') && !flags.includes('-') && /^\d/.test(digits) ? Math.min(width, MAX_WIDTH) - prefix.length - digits.length : 0
  return padded(prefix + (zeros > 0 ? '0'.repeat(zeros) : '') + digits, { flags, width })
}
