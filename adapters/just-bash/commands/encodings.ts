import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { told } from './shared/files.js'
import { checkOperands, parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { bytesNamed, Report } from './shared/text-io.js'

interface Encoding {
  /** Number of bits per digit. */
  readonly bits: number
  readonly digits: string
  /** Digits per group. An incomplete last group is padded with `=`. */
  readonly group: number
  /** Whether the first digit holds the least significant bits. */
  readonly backwards?: boolean
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const ENCODINGS: Readonly<Record<string, Encoding>> = {
  base64: { bits: 6, digits: `${LETTERS}${LETTERS.toLowerCase()}0123456789+/`, group: 4 },
  base64url: { bits: 6, digits: `${LETTERS}${LETTERS.toLowerCase()}0123456789-_`, group: 4 },
  base32: { bits: 5, digits: `${LETTERS}234567`, group: 8 },
  base32hex: { bits: 5, digits: `0123456789${LETTERS.slice(0, 22)}`, group: 8 },
  base16: { bits: 4, digits: '0123456789ABCDEF', group: 2 },
  base2msbf: { bits: 1, digits: '01', group: 8 },
  base2lsbf: { bits: 1, digits: '01', group: 8, backwards: true },
}

const OPTIONS = 'd|decode i|ignore-garbage w|wrap='
/** Number of digits to process between two checks whether to yield to the event loop. */
const TURN = 64 * 1024

export const encodingCommands: readonly OwnCommand[] = [
  command('base32', { usage: 'base32 [OPTION]... [FILE]' }, (args, context) => run('base32', args, context)),
  command('basenc', { usage: 'basenc --ENCODING [OPTION]... [FILE]' }, (args, context) => run('basenc', args, context)),
]

async function run(command: string, args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const names = Object.keys(ENCODINGS)
  const given = parseOptions(command, args, command === 'base32' ? OPTIONS : `${OPTIONS} z85! ${names.join(' ')}`)
  if (given.has('z85')) throw new Failure(`--z85 is not supported in this shell: use one of --${names.join(' --')}`)
  checkOperands(command, given.operands, 0, 1)
  const encoding = ENCODINGS[command === 'base32' ? command : (given.last(...names) ?? '')]
  if (!encoding) throw new Failure("missing encoding type\nTry 'basenc --help' for more information.")
  const columns = given.value('w') ?? '76'
  if (!/^\d+$/.test(columns)) throw new Failure(`invalid wrap size: '${columns}'`)
  const name = given.operands[0] ?? '-'
  const data = await told(name, () => bytesNamed(context, name))
  const most = context.limits.maxOutputSize ?? Number.POSITIVE_INFINITY
  if ((data.length * 8) / encoding.bits > most) throw new Failure(`the output would be larger than the limit of ${most} bytes`)
  const report = new Report(command)
  const pace = new Pace(context)
  if (!given.has('d')) return report.result(wrapped(await encoded(data, encoding, pace), Number(columns)))
  const text = data.replaceAll('\n', '')
  const { bytes, valid } = await decoded(given.has('i') ? kept(text, encoding) : text, encoding, pace)
  if (!valid) report.fail('invalid input')
  return report.result(bytes)
}

async function encoded(data: string, { bits, digits, group, backwards }: Encoding, pace: Pace): Promise<string> {
  const out: string[] = []
  let [held, count] = [0, 0]
  for (let at = 0; at < data.length; at++) {
    if (at % TURN === 0) await pace.turn(TURN / 20)
    const byte = data.charCodeAt(at)
    held = ((held << 8) | (backwards ? reversed(byte) : byte)) & 0xffff
    for (count += 8; count >= bits; count -= bits) out.push(digits[(held >> (count - bits)) & ((1 << bits) - 1)] as string)
  }
  if (count > 0) out.push(digits[(held << (bits - count)) & ((1 << bits) - 1)] as string)
  return out.join('') + '='.repeat((group - (out.length % group)) % group)
}

const reversed = (byte: number): number => Number.parseInt([...byte.toString(2).padStart(8, '0')].reverse().join(''), 2)

function wrapped(text: string, columns: number): string {
  if (columns === 0 || text === '') return text
  return text.replace(new RegExp(`.{1,${columns}}`, 'g'), '$&\n')
}

const kept = (text: string, { digits }: Encoding): string =>
  Array.from(text, (digit) => (`${digits}=`.includes(digit) ? digit : '')).join('')

interface Decoded {
  readonly bytes: string
  readonly valid: boolean
}

/** Decodes a text. Like GNU, decodes everything before the first invalid character. */
async function decoded(text: string, encoding: Encoding, pace: Pace): Promise<Decoded> {
  const { bits, group, digits } = encoding
  const values = new Map(Array.from(digits, (digit, value) => [digit, value]))
  const out: string[] = []
  for (let at = 0; at < text.length; at += group) {
    if (at % TURN === 0) await pace.turn(TURN / 10)
    const part = text.slice(at, at + group)
    const isWhole = part.length === group
    const read = bytesIn(part.replace(/=+$/, ''), encoding, values)
    if (isWhole || bits === 6) out.push(read.bytes)
    if (!read.valid || !isWhole) return { bytes: out.join(''), valid: false }
  }
  return { bytes: out.join(''), valid: true }
}

function bytesIn(part: string, { bits, backwards, group }: Encoding, values: ReadonlyMap<string, number>): Decoded {
  let [held, count, bytes] = [0, 0, '']
  for (const digit of part) {
    const value = values.get(digit)
    if (value === undefined) return { bytes, valid: false }
    held = ((held << bits) | value) & 0xffff
    count += bits
    if (count < 8) continue
    count -= 8
    const byte = (held >> count) & 0xff
    bytes += String.fromCharCode(backwards ? reversed(byte) : byte)
  }
  // A valid short group has no surplus digit: fewer bits than one digit are left over.
  return { bytes, valid: part.length === group || (part.length > 0 && count < bits) }
}
