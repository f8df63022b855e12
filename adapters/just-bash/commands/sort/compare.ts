import type { Ordering } from './keys.js'

type Compare = (a: string, b: string) => number

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')
const POWERS = 'KMGTPEZY'

/** Compares strings with one character per byte. Byte order equals the order of UTF-8 code points. */
export const byBytes: Compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Packs a rank into a number that sorts in the same order. Of a text, packs the first bytes, so that a prefix sorts before longer texts.
 * Returns 0 for `version` and `general`, whose order a single number cannot express.
 */
export function headOf(rank: string | number, ordering?: Ordering): number {
  if (ordering?.kind === 'version' || ordering?.kind === 'general') return 0
  if (typeof rank === 'number') return rank
  let head = 0
  for (let i = 0; i < 6; i++) head = head * 257 + (i < rank.length ? rank.charCodeAt(i) + 1 : 0)
  return head
}

/** Converts a key to a comparable value. Called once per line. */
export function rankOf(text: string, ordering: Ordering): string | number {
  switch (ordering.kind) {
    case 'numeric':
      return numberAt(text)
    case 'general':
      return generalAt(text)
    case 'human':
      return humanAt(text)
    case 'month':
      return MONTHS.indexOf(text.trimStart().slice(0, 3).toUpperCase())
    case 'random':
      return hash(text)
    case 'version':
      return text
    default:
      return plainText(text, ordering)
  }
}

export function compareRanks(a: string | number, b: string | number, { kind }: Ordering): number {
  if (kind === 'version') return byVersion(a as string, b as string)
  if (typeof a !== typeof b) return typeof a === 'string' ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}

function plainText(text: string, { blanks, dictionary, fold, printable }: Ordering): string {
  let out = blanks ? text.replace(/^[ \t]+/, '') : text
  if (dictionary) out = out.replace(/[^ \ta-zA-Z0-9]/g, '')
  else if (printable) out = out.replace(/[^ -~]/g, '')
  return fold ? out.replace(/[a-z]+/g, (letters) => letters.toUpperCase()) : out
}

function numberAt(text: string): number {
  const found = /^[ \t]*(-?)(\d*(?:\.\d*)?)/.exec(text)
  const value = Number(found?.[2] || 0)
  return Number.isNaN(value) ? 0 : found?.[1] ? -value : value
}

/** Parses a number for `-g`. Values that sort before all numbers become texts: `0` for non-numbers, `1` for NaN, `2` for -NaN. */
function generalAt(text: string): string | number {
  const [, sign = '', word, hex, decimal] =
    /^\s*([-+]?)(?:(inf|nan)|(0x(?:[\da-f]+\.?[\da-f]*|\.[\da-f]+)(?:p[-+]?\d+)?)|((?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?))/i.exec(text) ?? []
  if (word?.toLowerCase() === 'nan') return sign === '-' ? '2' : '1'
  const value = word ? Number.POSITIVE_INFINITY : hex ? hexadecimal(hex) : decimal ? Number(decimal) : undefined
  return value === undefined ? '0' : sign === '-' ? -value : value
}

function hexadecimal(text: string): number {
  const [, whole = '', fraction = '', power = '0'] = /^0x([\da-f]*)\.?([\da-f]*)(?:p(.*))?$/i.exec(text) ?? []
  return Number.parseInt(whole + fraction, 16) * 2 ** (Number(power) - 4 * fraction.length)
}

/** Returns the rank of a number with a suffix. Like GNU, compares the suffix first, then the number: `2K` is more than `1000`. */
function humanAt(text: string): number {
  const found = /^[ \t]*(-?)(\d*(?:\.\d*)?)([kKMGTPEZY]?)/.exec(text)
  const value = Number(found?.[2] || 0)
  if (value === 0 || Number.isNaN(value)) return 0
  const power = found?.[3] ? POWERS.indexOf(found[3].toUpperCase()) + 1 : 0
  return (found?.[1] ? -1 : 1) * (power * 1e15 + Math.min(value, 9e14))
}

function hash(text: string): number {
  let value = 2166136261
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16777619)
  return value >>> 0
}

/** Compares names like `ls -v` and `sort -V`: digits by value, `~` before everything, and letters before other characters. */
export function byVersion(a: string, b: string): number {
  if (a === b) return 0
  if (a === '' || b === '') return a === '' ? -1 : 1
  for (const dots of ['.', '..']) {
    if (a === dots || b === dots) return a === dots ? -1 : 1
  }
  const hidden = Number(b.startsWith('.')) - Number(a.startsWith('.'))
  if (hidden !== 0) return hidden
  const SUFFIX = /(?:\.[A-Za-z~][A-Za-z0-9~]*)*$/
  return parts(a.replace(SUFFIX, ''), b.replace(SUFFIX, '')) || parts(a, b)
}

function parts(a: string, b: string): number {
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    while ((i < a.length && !isDigit(a, i)) || (j < b.length && !isDigit(b, j))) {
      const difference = weight(a, i) - weight(b, j)
      if (difference !== 0) return difference
      i++
      j++
    }
    const [x, y] = [/^\d*/.exec(a.slice(i))?.[0] ?? '', /^\d*/.exec(b.slice(j))?.[0] ?? '']
    const [left, right] = [x.replace(/^0+/, ''), y.replace(/^0+/, '')]
    const difference = left.length - right.length || byBytes(left, right)
    if (difference !== 0) return difference
    i += x.length
    j += y.length
  }
  return 0
}

const isDigit = (text: string, at: number): boolean => /\d/.test(text[at] ?? '')

function weight(text: string, at: number): number {
  const char = text[at]
  if (char === undefined || /\d/.test(char)) return 0
  if (char === '~') return -1
  return /[A-Za-z]/.test(char) ? char.charCodeAt(0) : char.charCodeAt(0) + 256
}
