import { packed } from '../shared/bytes.js'
import { Failure } from '../shared/failure.js'

/** A part of a set. `fill` (`[x*]`) repeats the byte until the set is as long as the other set. */
export type Part =
  | { readonly kind: 'bytes'; readonly bytes: readonly number[] }
  | { readonly kind: 'class'; readonly name: string; readonly bytes: readonly number[] }
  | { readonly kind: 'repeat'; readonly byte: number; readonly count: number | 'fill' }

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 }
const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the class consists of control characters.
  cntrl: /[\0-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[\t-\r ]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
}
/** Maximum count of `[x*n]`, far above the 256 possible bytes. */
const MAX_REPEAT = 1_000_000
/** Maximum number of characters in a set, because the time grows with the square of the length. */
const MAX_SET = 4096

interface Char {
  readonly byte: number
  /** Whether the character was escaped, so that `[`, `-` and `*` are literal. */
  readonly escaped: boolean
}

/** @throws {Failure} with GNU's message */
export function partsOf(set: string): Part[] {
  if (set.length > MAX_SET) throw new Failure(`a set of more than ${MAX_SET} characters is not supported here`)
  const chars = charsOf(packed(set))
  const parts: Part[] = []
  for (let at = 0; at < chars.length; ) {
    const found = bracketAt(chars, at) ?? rangeAt(chars, at) ?? { part: single((chars[at] as Char).byte), length: 1 }
    parts.push(found.part)
    at += found.length
  }
  return parts
}

function charsOf(set: string): Char[] {
  const chars: Char[] = []
  for (let at = 0; at < set.length; ) {
    const found = /^\\(?:([0-3][0-7]{0,2}|[4-7][0-7]?)|([\s\S]))/.exec(set.slice(at, at + 4))
    if (found) {
      const [all, octal, letter = ''] = found
      chars.push({ byte: octal ? Number.parseInt(octal, 8) : (ESCAPES[letter] ?? letter.charCodeAt(0)), escaped: true })
      at += all.length
    } else chars.push({ byte: set.charCodeAt(at++), escaped: false })
  }
  return chars
}

interface Found {
  readonly part: Part
  readonly length: number
}

const single = (byte: number): Part => ({ kind: 'bytes', bytes: [byte] })
const is = (char: Char | undefined, text: string): boolean => char !== undefined && !char.escaped && char.byte === text.charCodeAt(0)
const plain = (chars: readonly Char[]): string => chars.map(({ byte }) => String.fromCharCode(byte)).join('')

/** Parses `[:class:]`, `[=x=]`, `[x*]` or `[x*5]`. */
function bracketAt(chars: readonly Char[], at: number): Found | undefined {
  if (!is(chars[at], '[')) return undefined
  for (const mark of [':', '=']) {
    if (!is(chars[at + 1], mark)) continue
    const end = chars.findIndex((char, i) => i > at + 2 && is(char, mark) && is(chars[i + 1], ']'))
    if (end < 0) continue
    const name = plain(chars.slice(at + 2, end))
    return { part: mark === ':' ? classOf(name) : equivalentOf(name), length: end + 2 - at }
  }
  const [char] = [chars[at + 1]]
  if (!char || !is(chars[at + 2], '*')) return undefined
  const end = chars.findIndex((each, i) => i > at + 2 && is(each, ']'))
  const count = end < 0 ? '' : plain(chars.slice(at + 3, end))
  if (end < 0 || !/^\d*$/.test(count)) return undefined
  return { part: { kind: 'repeat', byte: char.byte, count: countOf(count) }, length: end + 1 - at }
}

function countOf(text: string): number | 'fill' {
  const count = Number.parseInt(text, text.startsWith('0') ? 8 : 10)
  if (text === '' || count === 0) return 'fill'
  if (!(count <= MAX_REPEAT)) throw new Failure(`invalid repeat count '${text}' in [c*n] construct`)
  return count
}

function classOf(name: string): Part {
  const members = Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined
  if (!members) throw new Failure(`invalid character class '${name}'`)
  return { kind: 'class', name, bytes: ALL.filter((byte) => members.test(String.fromCharCode(byte))) }
}

function equivalentOf(name: string): Part {
  if (name.length !== 1) throw new Failure(`${name}: equivalence class operand must be a single character`)
  return single(name.charCodeAt(0))
}

function rangeAt(chars: readonly Char[], at: number): Found | undefined {
  const [first, dash, last] = chars.slice(at, at + 3)
  if (!first || !last || !is(dash, '-')) return undefined
  if (last.byte < first.byte) {
    throw new Failure(`range-endpoints of '${plain([first])}-${plain([last])}' are in reverse collating sequence order`)
  }
  return { part: { kind: 'bytes', bytes: ALL.slice(first.byte, last.byte + 1) }, length: 3 }
}

/** All byte values. */
export const ALL: readonly number[] = Array.from({ length: 256 }, (_, byte) => byte)
