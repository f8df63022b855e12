import { bytesOf } from './shared/bytes.js'
import type { CommandContext, OwnCommand } from './shared/command.js'
import { deviceBytes, isDevice } from './shared/devices.js'
import { command, Failure } from './shared/failure.js'
import { pathOf, statOf, told } from './shared/files.js'
import { hostOf, Pace } from './shared/pace.js'
import { pacedBinary } from './shared/text-io.js'

const HINT = "Try 'dd --help' for more information."
const CONVERSIONS = new Set(['notrunc', 'nocreat', 'excl', 'ucase', 'lcase', 'swab', 'sync', 'noerror', 'fsync', 'fdatasync'])
const FLAGS = new Set(['count_bytes', 'skip_bytes', 'seek_bytes', 'fullblock', 'append', 'nonblock', 'sync', 'dsync', 'direct', 'noatime'])
const LEVELS = new Set(['none', 'noxfer', 'progress'])
const POWERS = 'kMGTPE'

export const ddCommand: OwnCommand = command('dd', { usage: 'dd [OPERAND]...' }, async (args, context) => {
  const plan = readOperands(args)
  const started = hostOf(context).now()
  const source = await readSource(plan, context)
  const from = plan.skip * (plan.iflag.has('skip_bytes') ? 1 : plan.ibs)
  const most = plan.count === undefined ? undefined : plan.count * (plan.iflag.has('count_bytes') ? 1 : plan.ibs)
  if (most !== undefined && most > limitOf(context)) throw new Failure('memory exhausted by input buffer: give a lower bs= or count=')
  const taken = await source(from, most)
  const content = await converted(taken, plan, new Pace(context))
  const stdout = await writeTo(plan, content, context)
  const seconds = Math.max(0, hostOf(context).now() - started) / 1000
  return { stdout, stderr: report(plan, taken.length, content.length, seconds), exitCode: 0, stdoutKind: 'bytes' }
})

interface Plan {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly ibs: number
  readonly obs: number
  readonly count: number | undefined
  readonly skip: number
  readonly seek: number
  readonly conv: ReadonlySet<string>
  readonly iflag: ReadonlySet<string>
  readonly oflag: ReadonlySet<string>
  readonly status: string | undefined
}

const NAMES = new Set(['if', 'of', 'bs', 'ibs', 'obs', 'count', 'skip', 'iseek', 'seek', 'oseek', 'conv', 'iflag', 'oflag', 'status'])

function readOperands(args: readonly string[]): Plan {
  const values = new Map<string, string>()
  for (const arg of args) {
    const [, name, value] = /^([a-z]+)=(.*)$/s.exec(arg) ?? []
    if (name === undefined || value === undefined || !NAMES.has(name)) throw new Failure(`unrecognized operand '${arg}'\n${HINT}`)
    values.set(name, value)
  }
  const size = (name: string, standard: number): number => {
    const text = values.get(name)
    if (text === undefined) return standard
    const value = ddNumber(text)
    if (value === undefined || value === 0) throw new Failure(`invalid number: '${text}'`)
    return value
  }
  const amount = (...names: readonly string[]): number | undefined => {
    const text = names.map((name) => values.get(name)).find((value) => value !== undefined)
    const value = text === undefined ? undefined : ddNumber(text)
    if (text !== undefined && value === undefined) throw new Failure(`invalid number: '${text}'`)
    return value
  }
  const status = values.get('status')
  if (status !== undefined && !LEVELS.has(status)) throw new Failure(`invalid status level: '${status}'\n${HINT}`)
  return {
    from: values.get('if'),
    to: values.get('of'),
    ibs: size('bs', size('ibs', 512)),
    obs: size('bs', size('obs', 512)),
    count: amount('count'),
    skip: amount('skip', 'iseek') ?? 0,
    seek: amount('seek', 'oseek') ?? 0,
    conv: words(values.get('conv'), CONVERSIONS, 'conversion'),
    iflag: words(values.get('iflag'), FLAGS, 'input flag'),
    oflag: words(values.get('oflag'), FLAGS, 'output flag'),
    status,
  }
}

function words(text: string | undefined, known: ReadonlySet<string>, what: string): ReadonlySet<string> {
  const found = text === undefined ? [] : text.split(',')
  const unknown = found.find((word) => !known.has(word))
  if (unknown !== undefined) throw new Failure(`invalid ${what}: '${unknown}'\n${HINT}`)
  return new Set(found)
}

/** Parses `2x512`, `1k`, `1kB`, `1K`, `4b`, `3c` or `2w`. */
function ddNumber(text: string): number | undefined {
  let product = 1
  for (const factor of text.split('x')) {
    const [, digits, unit, power, base] = /^(\d+)(?:([cwb])|([kKMGTPE])(iB|B)?|B)?$/.exec(factor) ?? []
    if (digits === undefined) return undefined
    const scale = power
      ? (base === 'B' ? 1000 : 1024) ** (POWERS.indexOf(power === 'K' ? 'k' : power) + 1)
      : unit === 'b'
        ? 512
        : unit === 'w'
          ? 2
          : 1
    product *= Number(digits) * scale
  }
  return product
}

const limitOf = ({ limits }: CommandContext): number => limits.maxOutputSize ?? 64 * 1024 * 1024

type Take = (from: number, most: number | undefined) => Uint8Array | Promise<Uint8Array>

async function readSource({ from }: Plan, context: CommandContext): Promise<Take> {
  if (isDevice(from)) return async (_, most) => (await deviceBytes(context, from, most, 'count=')) as Uint8Array
  const bytes = await inputBytes(from, context)
  return (start, most) => bytes.subarray(start, most === undefined ? undefined : start + most)
}

async function inputBytes(from: string | undefined, context: CommandContext): Promise<Uint8Array> {
  if (from === undefined || from === '/dev/stdin') return bytesOf(context.stdin)
  const stat = await statOf(context, from)
  if (stat?.isDirectory) throw new Failure(`error reading '${from}': Is a directory`)
  return told(`failed to open '${from}'`, () => context.fs.readFileBuffer(pathOf(context, from)))
}

/** Number of bytes to process between two checks whether to yield to the event loop. */
const TURN = 65_536

async function converted(bytes: Uint8Array, { conv, ibs }: Plan, pace: Pace): Promise<Uint8Array> {
  let result = bytes
  if (conv.has('sync') && bytes.length % ibs > 0) {
    result = new Uint8Array(Math.ceil(bytes.length / ibs) * ibs)
    result.set(bytes)
  }
  const [swaps, upper, lower] = [conv.has('swab'), conv.has('ucase'), conv.has('lcase')]
  if (!swaps && !upper && !lower) return result
  const made = new Uint8Array(result.length)
  for (let at = 0; at < made.length; at++) {
    if (at % TURN === 0) await pace.turn(TURN >> 4)
    const other = at % 2 === 1 ? at - 1 : at + 1
    const byte = result[swaps && other < made.length ? other : at] as number
    made[at] = upper && byte >= 97 && byte <= 122 ? byte - 32 : lower && byte >= 65 && byte <= 90 ? byte + 32 : byte
  }
  return made
}

/** Writes the content to the file of `of=`. Without such a file, resolves to the content, for standard output. */
async function writeTo(plan: Plan, content: Uint8Array, context: CommandContext): Promise<string> {
  const { to, conv, oflag } = plan
  if (to === undefined || to === '/dev/stdout') return pacedBinary(context, content)
  const path = pathOf(context, to)
  const stat = await statOf(context, to)
  const refuse = `failed to open '${to}'`
  if (stat?.isDirectory) throw new Failure(`${refuse}: Is a directory`)
  if (stat && conv.has('excl')) throw new Failure(`${refuse}: File exists`)
  if (!stat && conv.has('nocreat')) throw new Failure(`${refuse}: No such file or directory`)
  if (to === '/dev/null') return ''
  const at = plan.seek * (oflag.has('seek_bytes') ? 1 : plan.obs)
  if (at + content.length > limitOf(context)) throw new Failure(`failed to truncate to ${at} bytes in output file '${to}': File too large`)
  const keeps = stat && (conv.has('notrunc') || oflag.has('append') || at > 0)
  const old = keeps ? await told(refuse, () => context.fs.readFileBuffer(path)) : new Uint8Array()
  await told(refuse, () => context.fs.writeFile(path, placed(old, content, oflag.has('append') ? old.length : at, conv.has('notrunc'))))
  return ''
}

/** Returns the new content of the file. `keepEnd` (`conv=notrunc`): keeps old bytes after the written ones. */
function placed(old: Uint8Array, content: Uint8Array, at: number, keepEnd: boolean): Uint8Array {
  const end = at + content.length
  const all = new Uint8Array(keepEnd ? Math.max(end, old.length) : end)
  all.set(old.subarray(0, all.length))
  all.set(content, at)
  return all
}

function report({ ibs, obs, status }: Plan, read: number, written: number, seconds: number): string {
  if (status === 'none') return ''
  const records = (bytes: number, size: number): string => `${Math.floor(bytes / size)}+${bytes % size > 0 ? 1 : 0}`
  const counts = `${records(read, ibs)} records in\n${records(written, obs)} records out\n`
  if (status === 'noxfer') return counts
  const sizes =
    written < 1000 ? '' : ` (${[scaled(written, 1000, 'B'), ...(written < 1024 ? [] : [scaled(written, 1024, 'iB')])].join(', ')})`
  const rate = seconds > 0 ? scaled(written / seconds, 1000, 'B') : 'Infinity B'
  return `${counts}${written} byte${written === 1 ? '' : 's'}${sizes} copied, ${Number(seconds.toPrecision(6))} s, ${rate}/s\n`
}

function scaled(value: number, base: number, unit: string): string {
  let power = 0
  let rest = value
  for (; rest >= base && power < 6; power++) rest /= base
  const digits = rest < 10 && power > 0 ? rest.toFixed(1) : String(Math.round(rest))
  const letter = power === 0 ? '' : (base === 1000 ? 'kMGTPE' : 'KMGTPE')[power - 1]
  return `${digits} ${letter}${power === 0 ? 'B' : unit}`
}
