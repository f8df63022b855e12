import { pacedSort } from '../shared/bulk.js'
import { Failure } from '../shared/failure.js'
import { toLower, toUpper } from '../shared/letter-case.js'
import type { Regex } from '../shared/regex/regex.js'
import { timeOf } from '../shared/time/civil.js'
import { formatTime } from '../shared/time/format.js'
import { UTC, zoneOf } from '../shared/time/zone.js'
import type { Runtime } from './runtime.js'
import { sprintf } from './sprintf.js'
import { type AwkArray, bounded, compareValues, Input, MAX_ELEMENTS, MAX_TEXT, toNumber, tooLong, tooMany, type Value } from './values.js'

type Builtin = (runtime: Runtime, args: readonly Value[]) => Value

const whole = (value: Value): number => Math.trunc(toNumber(value))
const lengthOf = (text: string): number => {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= 0xd800) return [...text].length
  return text.length
}
const bits = (values: readonly Value[], body: (a: bigint, b: bigint) => bigint): number =>
  Number(values.map((value) => BigInt(whole(value))).reduce(body))

/** Built-in functions whose result depends only on their arguments. */
export const PLAIN: Readonly<Record<string, Builtin>> = {
  length: (runtime, [value]) => lengthOf(runtime.text(value)),
  substr: (runtime, [text, from, count]) => substr(runtime.text(text), toNumber(from), count === undefined ? undefined : toNumber(count)),
  index: (runtime, [text, part]) => {
    const [within, wanted] = [runtime.text(text), runtime.text(part)]
    const at = within.indexOf(wanted)
    return at < 0 ? 0 : lengthOf(within.slice(0, at)) + 1
  },
  sprintf: (runtime, [format, ...values]) => sprintf(runtime, runtime.text(format), values),
  sin: (_, [x]) => Math.sin(toNumber(x)),
  cos: (_, [x]) => Math.cos(toNumber(x)),
  atan2: (_, [y, x]) => Math.atan2(toNumber(y), toNumber(x)),
  exp: (_, [x]) => Math.exp(toNumber(x)),
  log: (_, [x]) => Math.log(toNumber(x)),
  sqrt: (_, [x]) => Math.sqrt(toNumber(x)),
  int: (_, [x]) => whole(x),
  tolower: (runtime, [text]) => toLower(runtime.text(text)),
  toupper: (runtime, [text]) => toUpper(runtime.text(text)),
  systime: (runtime) => Math.floor(runtime.now() / 1000),
  strftime: (runtime, [format, time, utc]) => {
    const ms = time === undefined ? runtime.now() : toNumber(time) * 1000
    const zone = utc === undefined || toNumber(utc) === 0 ? zoneOf(runtime.context.env) : UTC
    return formatTime(ms, format === undefined ? '%a %b %e %H:%M:%S %Z %Y' : runtime.text(format), zone)
  },
  mktime: (runtime, [text]) => {
    const fields = runtime.text(text).trim().split(/\s+/).map(Number)
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = fields
    const ms = timeOf({ year, month: month - 1, day, seconds: hour * 3600 + minute * 60 + second }, zoneOf(runtime.context.env))
    return fields.length < 6 || Number.isNaN(ms) ? -1 : ms / 1000
  },
  and: (_, values) => bits(values, (a, b) => a & b),
  or: (_, values) => bits(values, (a, b) => a | b),
  xor: (_, values) => bits(values, (a, b) => a ^ b),
  lshift: (_, [value, by]) => Number(BigInt(whole(value)) << BigInt(whole(by))),
  rshift: (_, [value, by]) => Number(BigInt(whole(value)) >> BigInt(whole(by))),
  compl: (_, [value]) => Number(BigInt.asUintN(53, ~BigInt(whole(value)))),
  strtonum: (runtime, [value]) => {
    const text = runtime.text(value).trim()
    if (/^0x[\da-f]+$/i.test(text)) return Number(text)
    return /^0[0-7]+$/.test(text) ? Number.parseInt(text, 8) : toNumber(value)
  },
}

function substr(text: string, from: number, count: number | undefined): string {
  const chars = lengthOf(text) === text.length ? undefined : [...text]
  // Like gawk 5.2 and mawk, a start before the first character counts as 1.
  const first = Math.max(1, roundHalfEven(from))
  const last = count === undefined ? Number.POSITIVE_INFINITY : first + roundHalfEven(count)
  const [begin, end] = [first, Math.min(last, (chars ?? text).length + 1)]
  if (Number.isNaN(begin) || Number.isNaN(end) || end <= begin) return ''
  return chars ? chars.slice(begin - 1, end - 1).join('') : text.slice(begin - 1, end - 1)
}

function roundHalfEven(value: number): number {
  if (!Number.isFinite(value)) return value
  const rounded = Math.round(value)
  return Math.abs(value % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded
}

/** Pseudo-random numbers. Programs that set no seed always get the same sequence. */
export class Dice {
  #seed = 0
  #state = 0x9e3779b9

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let value = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296
  }

  /** Sets the seed and returns the previous one. */
  seed(value: number): number {
    const before = this.#seed
    this.#seed = value
    this.#state = (value ^ 0x9e3779b9) | 0
    return before
  }
}

/** Replaces match number `which`, or all matches if `which` is 0. Returns the text and the number of replacements. */
export function replaced(
  regex: Regex,
  replacement: readonly (string | number)[],
  text: string,
  which: number,
): { readonly text: string; readonly count: number } {
  const simple = which === 0 ? replacedSimply(regex, replacement, text) : undefined
  if (simple) return simple
  let [out, done, at, count, seen, lastEnd] = ['', 0, 0, 0, 0, -1]
  while (at <= text.length) {
    const match = regex.exec(text, at)
    if (!match) break
    const { index, end, groups } = match
    if (!(index === end && index === lastEnd)) {
      seen++
      lastEnd = end
      if (which === 0 || seen === which) {
        count++
        if (count > MAX_ELEMENTS) throw tooMany()
        if (index > done) out += text.slice(done, index)
        for (const piece of replacement) out += typeof piece === 'string' ? piece : (groups[piece] ?? '')
        bounded(out)
        done = end
        if (which !== 0) break
      }
    }
    at = index === end ? end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1) : end
  }
  return { text: count === 0 ? text : out + text.slice(done), count }
}

/** Replaces all matches, for an expression without groups. Returns undefined if the expression has no `replaceAll`. */
function replacedSimply(
  regex: Regex,
  replacement: readonly (string | number)[],
  text: string,
): { readonly text: string; readonly count: number } | undefined {
  let [count, size, lastEnd] = [0, 0, -1]
  const plain = replacement.every((piece) => typeof piece === 'string') ? replacement.join('') : undefined
  const made = regex.replaceAll?.(text, (match, index) => {
    // POSIX: an empty match directly after the previous match does not count.
    if (match === '' && index === lastEnd) return ''
    lastEnd = index + match.length
    if (++count > MAX_ELEMENTS) throw tooMany()
    const put = plain ?? replacement.map((piece) => (typeof piece === 'string' ? piece : piece === 0 ? match : '')).join('')
    size += put.length
    if (size > MAX_TEXT) throw tooLong()
    return put
  })
  return made === undefined ? undefined : { text: bounded(made), count }
}

/** Splits a replacement into texts and group numbers. `&` is the match (0), `\&` a literal ampersand. With `groups`, `\1` is group 1. */
export function piecesOf(replacement: string, groups: boolean): (string | number)[] {
  const pieces: (string | number)[] = []
  for (const [token] of replacement.matchAll(/\\\\|\\&|\\\d|&|[^\\&]+|\\/g)) {
    if (token === '&') pieces.push(0)
    else if (token === '\\&') pieces.push('&')
    else if (token === '\\\\') pieces.push('\\')
    else if (groups && /^\\\d$/.test(token)) pieces.push(Number(token[1]))
    else pieces.push(token)
  }
  return pieces
}

export function fill(array: AwkArray, parts: readonly string[]): number {
  array.clear()
  parts.forEach((part, i) => void array.set(String(i + 1), new Input(part)))
  return parts.length
}

/** Sorts an array for `asort` (by value) and `asorti` (by key). Returns the number of elements. */
export async function sortArray(runtime: Runtime, source: AwkArray, target: AwkArray, byKey: boolean): Promise<number> {
  const values: Value[] = byKey ? [...source.keys()] : [...source.values()]
  const format = runtime.textOf('CONVFMT')
  const order = (a: Value, b: Value): number => (byKey ? ((a as string) < (b as string) ? -1 : 1) : compareValues(a, b, format))
  const sorted = await pacedSort(values, order, runtime.pace)
  target.clear()
  for (const [i, value] of sorted.entries()) {
    target.set(String(i + 1), value)
    if (i % 4096 === 4095) await runtime.pace.turn(2000)
  }
  return sorted.length
}

export function divide(a: number, b: number, words: string): number {
  if (b === 0) throw new Failure(`division by zero${words}`, 2)
  return words === '' ? a / b : a % b
}
