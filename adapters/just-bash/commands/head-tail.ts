import { Printout } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { deviceBytes } from './shared/devices.js'
import { errorWords } from './shared/errno.js'
import { command, Failure } from './shared/failure.js'
import { pathOf } from './shared/files.js'
import { type Given, parseOptions } from './shared/options.js'
import { Pace, Stopped } from './shared/pace.js'
import { quantity } from './shared/quantity.js'
import { bytesNamed, pacedBinary, Report } from './shared/text-io.js'

interface Amount {
  readonly unit: 'n' | 'c'
  readonly count: number
  /** `-`: `head` prints all but the last `count` units. `+`: `tail` prints from unit number `count` on. */
  readonly sign: '' | '-' | '+'
}

export const headCommand: OwnCommand = command('head', { usage: 'head [OPTION]... [FILE]...' }, (args, context) =>
  run('head', args, context, async (data, amount, end, pace) => {
    const place = await (amount.sign === '-' ? fromEnd(data, amount, end, pace) : fromStart(data, amount, end, pace))
    return [0, place]
  }),
)

export const tailCommand: OwnCommand = command('tail', { usage: 'tail [OPTION]... [FILE]...' }, (args, context) =>
  run('tail', args, context, async (data, amount, end, pace) => {
    const place = await (amount.sign === '+'
      ? fromStart(data, { ...amount, count: Math.max(0, amount.count - 1) }, end, pace)
      : fromEnd(data, amount, end, pace))
    return [place, data.length]
  }),
)

async function run(
  name: 'head' | 'tail',
  args: readonly string[],
  context: CommandContext,
  cut: (data: Content, amount: Amount, end: string, pace: Pace) => Promise<readonly [from: number, to: number]>,
): Promise<OwnResult> {
  const extra = name === 'tail' ? ' f|follow=?! F! retry pid= s|sleep-interval= max-unchanged-stats=' : ''
  const old = oldForm(name, args)
  const given = parseOptions(name, old, `n|lines= c|bytes= q|quiet|silent v|verbose z|zero-terminated${extra}`)
  if (given.last('f', 'F')) throw new Failure('cannot follow a file: this shell shows the output of a command when it ends. Leave out -f')
  const pause = given.value('s')
  if (pause !== undefined && !/^(?:\d+\.?\d*|\.\d+)$/.test(pause)) throw new Failure(`invalid number of seconds: '${pause}'`)
  const amount = amountOf(name, given)
  const names = given.operands.length === 0 ? ['-'] : given.operands
  const headed = given.last('q', 'v') === 'v' || (given.last('q', 'v') !== 'q' && names.length > 1)
  const out = new Printout(context)
  const report = new Report(name, out)
  const pace = new Pace(context)
  // `head` consumes only the input that it prints, so that the next command reads the rest.
  const leavesRest = name === 'head' && names.length === 1 && amount.sign === '' && !headed
  for (const file of names) {
    try {
      const count = amount.unit === 'c' && amount.sign === '' ? amount.count : undefined
      const device = name === 'head' ? await deviceBytes(context, file, count, '-c') : undefined
      const data = device ?? (file === '-' ? await bytesNamed(context, file) : await context.fs.readFileBuffer(pathOf(context, file)))
      if (headed) out.put(`${out.length > 0 ? '\n' : ''}==> ${file === '-' ? 'standard input' : bytesOfName(file)} <==\n`)
      const [from, to] = await cut(contentOf(data), amount, given.has('z') ? '\0' : '\n', pace)
      out.put(typeof data === 'string' ? data.slice(from, to) : await pacedBinary(context, data.subarray(from, to)))
    } catch (error) {
      if (error instanceof Stopped || error instanceof Failure) throw error
      const words = errorWords(error)
      report.fail(words === 'Is a directory' ? `error reading '${file}': ${words}` : `cannot open '${file}' for reading: ${words}`)
    }
  }
  const result = report.result(out.text())
  return leavesRest ? { ...result, inputTaken: result.stdout.length } : result
}

/** Number of lines to process between two checks whether to yield to the event loop. */
const TURN = 65_536

const bytesOfName = packed

/** Converts an old first argument, such as `-5`, `-5c`, `-5q` and, for `tail`, `+5`, to options. */
function oldForm(name: string, [first, ...rest]: readonly string[]): string[] {
  if (first === undefined) return []
  const found = (name === 'tail' ? /^([-+]\d+)([cl]?)$/ : /^(-\d+)([clqvz]*)$/).exec(first)
  if (!found) return [first, ...rest]
  const [, number = '', letters = ''] = found
  if (name === 'tail' && number.startsWith('-') && rest.length > (rest[0] === '--' ? 2 : 1))
    throw new Failure(`option used in invalid context -- ${number[1]}. Use -n ${number.slice(1)}`)
  const others = letters.replace(/[cl]/g, '')
  return [`-${letters.includes('c') ? 'c' : 'n'}${number.replace('-', '')}`, ...(others === '' ? [] : [`-${others}`]), ...rest]
}

function amountOf(name: string, given: Given): Amount {
  const unit = (given.last('n', 'c') ?? 'n') as 'n' | 'c'
  const text = given.value(unit) ?? '10'
  const sign = /^[-+]/.exec(text)?.[0] ?? ''
  const count = quantity(text.slice(sign.length))
  if (count === undefined) throw new Failure(`invalid number of ${unit === 'n' ? 'lines' : 'bytes'}: '${text}'`)
  // `+5` means `5` for `head`, and `-5` means `5` for `tail`.
  return { unit, count, sign: (sign === '-') === (name === 'head') ? (sign as '-' | '+' | '') : '' }
}

/** The bytes of a file, or the input string. Only the printed part of a file is converted to a string. */
interface Content {
  readonly length: number
  indexOf(end: string, from: number): number
  lastIndexOf(end: string, from: number): number
}

function contentOf(data: string | Uint8Array): Content {
  if (typeof data === 'string') return data
  return {
    length: data.length,
    indexOf: (end, from) => data.indexOf(end.charCodeAt(0), from),
    lastIndexOf: (end, from) => data.lastIndexOf(end.charCodeAt(0), from),
  }
}

async function fromStart(data: Content, { unit, count }: Amount, end: string, pace: Pace): Promise<number> {
  if (unit === 'c') return Math.min(count, data.length)
  let at = 0
  for (let i = 0; i < count; i++) {
    if (i % TURN === TURN - 1) await pace.turn(TURN / 50)
    const next = data.indexOf(end, at)
    if (next < 0) return data.length
    at = next + 1
  }
  return at
}

/** Returns the index where the last `count` units begin. */
async function fromEnd(data: Content, { unit, count }: Amount, end: string, pace: Pace): Promise<number> {
  if (unit === 'c') return Math.max(0, data.length - count)
  if (count === 0) return data.length
  let at = data.length > 0 && data.indexOf(end, data.length - 1) >= 0 ? data.length - 1 : data.length
  for (let i = 0; i < count; i++) {
    if (at <= 0) return 0
    if (i % TURN === TURN - 1) await pace.turn(TURN / 50)
    at = data.lastIndexOf(end, at - 1)
    if (at < 0) return 0
  }
  return at + 1
}
