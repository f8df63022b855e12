import { Printout } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import { formatExact } from './shared/c-format.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { printedBytes } from './shared/command.js'
import { command, Failure, TooLarge } from './shared/failure.js'
import { Fraction } from './shared/fraction.js'
import { checkOperands, parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'

/**
 * Prefix of an argument that the shell inserts if `head` reads the output (syntax/endless.ts). The amount follows: `lines:5` or `bytes:5`.
 */
export const SEQ_WANTED = '--wanted-by-the-pipe='

export const seqCommand: OwnCommand = command(
  'seq',
  { usage: 'seq [OPTION]... LAST\n  or:  seq [OPTION]... FIRST LAST\n  or:  seq [OPTION]... FIRST INCREMENT LAST' },
  run,
)

const NUMBER = /^\s*([-+]?)(\d+)?(?:\.(\d*))?(?:e([-+]?\d+))?$/i
const MAX_DECIMALS = 1000
const ENDLESS = '1e30'

/** An exact decimal: `units` times 10 to the power of `-decimals`. */
interface Decimal {
  readonly units: bigint
  readonly decimals: number
}

async function run(all: readonly string[], context: CommandContext): Promise<OwnResult> {
  const wanted = all[0]?.startsWith(SEQ_WANTED) ? all[0].slice(SEQ_WANTED.length) : undefined
  const words = wanted === undefined ? [...all] : all.slice(1)
  // Insert `--` before the first number, because a negative number looks like an option.
  const at = words.findIndex((word, i) => /^(?:[^-]|-[.\d])/.test(word) && !/^(?:-[fs]|--format|--separator)$/.test(words[i - 1] ?? ''))
  if (at >= 0 && words[at - 1] !== '--') words.splice(at, 0, '--')
  const given = parseOptions('seq', words, 'f|format= s|separator= w|equal-width', { stopAtOperand: true })
  checkOperands('seq', given.operands, 1, 3)
  const endless = /^\s*\+?inf(?:inity)?$/i.test(given.operands.at(-1) ?? '')
  if (endless && wanted === undefined)
    throw new Failure('a sequence without end is not supported here: pipe it into head -n, or use while :; do ...; done')
  const operands = endless ? [...given.operands.slice(0, -1), ENDLESS] : given.operands
  const numbers = operands.map(decimalOf)
  const last = numbers.at(-1) as Decimal
  const first = numbers.length > 1 ? (numbers[0] as Decimal) : { units: 1n, decimals: 0 }
  const step = numbers.length > 2 ? (numbers[1] as Decimal) : { units: 1n, decimals: 0 }
  if (step.units === 0n) throw new Failure(`invalid Zero increment value: '${given.operands[1]}'`)
  const shown = Math.max(first.decimals, step.decimals)
  const scale = Math.max(shown, last.decimals)
  const [from, by, to] = [first, step, last].map((number) => scaled(number, scale)) as [bigint, bigint, bigint]
  const format = formatOf(given.value('f'))
  if (format && given.has('w')) throw new Failure('format string may not be specified when printing equal width strings')
  const plain = (value: bigint): string => digitsOf(value, scale, shown)
  // Like GNU, uses the width of the widest of three numbers, with signs: the first one, the last one printed, and LAST itself.
  const width = given.has('w') ? Math.max(plain(from).length, plain(to - ((to - from) % by)).length, digitsOf(to, scale, shown).length) : 0
  const text = (value: bigint): string => (format ? format(new Fraction(value, 10n ** BigInt(scale))) : padZeros(plain(value), width))
  const separator = packed(given.value('s') ?? '\n')
  return print({ from, by, to, text, separator }, wanted, context)
}

interface Sequence {
  readonly from: bigint
  readonly by: bigint
  readonly to: bigint
  readonly text: (value: bigint) => string
  readonly separator: string
}

async function print({ from, by, to, text, separator }: Sequence, wanted: string | undefined, context: CommandContext): Promise<OwnResult> {
  const [unit, count] = wanted?.split(':') ?? []
  const lines = unit === 'lines' ? BigInt(count ?? 0) : undefined
  const bytes = unit === 'bytes' ? Number(count) : Number.POSITIVE_INFINITY
  const most = context.limits.maxStringLength ?? Number.POSITIVE_INFINITY
  const pace = new Pace(context)
  const out = new Printout(context)
  let size = 0
  let many = 0n
  for (let value = from; by > 0n ? value <= to : value >= to; value += by) {
    if (many === lines || size >= bytes) return { ...printedBytes(ended(out)), exitCode: 141 }
    const next = text(value)
    many++
    size += next.length + separator.length
    if (size > most)
      throw new TooLarge(`more than the limit of ${most} bytes for one command: pipe it into head -n, or use for ((i=...; i<=...; i++))`)
    out.put(many === 1n ? next : separator + next)
    if ((many & 255n) === 0n) await pace.turn(100)
  }
  return printedBytes(many === 0n ? '' : ended(out))
}

const ended = (out: Printout): string => `${out.text()}\n`

function decimalOf(text: string): Decimal {
  const hex = /^\s*([-+]?)(0x[\da-f]+)$/i.exec(text)
  if (hex) return { units: hex[1] === '-' ? -BigInt(hex[2] as string) : BigInt(hex[2] as string), decimals: 0 }
  const [, sign, whole = '', fraction = '', power = '0'] = NUMBER.exec(text) ?? []
  if (sign === undefined || whole + fraction === '')
    throw new Failure(`invalid floating point argument: '${text}'\nTry 'seq --help' for more information.`)
  const decimals = fraction.length - Number(power)
  if (Math.abs(decimals) > MAX_DECIMALS) throw new Failure(`${text}: more than ${MAX_DECIMALS} digits are not supported here`)
  const units = BigInt(sign === '-' ? `-${whole}${fraction}` : whole + fraction)
  return decimals >= 0 ? { units, decimals } : { units: units * 10n ** BigInt(-decimals), decimals: 0 }
}

const scaled = ({ units, decimals }: Decimal, scale: number): bigint => units * 10n ** BigInt(scale - decimals)

function digitsOf(value: bigint, scale: number, shown: number): string {
  const [sign, size] = value < 0n ? ['-', -value] : ['', value]
  const digits = String(size).padStart(scale + 1, '0')
  const [whole, fraction] = [digits.slice(0, digits.length - scale), digits.slice(digits.length - scale)]
  return `${sign}${whole}${shown === 0 ? '' : `.${fraction.slice(0, shown)}`}`
}

function padZeros(text: string, width: number): string {
  return text.startsWith('-') ? `-${text.slice(1).padStart(width - 1, '0')}` : text.padStart(width, '0')
}

function formatOf(format: string | undefined): ((value: Fraction) => string) | undefined {
  if (format === undefined) return undefined
  const found = /^((?:[^%]|%%)*)%([-+ 0#']*)(\d*)(?:\.(\d*))?([aAeEfFgG])((?:[^%]|%%)*)$/s.exec(format)
  if (!found) {
    const letter = /(?:^|[^%])(?:%%)*%[-+ 0#']*[\d.]*(.)/s.exec(format)?.[1]
    throw new Failure(`format '${format}' has ${letter === undefined ? 'no % directive' : `unknown or too many directives: %${letter}`}`)
  }
  const [, before = '', flags = '', width = '', precision, letter = 'g', after = ''] = found
  if (/a/i.test(letter)) throw new Failure(`format '${format}': %${letter} is not supported here: use %e, %f or %g`)
  const plain = (text: string): string => packed(text.replaceAll('%%', '%'))
  const directive = { flags, width: Number(width), precision: precision === undefined ? undefined : Number(precision), letter }
  return (value) => plain(before) + formatExact(value.isNegative, value.size.toLongDouble(), directive) + plain(after)
}
