import { Printout } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { command } from './shared/failure.js'
import { parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { eachSource, Report } from './shared/text-io.js'

const POLYNOMIAL = 0x04c11db7
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 24
  for (let bit = 0; bit < 8; bit++) sum = sum & 0x80000000 ? (sum << 1) ^ POLYNOMIAL : sum << 1
  return sum >>> 0
})

/** The POSIX checksum. Other algorithms have their own commands. */
export const cksumCommand: OwnCommand = command('cksum', { usage: 'cksum [FILE]...' }, async (args, context) => sums(args, context))

async function sums(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('cksum', args, 'z|zero', {
    hint: 'In this shell, cksum supports only -z: use md5sum, sha256sum and the like',
  })
  const { operands } = given
  const out = new Printout(context)
  const report = new Report('cksum', out)
  const pace = new Pace(context)
  for await (const { name, data } of eachSource(context, operands, report))
    out.put(`${await sumOf(data, pace)} ${data.length}${operands.length === 0 ? '' : ` ${packed(name)}`}${given.has('z') ? '\0' : '\n'}`)
  return report.result(out.text())
}

const TURN = 65_536

async function sumOf(data: string, pace: Pace): Promise<number> {
  let sum = 0
  const add = (byte: number): void => {
    sum = ((sum << 8) ^ (TABLE[((sum >>> 24) ^ byte) & 0xff] as number)) >>> 0
  }
  for (let from = 0; from < data.length; from += TURN) {
    const end = Math.min(data.length, from + TURN)
    for (let at = from; at < end; at++) add(data.charCodeAt(at))
    await pace.turn(TURN >> 7)
  }
  for (let length = data.length; length > 0; length = Math.floor(length / 256)) add(length & 0xff)
  return ~sum >>> 0
}

/** The BSD checksum with a count of 1024-byte blocks. With `-s`, the System V checksum with a count of 512-byte blocks. */
export const sumCommand: OwnCommand = command('sum', { usage: 'sum [OPTION]... [FILE]...' }, async (args, context) => {
  const given = parseOptions('sum', args, 'r s|sysv')
  const out = new Printout(context)
  const report = new Report('sum', out)
  for await (const { name, data } of eachSource(context, given.operands, report)) {
    const shown = given.operands.length === 0 ? '' : ` ${packed(name)}`
    const [sum, blocks] = [bsdSum(data), Math.ceil(data.length / 1024)].map(String)
    out.put(
      given.last('r', 's') === 's'
        ? `${sysvSum(data)} ${Math.ceil(data.length / 512)}${shown}\n`
        : `${sum?.padStart(5, '0')} ${blocks?.padStart(5)}${shown}\n`,
    )
  }
  return report.result(out.text())
})

function bsdSum(data: string): number {
  let sum = 0
  for (let at = 0; at < data.length; at++) sum = ((sum >> 1) + ((sum & 1) << 15) + data.charCodeAt(at)) & 0xffff
  return sum
}

function sysvSum(data: string): number {
  let sum = 0
  for (let at = 0; at < data.length; at++) sum += data.charCodeAt(at)
  const folded = (sum & 0xffff) + Math.floor((sum % 2 ** 32) / 2 ** 16)
  return (folded & 0xffff) + (folded >> 16)
}
