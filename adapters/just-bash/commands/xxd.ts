import { checkSize, lineBatches, Printout } from './shared/bulk.js'
import { binaryOf, bytesOf } from './shared/bytes.js'
import { type CommandContext, type OwnCommand, printedBytes } from './shared/command.js'
import { deviceBytes } from './shared/devices.js'
import { command, Failure, optionsLine, UsageFailure } from './shared/failure.js'
import { pathOf, readNamed, told } from './shared/files.js'
import { Pace } from './shared/pace.js'

const USAGE = 'xxd [options] [infile [outfile]]'
const MAX_COLUMNS = 256
const TURN = 128

interface Plan {
  readonly kind: 'dump' | 'plain' | 'bits' | 'include'
  readonly reverse: boolean
  readonly upper: boolean
  readonly columns: number
  readonly group: number
  readonly length: number | undefined
  readonly seek: number
  readonly offset: number
  readonly input: string
  readonly output: string | undefined
}

export const xxdCommand: OwnCommand = command('xxd', { usage: USAGE }, async (args, context) => {
  const plan = readPlan(args)
  const wanted = plan.length === undefined ? undefined : plan.length + Math.max(0, plan.seek)
  const all = (await deviceBytes(context, plan.input, wanted, '-l')) ?? (await readNamed(context, plan.input, 2))
  const pace = new Pace(context)
  if (plan.reverse)
    return output(context, plan, binaryOf(plan.kind === 'plain' ? await fromPlain(all, pace) : await fromDump(all, plan, context)))
  const start = plan.seek < 0 ? Math.max(0, all.length + plan.seek) : plan.seek
  const bytes = all.subarray(start, plan.length === undefined ? undefined : start + plan.length)
  const out = new Printout(context)
  const text = plan.kind === 'include' ? await included(bytes, plan, out, pace) : await dumped(bytes, start + plan.offset, plan, out, pace)
  return output(context, plan, text)
})

async function output(context: CommandContext, { output: name }: Plan, text: string): Promise<ReturnType<typeof printedBytes>> {
  if (name === undefined || name === '-') return printedBytes(text)
  await told(name, () => context.fs.writeFile(pathOf(context, name), bytesOf(text)), 3)
  return printedBytes('')
}

/** Parses xxd's own option syntax: one dash, `-l16`, `-l 16`, `-len 16`, `-ps`. */
function readPlan(args: readonly string[]): Plan {
  const values = new Map<string, number>()
  const flags = new Set<string>()
  const operands: string[] = []
  const rest = [...args]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [, valued, value] = /^--?(cols|len|seek|offset|groupsize|[clsog])(.*)$/.exec(arg) ?? []
    const flag = {
      '-ps': 'p',
      '-plain': 'p',
      '-postscript': 'p',
      '-revert': 'r',
      '-bits': 'b',
      '-include': 'i',
      '-uppercase': 'u',
      '-autoskip': 'a',
    }[arg]
    if (flag) flags.add(flag)
    else if (/^-[abiEpru]+$/.test(arg)) for (const letter of arg.slice(1)) flags.add(letter)
    else if (valued !== undefined && arg.startsWith('-')) {
      const text = value || rest.shift()
      const number = Number(text)
      if (text === undefined || text === '' || !Number.isInteger(number)) throw usage()
      values.set(valued[0] as string, number)
    } else if (arg === '--') operands.push(...rest.splice(0))
    else if (arg.startsWith('-') && arg !== '-') throw usage()
    else operands.push(arg)
  }
  if (flags.has('a') || flags.has('E') || operands.length > 2) throw usage()
  const kind = flags.has('p') ? 'plain' : flags.has('b') ? 'bits' : flags.has('i') ? 'include' : 'dump'
  const columns = values.get('c') || { dump: 16, plain: 30, bits: 6, include: 12 }[kind]
  if (columns < 0 || (columns > MAX_COLUMNS && kind !== 'plain')) throw new Failure(`invalid number of columns (max. ${MAX_COLUMNS}).`)
  return {
    kind,
    reverse: flags.has('r'),
    upper: flags.has('u'),
    columns,
    group: values.get('g') ?? (kind === 'bits' ? 1 : 2),
    length: values.get('l'),
    seek: values.get('s') ?? 0,
    offset: values.get('o') ?? 0,
    input: operands[0] ?? '-',
    output: operands[1],
  }
}

const OPTIONS = '-b -c= -g= -i -l= -o= -p -r -s= -u'.split(' ')

const usage = (): Failure => new UsageFailure(`Usage: ${USAGE}\n${optionsLine(OPTIONS)}`.trimEnd(), 1, OPTIONS)

async function dumped(bytes: Uint8Array, offset: number, plan: Plan, out: Printout, pace: Pace): Promise<string> {
  let lines = 0
  for (let at = 0; at < bytes.length; at += plan.columns) {
    const part = bytes.subarray(at, at + plan.columns)
    out.put(`${plan.kind === 'plain' ? hex(part, plan.upper) : dumpLine(part, offset + at, plan)}\n`)
    if (++lines % TURN === 0) await pace.turn(TURN * 4)
  }
  return out.text()
}

function dumpLine(part: Uint8Array, offset: number, { columns, group, upper, kind }: Plan): string {
  const digits = kind === 'bits' ? 8 : 2
  const size = group > 0 ? group : columns
  let body = ''
  for (let i = 0; i < columns; i++) {
    const byte = part[i]
    body += byte === undefined ? ' '.repeat(digits) : kind === 'bits' ? byte.toString(2).padStart(8, '0') : hex([byte], upper)
    if ((i + 1) % size === 0 || i + 1 === columns) body += ' '
  }
  let text = ''
  for (const byte of part) text += byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.'
  return `${offset.toString(16).padStart(8, '0')}: ${body} ${text}`
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hex(bytes: Iterable<number>, upper: boolean): string {
  let text = ''
  for (const byte of bytes) text += HEX[byte]
  return upper ? text.toUpperCase() : text
}

async function included(bytes: Uint8Array, { columns, input, upper }: Plan, out: Printout, pace: Pace): Promise<string> {
  for (let at = 0; at < bytes.length; at += columns) {
    const values = Array.from(bytes.subarray(at, at + columns), (byte) => `${upper ? '0X' : '0x'}${hex([byte], upper)}`)
    out.put(`${at > 0 ? ',\n' : ''}  ${values.join(', ')}`)
    if (at % (columns * TURN) === 0) await pace.turn(TURN * 4)
  }
  const values = bytes.length > 0 ? `${out.text()}\n` : ''
  if (input === '-') return values
  const name = input.replace(/^(?=\d)/, '__').replaceAll(/\W/g, '_')
  return `unsigned char ${name}[] = {\n${values}};\nunsigned int ${name}_len = ${bytes.length};\n`
}

/** Parses a plain dump (`-p`). Skips other characters. White space may also separate the two digits of a byte. */
async function fromPlain(bytes: Uint8Array, pace: Pace): Promise<Uint8Array> {
  const all = new Uint8Array(bytes.length >> 1)
  let length = 0
  let high = -1
  for (let at = 0; at < bytes.length; at++) {
    const value = Number.parseInt(String.fromCharCode(bytes[at] as number), 16)
    if (Number.isNaN(value)) {
      if (!/\s/.test(String.fromCharCode(bytes[at] as number))) high = -1
    } else if (high < 0) high = value
    else {
      all[length++] = high * 16 + value
      high = -1
    }
    if (at % 16_384 === 0) await pace.turn(2000)
  }
  return all.subarray(0, length)
}

/** Parses a dump with offsets. Fills gaps between the offsets with zeros. */
async function fromDump(bytes: Uint8Array, { columns, seek, kind }: Plan, context: CommandContext): Promise<Uint8Array> {
  const parts: { readonly at: number; readonly bytes: Uint8Array }[] = []
  let length = 0
  for await (const lines of lineBatches(context, binaryOf(bytes)))
    for (const line of lines) {
      const [, offset, body] = /^\s*([\da-fA-F]+):\s?(.*)$/.exec(line) ?? []
      if (offset === undefined || body === undefined) continue
      const at = Number.parseInt(offset, 16) + seek
      const part = lineBytes(body, columns, kind === 'bits')
      if (at < 0) throw new Failure('sorry, cannot seek backwards.', 5)
      length = Math.max(length, at + part.length)
      parts.push({ at, bytes: part })
    }
  checkSize(context, length)
  const all = new Uint8Array(length)
  for (const part of parts) all.set(part.bytes, part.at)
  return all
}

/** Parses the bytes of a dump line. Two spaces separate them from the text column. */
function lineBytes(body: string, columns: number, bits: boolean): Uint8Array {
  const digits = body.split(/ {2}/, 1)[0]?.replaceAll(' ', '') ?? ''
  const found = digits.match(bits ? /^(?:[01]{8})+/ : /^(?:[\da-fA-F]{2})+/)?.[0] ?? ''
  const bytes = found.match(bits ? /.{8}/g : /../g) ?? []
  return Uint8Array.from(bytes.slice(0, columns), (one) => Number.parseInt(one, bits ? 2 : 16))
}
