import { Printout } from './shared/bulk.js'
import type { CommandContext, OwnCommand } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { readNamed } from './shared/files.js'
import { parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { quantity } from './shared/quantity.js'
import { Report } from './shared/text-io.js'

const RUN = 65_536

export const cmpCommand: OwnCommand = command(
  'cmp',
  { usage: 'cmp [OPTION]... FILE1 [FILE2 [SKIP1 [SKIP2]]]', status: 2 },
  async (args, context) => {
    const hint = "cmp: Try 'cmp --help' for more information."
    const given = parseOptions('cmp', args, 'b|print-bytes i|ignore-initial= l|verbose n|bytes= s|quiet|silent', { status: 2, hint })
    const [first, second = '-', skip1, skip2, extra] = given.operands
    if (first === undefined) throw new Failure(`missing operand after 'cmp'\n${hint}`, 2)
    if (extra !== undefined) throw new Failure(`extra operand '${extra}'\n${hint}`, 2)
    const [ignore1, ignore2 = ignore1] = (given.value('i') ?? '').split(':')
    const limit = count(given.value('n'), '--bytes', Number.POSITIVE_INFINITY, hint)
    const sides = await readSides(context, first, second)
    if (sides === undefined) return { stdout: '', stderr: '', exitCode: 0 }
    const a = part(sides[0], count(skip1 ?? (ignore1 || undefined), '--ignore-initial', 0, hint), limit)
    const b = part(sides[1], count(skip2 ?? (ignore2 || undefined), '--ignore-initial', 0, hint), limit)
    const names = [first, second] as const
    if (given.has('l')) return list({ a, b, names, context, chars: given.has('b') })
    return differ({ a, b, names, context, chars: given.has('b') }, given.has('s'))
  },
)

interface Sides {
  readonly a: Uint8Array
  readonly b: Uint8Array
  readonly names: readonly [string, string]
  readonly context: CommandContext
  readonly chars: boolean
}

type Result = Awaited<ReturnType<OwnCommand['execute']>>

/** Reads both files. Returns undefined if both names are equal and the file exists. */
async function readSides(context: CommandContext, first: string, second: string): Promise<readonly [Uint8Array, Uint8Array] | undefined> {
  if (first === second && (await context.fs.exists(context.fs.resolvePath(context.cwd, first)))) return undefined
  return [await readNamed(context, first, 2), await readNamed(context, second, 2)]
}

const part = (bytes: Uint8Array, skip: number, limit: number): Uint8Array => bytes.subarray(skip, skip + limit)

function count(text: string | undefined, option: string, standard: number, hint: string): number {
  if (text === undefined) return standard
  const value = quantity(text)
  if (value === undefined) throw new Failure(`invalid ${option} value '${text}'\n${hint}`, 2)
  return value
}

async function differ({ a, b, names, context, chars }: Sides, silent: boolean): Promise<Result> {
  const at = await firstDifference(a, b, context)
  if (at < 0) return { stdout: '', stderr: '', exitCode: 0 }
  const length = Math.min(a.length, b.length)
  if (silent) return { stdout: '', stderr: '', exitCode: 1 }
  const lines = newlines(a.subarray(0, at))
  if (at === length)
    return { stdout: '', stderr: ended(a.length < b.length ? a : b, names[a.length < b.length ? 0 : 1], lines), exitCode: 1 }
  const [x, y] = [a[at] as number, b[at] as number]
  const values = chars ? ` is ${octal(x)} ${visible(x)} ${octal(y)} ${visible(y)}` : ''
  return { stdout: `${names[0]} ${names[1]} differ: byte ${at + 1}, line ${lines + 1}${values}\n`, stderr: '', exitCode: 1 }
}

function ended(shorter: Uint8Array, name: string, lines: number): string {
  if (shorter.length === 0) return `cmp: EOF on ${name} which is empty\n`
  const whole = shorter.at(-1) === 10
  return `cmp: EOF on ${name} after byte ${shorter.length}, ${whole ? `line ${lines}` : `in line ${lines + 1}`}\n`
}

async function list({ a, b, names, context, chars }: Sides): Promise<Result> {
  const length = Math.min(a.length, b.length)
  const width = String(Math.min(a.length, b.length)).length
  const pace = new Pace(context)
  const out = new Printout(context)
  for (let at = 0; at < length; at++) {
    const [x, y] = [a[at] as number, b[at] as number]
    if (x !== y) {
      const marks = chars ? [visible(x).padEnd(4), visible(y)] : []
      out.put(`${[String(at + 1).padStart(width), octal(x), ...marks.slice(0, 1), octal(y), ...marks.slice(1)].join(' ')}\n`)
    }
    if (at % 4096 === 0) await pace.turn(1000)
  }
  const report = new Report('cmp')
  report.say(a.length === b.length ? '' : shorterBytes(a, b, names))
  return report.result(out.text(), out.length === 0 && !report.spoke ? 0 : 1)
}

function shorterBytes(a: Uint8Array, b: Uint8Array, names: readonly [string, string]): string {
  const [shorter, name] = a.length < b.length ? [a, names[0]] : [b, names[1]]
  return shorter.length === 0 ? `cmp: EOF on ${name} which is empty\n` : `cmp: EOF on ${name} after byte ${shorter.length}\n`
}

/**
 * Returns the offset of the first difference, or the length of the shorter input if it is a prefix of the other, or -1 if both are equal.
 */
async function firstDifference(a: Uint8Array, b: Uint8Array, context: CommandContext): Promise<number> {
  const length = Math.min(a.length, b.length)
  const pace = new Pace(context)
  for (let from = 0; from < length; from += RUN) {
    const end = Math.min(length, from + RUN)
    for (let at = from; at < end; at++) if (a[at] !== b[at]) return at
    await pace.turn(RUN / 500)
  }
  return a.length === b.length ? -1 : length
}

function newlines(bytes: Uint8Array): number {
  let count = 0
  for (const byte of bytes) if (byte === 10) count++
  return count
}

const octal = (byte: number): string => byte.toString(8).padStart(3)

/** Formats a byte like `cat -v`. */
function visible(byte: number): string {
  if (byte >= 128) return `M-${visible(byte - 128)}`
  if (byte === 127) return '^?'
  return byte < 32 ? `^${String.fromCharCode(byte + 64)}` : String.fromCharCode(byte)
}
