import { Printout } from './shared/bulk.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { deviceBytes } from './shared/devices.js'
import { command, Failure } from './shared/failure.js'
import { told } from './shared/files.js'
import { type Given, parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { quantity } from './shared/quantity.js'
import { bytesNamed, pacedBinary, Report } from './shared/text-io.js'

interface Format {
  readonly kind: 'a' | 'c' | 'd' | 'o' | 'u' | 'x'
  readonly size: 1 | 2 | 4 | 8
  /** Whether to append the printable characters (`z`). */
  readonly text: boolean
}

const OLD: Readonly<Record<string, string>> = { a: 'a', b: 'o1', c: 'c', d: 'u2', o: 'o2', s: 'd2', x: 'x2', i: 'd4', l: 'd8' }
const NAMES = 'nul soh stx etx eot enq ack bel bs ht nl vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us sp'.split(
  ' ',
)
const CONTROLS: Readonly<Record<number, string>> = { 0: '\\0', 7: '\\a', 8: '\\b', 9: '\\t', 10: '\\n', 11: '\\v', 12: '\\f', 13: '\\r' }
/** Width of a number in columns, without the space before it. */
const WIDTHS = {
  d: { 1: 4, 2: 6, 4: 11, 8: 20 },
  u: { 1: 3, 2: 5, 4: 10, 8: 20 },
  o: { 1: 3, 2: 6, 4: 11, 8: 22 },
  x: { 1: 2, 2: 4, 4: 8, 8: 16 },
} as const

export const odCommand: OwnCommand = command('od', { usage: 'od [OPTION]... [FILE]...' }, run)

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions(
    'od',
    args,
    'A|address-radix= j|skip-bytes= N|read-bytes= t|format= v|output-duplicates w|width=? a b c d o s x i l endian=',
  )
  const formats = formatsOf(given)
  const parts: string[] = []
  const skip = amount(given, 'j') ?? 0
  const most = amount(given, 'N')
  for (const name of given.operands.length === 0 ? ['-'] : given.operands) {
    const device = await deviceBytes(context, name, most === undefined ? undefined : skip + most, '-N')
    parts.push(device ? await pacedBinary(context, device) : await told(name, () => bytesNamed(context, name)))
  }
  const all = parts.join('')
  if (skip > all.length) throw new Failure('cannot skip past end of combined input')
  const data = all.slice(skip, skip + (most ?? all.length))
  const width = given.has('w') ? Number(given.value('w') ?? 32) : 16
  const big = given.value('endian') === 'big'
  const address = addressOf(given.value('A') ?? 'o')
  // Output columns per byte: the maximum over all formats, so that the lines of different formats align.
  const columns = Math.max(...formats.map(({ kind, size }) => (kind === 'a' || kind === 'c' ? 4 : (WIDTHS[kind][size] + 1) / size)))
  const out = new Printout(context)
  let before: string | undefined
  let starred = false
  const pace = new Pace(context)
  for (let at = 0; at < data.length; at += width) {
    await pace.turn(width)
    const row = data.slice(at, at + width)
    if (row === before && row.length === width && !given.has('v')) {
      if (!starred) out.put('*\n')
      starred = true
      continue
    }
    before = row
    starred = false
    formats.forEach((format, i) => {
      const label = i === 0 ? address(at + skip) : ' '.repeat(address(0).length)
      out.put(`${label}${shown(row, format, { columns, width, big })}\n`)
    })
  }
  const last = address(data.length + skip)
  if (last !== '') out.put(`${last}\n`)
  return new Report('od').result(out.text())
}

function formatsOf(given: Given): Format[] {
  const formats = given.options.flatMap(({ id, value = '' }) => {
    const text = id === 't' ? value : OLD[id]
    return text === undefined ? [] : parseFormats(text)
  })
  return formats.length > 0 ? formats : parseFormats('o2')
}

function parseFormats(text: string): Format[] {
  const found = [...text.matchAll(/([acdoux])(\d+|[CSIL])?(z?)/g)]
  if (found.map(([all]) => all).join('') !== text || text === '') throw new Failure(`invalid type string '${text}'`)
  return found.map(([, kind, size, z]) => {
    const bytes = size === undefined ? 4 : ({ C: 1, S: 2, I: 4, L: 8 }[size] ?? Number(size))
    if (![1, 2, 4, 8].includes(bytes))
      throw new Failure(`invalid type string '${text}';\nthis system doesn't provide a ${size}-byte integral type`)
    return { kind: kind as Format['kind'], size: (kind === 'a' || kind === 'c' ? 1 : bytes) as Format['size'], text: z === 'z' }
  })
}

function addressOf(radix: string): (at: number) => string {
  if (radix === 'n') return () => ''
  if (!'dox'.includes(radix) || radix.length !== 1)
    throw new Failure(`invalid output address radix '${radix}'; it must be one character from [doxn]`)
  const base = radix === 'd' ? 10 : radix === 'x' ? 16 : 8
  return (at) => at.toString(base).padStart(radix === 'x' ? 6 : 7, '0')
}

function amount(given: Given, id: string): number | undefined {
  const value = given.value(id)
  if (value === undefined) return undefined
  const count = /^0x[\da-f]+$/i.test(value) ? Number(value) : quantity(value)
  if (count === undefined) throw new Failure(`invalid -${id} argument '${value}'`)
  return count
}

function shown(row: string, { kind, size, text }: Format, layout: { columns: number; width: number; big: boolean }): string {
  const cell = layout.columns * size
  let out = ''
  for (let at = 0; at < row.length; at += size) out += item(row.slice(at, at + size), kind, size, layout.big).padStart(cell)
  if (!text) return out
  const rest = Math.ceil((layout.width - row.length) / size) * cell
  return `${out}${' '.repeat(rest)}  >${row.replace(/[^ -~]/g, '.')}<`
}

function item(bytes: string, kind: Format['kind'], size: Format['size'], big: boolean): string {
  const code = bytes.charCodeAt(0)
  if (kind === 'c') return CONTROLS[code] ?? (code < 32 || code > 126 ? code.toString(8).padStart(3, '0') : bytes)
  if (kind === 'a') return NAMES[code & 0x7f] ?? ((code & 0x7f) === 127 ? 'del' : String.fromCharCode(code & 0x7f))
  if (size <= 4) return small(bytes, kind, size, big)
  let value = 0n
  for (let i = 0; i < size; i++) value |= BigInt(bytes.charCodeAt(i) || 0) << BigInt(8 * (big ? size - 1 - i : i))
  if (kind === 'd') return BigInt.asIntN(8 * size, value).toString()
  const base = kind === 'x' ? 16 : kind === 'o' ? 8 : 10
  return value.toString(base).padStart(kind === 'u' ? 0 : WIDTHS[kind][size], '0')
}

/** Formats numbers of up to 32 bits without BigInt, which takes five times as long. */
function small(bytes: string, kind: Format['kind'], size: 1 | 2 | 4 | 8, big: boolean): string {
  let value = 0
  for (let i = 0; i < size; i++) value += (bytes.charCodeAt(i) || 0) * 2 ** (8 * (big ? size - 1 - i : i))
  const limit = 2 ** (8 * size)
  if (kind === 'd') return String(value < limit / 2 ? value : value - limit)
  if (kind === 'u') return String(value)
  return value.toString(kind === 'x' ? 16 : 8).padStart(WIDTHS[kind as 'x' | 'o'][size], '0')
}
