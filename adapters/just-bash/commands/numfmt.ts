import { Printout } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { Fraction, ROUNDINGS, type Rounding } from './shared/fraction.js'
import { type Given, parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { linesOf, Report } from './shared/text-io.js'

const OPTIONS =
  'from= to= from-unit= to-unit= padding= round= suffix= field= d|delimiter= header=? format= invalid= z|zero-terminated grouping'
const POWERS = 'KMGTPEZY'
/** Maximum number of digits of a number that is printed without a unit. */
const MOST_DIGITS = 18
const FROM = ['none', 'auto', 'si', 'iec', 'iec-i']
const TO = ['none', 'si', 'iec', 'iec-i']
const INVALID = ['abort', 'fail', 'warn', 'ignore']

export const numfmtCommand: OwnCommand = command('numfmt', { usage: 'numfmt [OPTION]... [NUMBER]...' }, run)

interface Settings {
  readonly from: string
  readonly to: string
  readonly fromUnit: Fraction
  readonly toUnit: Fraction
  readonly rounding: Rounding
  readonly suffix: string
  readonly delimiter: string | undefined
  readonly includes: (field: number) => boolean
  readonly format: Format
  /** Minimum width. Undefined keeps the width of the original field. */
  readonly padding: number | undefined
}

interface Format {
  readonly before: string
  readonly behind: string
  readonly width: number
  readonly zeros: boolean
  readonly precision: number | undefined
}

/** Thrown for a field that cannot be converted. */
class Unfit extends Error {}

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('numfmt', args, OPTIONS)
  const settings = readSettings(given)
  const invalid = choice(given, 'invalid', INVALID)
  const end = given.has('z') ? '\0' : '\n'
  const heading = given.has('header') ? whole(given.value('header') ?? '1', 'header value') : 0
  const lines = given.operands.length > 0 ? given.operands.map(packed) : linesOf(context.stdin, end)
  const out = new Printout(context)
  const report = new Report('numfmt', out)
  const pace = new Pace(context)
  for (const [at, line] of lines.entries()) {
    await pace.turn(5)
    if (given.operands.length === 0 && at < heading) {
      out.put(line + end)
      continue
    }
    for (const piece of piecesOf(line, settings)) {
      const { text, fault } = piece.isField ? attempt(piece.text, piece.number, settings) : piece
      if (fault !== undefined && invalid !== 'ignore') report.fail(fault, invalid === 'warn' ? 0 : 2)
      if (fault !== undefined && invalid === 'abort') return report.result(out.text())
      out.put(text)
    }
    out.put(end)
  }
  return report.result(out.text())
}

interface Piece {
  readonly text: string
  readonly number: number
  /** Whether the field must be converted. */
  readonly isField: boolean
  readonly fault?: undefined
}

/**
 * Splits a line into fields and separators. Without a delimiter, the first blank after a field is the separator. Further blanks belong to
 * the next field.
 */
function piecesOf(line: string, { delimiter, includes }: Settings): Piece[] {
  const fields =
    delimiter === undefined
      ? [...line.matchAll(/([ \t\n]*[^ \t\n]*)(?:[ \t\n]|$)/g)].map((found) => found[1] as string)
      : line.split(delimiter)
  if (delimiter === undefined && fields.length > 1 && !/[ \t\n]$/.test(line)) fields.pop()
  return fields.flatMap((text, i): Piece[] => {
    const field = { text, number: i + 1, isField: includes(i + 1) }
    return i === 0 ? [field] : [{ text: delimiter ?? ' ', number: 0, isField: false }, field]
  })
}

function attempt(field: string, number: number, settings: Settings): { readonly text: string; readonly fault: string | undefined } {
  try {
    return { text: convertedField(field, number, settings), fault: undefined }
  } catch (error) {
    if (!(error instanceof Unfit)) throw error
    return { text: field, fault: error.message }
  }
}

function convertedField(field: string, number: number, settings: Settings): string {
  const { suffix, format, padding, delimiter, fromUnit, toUnit } = settings
  const bare = suffix !== '' && field.length > suffix.length && field.endsWith(suffix) ? field.slice(0, -suffix.length) : field
  const text = bare.replace(/^[ \t]+/, '')
  const width = padding ?? (delimiter === undefined && (text !== bare || number > 1) ? bare.length : 0)
  const { value, precision } = readNumber(text, settings.from)
  const shown = printable(value.times(fromUnit).over(toUnit), format.precision ?? precision, settings) + suffix
  const padded = width < 0 ? shown.padEnd(-width) : shown.padStart(width)
  return format.before + padded + format.behind
}

/** @throws {Unfit} if the text is not a number */
function readNumber(text: string, from: string): { readonly value: Fraction; readonly precision: number } {
  const found = /^(-?(?:\d+(?:\.\d+)?|\.\d+))(.*)$/s.exec(text)
  const [, digits = '', behind = ''] = found ?? []
  if (!found || behind.startsWith('.')) throw new Unfit(`invalid number: '${text}'`)
  const value = Fraction.parse(digits)
  if (behind === '') return { value, precision: digits.split('.')[1]?.length ?? 0 }
  const power = POWERS.indexOf(behind[0] as string) + 1
  if (power === 0) throw new Unfit(`invalid suffix in input: '${text}'`)
  if (from === 'none') throw new Unfit(`rejecting suffix in input: '${text}' (consider using --from)`)
  const marked = behind[1] === 'i' && (from === 'auto' || from === 'iec-i')
  if (from === 'iec-i' && !marked) throw new Unfit(`missing 'i' suffix in input: '${text}' (e.g Ki/Mi/Gi)`)
  const over = behind.slice(marked ? 2 : 1)
  if (over !== '') throw new Unfit(`invalid suffix in input '${text}': '${over}'`)
  const base = from === 'si' || (from === 'auto' && !marked) ? 1000n : 1024n
  return { value: value.times(new Fraction(base ** BigInt(power), 1n)), precision: 0 }
}

/** @throws {Unfit} if the number is too large to print */
function printable(value: Fraction, precision: number, { to, rounding, format }: Settings): string {
  if (to === 'none') {
    if (value.digits + precision > MOST_DIGITS)
      throw new Unfit(`value too large to be printed: '${value.toNumber()}' (consider using --to)`)
    return zeroed(value.toFixed(precision, rounding), format)
  }
  const base = to === 'si' ? 1000n : 1024n
  let [scaled, power] = [value, 0]
  for (; scaled.atLeast(base); power++) scaled = scaled.over(new Fraction(base, 1n))
  const places = format.precision !== undefined ? Math.min(power * 3, format.precision) : scaled.atLeast(10n) ? 0 : 1
  scaled = Fraction.parse(scaled.toFixed(places, rounding))
  if (scaled.atLeast(base)) {
    scaled = scaled.over(new Fraction(base, 1n))
    power++
  }
  if (power > POWERS.length) throw new Unfit(`value too large to be printed: '${value.toNumber()}' (cannot handle values > 999Y)`)
  const shownPlaces = format.precision ?? (!scaled.isZero && !scaled.atLeast(10n) && power > 0 ? 1 : 0)
  const mark = power === 0 ? '' : `${power === 1 && to === 'si' ? 'K' : POWERS[power - 1]}${to === 'iec-i' ? 'i' : ''}`
  return zeroed(scaled.toFixed(shownPlaces, 'even') + mark, format)
}

function zeroed(text: string, { zeros, width }: Format): string {
  if (!zeros) return text
  return text.startsWith('-') ? `-${text.slice(1).padStart(width - 1, '0')}` : text.padStart(width, '0')
}

function readSettings(given: Given): Settings {
  const delimiter = given.has('d') ? packed(given.value('d') as string) : undefined
  if (delimiter !== undefined && delimiter.length !== 1) throw new Failure('the delimiter must be a single character')
  const format = readFormat(given.value('format') ?? '%f')
  const padding = given.value('padding')
  if (padding !== undefined && !/^-?[1-9]\d{0,5}$/.test(padding)) throw new Failure(`invalid padding value '${padding}'`)
  if (given.has('grouping') && given.has('format')) throw new Failure('--grouping cannot be combined with --format')
  if (given.has('grouping') && given.has('to')) throw new Failure('grouping cannot be combined with --to')
  return {
    from: choice(given, 'from', FROM),
    to: choice(given, 'to', TO),
    fromUnit: unit(given.value('from-unit')),
    toUnit: unit(given.value('to-unit')),
    rounding: choice(given, 'round', Object.keys(ROUNDINGS)) as Rounding,
    suffix: packed(given.value('suffix') ?? ''),
    delimiter,
    includes: fieldsOf(given.value('field') ?? '1'),
    format,
    padding: format.zeros ? 0 : format.width !== 0 ? format.width : padding === undefined ? undefined : Number(padding),
  }
}

/** Returns the value of the option `id`, which must be one of `words`. Default: the first word. */
function choice(given: Given, id: string, words: readonly string[]): string {
  const word = given.value(id) ?? (words[0] as string)
  if (words.includes(word)) return word
  const list = words.map((one) => `  - '${one}'\n`).join('')
  throw new Failure(`invalid argument '${word}' for '--${id}'\nValid arguments are:\n${list}Try 'numfmt --help' for more information.`)
}

function whole(text: string, what: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Failure(`invalid ${what} '${text}'`)
  return Number(text)
}

function unit(text = '1'): Fraction {
  const found = /^(\d+)(?:([KMGTPEZY])(i?))?$/.exec(text)
  const [, digits = '0', letter, binary] = found ?? []
  const value = BigInt(digits) * (binary ? 1024n : 1000n) ** BigInt(letter ? POWERS.indexOf(letter) + 1 : 0)
  if (value === 0n) throw new Failure(`invalid unit size: '${text}'`)
  return new Fraction(value, 1n)
}

function fieldsOf(list: string): (field: number) => boolean {
  const ranges = list.split(',').map((part) => {
    const found = /^(\d+)?(-)?(\d+)?$/.exec(part)
    if (!found || part === '' || found[1] === '0' || found[3] === '0')
      throw new Failure(`invalid field value '${part}'\nTry 'numfmt --help' for more information.`)
    const from = Number(found[1] ?? 1)
    return { from, to: found[3] !== undefined ? Number(found[3]) : found[2] ? Number.POSITIVE_INFINITY : from }
  })
  return (field) => ranges.some(({ from, to }) => field >= from && field <= to)
}

function readFormat(text: string): Format {
  const found = /^((?:[^%]|%%)*)%(0?)(?:')?(-?)(\d{0,6})(?:\.(\d{0,3}))?f((?:[^%]|%%)*)(%)?/s.exec(text)
  if (!found)
    throw new Failure(
      text.includes('%') ? `invalid format '${text}', directive must be %[0]['][-][N][.][N]f` : `format '${text}' has no % directive`,
    )
  const [, before = '', zeros, left, width = '', precision, behind = '', more] = found
  if (more) throw new Failure(`format '${text}' has too many % directives`)
  return {
    before: packed(before),
    behind: packed(behind),
    width: (left ? -1 : 1) * Number(width),
    zeros: zeros !== '',
    precision: precision === undefined ? undefined : Number(precision),
  }
}
