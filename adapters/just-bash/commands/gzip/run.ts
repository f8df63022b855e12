import { Printout } from '../shared/bulk.js'
import { bytesOf } from '../shared/bytes.js'
import type { CommandContext, OwnResult } from '../shared/command.js'
import { errorWords } from '../shared/errno.js'
import { Failure } from '../shared/failure.js'
import { pathOf, statOf } from '../shared/files.js'
import { type Given, parseOptions } from '../shared/options.js'
import { Pace } from '../shared/pace.js'
import { pacedBinary, Report } from '../shared/text-io.js'
import { formatTime } from '../shared/time/format.js'
import { zoneOf } from '../shared/time/zone.js'
import { compressed, decompressed, headerOf, isGzip, type MemberHeader } from './members.js'

const SPECS =
  'c|stdout|to-stdout d|decompress|uncompress f|force k|keep l|list n|no-name N|name q|quiet r|recursive S|suffix= t|test v|verbose ' +
  '1|fast 2 3 4 5 6 7 8 9|best'
const WARNING = 2

/** A warning about one file. The command continues with the next file. */
class Warning extends Failure {
  constructor(message: string) {
    super(message, WARNING)
  }
}

/** An error in the compressed data. Like gzip, starts the message on a new line. */
class BadData extends Failure {}

interface Run {
  readonly context: CommandContext
  readonly pace: Pace
  readonly given: Given
  readonly unpacks: boolean
  readonly toOutput: boolean
  readonly suffix: string
  readonly out: Printout
  readonly report: Report
  /** Totals of `-l`: `packed` and `plain` are sums, `frame` belongs to the last file. */
  readonly total: { packed: number; plain: number; frame: number }
  /** Whether a warning was printed although the file was processed. */
  warned: boolean
}

export async function runGzip(name: 'gzip' | 'gunzip' | 'zcat', args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions(name, args, SPECS, { hint: `Try \`${name} --help' for more information.` })
  const out = new Printout(context)
  const run: Run = {
    context,
    pace: new Pace(context),
    given,
    unpacks: name !== 'gzip' || given.has('d') || given.has('l') || given.has('t'),
    toOutput: name === 'zcat' || given.has('c'),
    suffix: given.value('S') ?? '.gz',
    out,
    report: new Report('gzip', out),
    total: { packed: 0, plain: 0, frame: 0 },
    warned: false,
  }
  if (given.has('l') && !given.has('q')) {
    const before = given.has('v') ? 'method  crc     date  time  ' : ''
    run.out.put(`${before}         compressed        uncompressed  ratio uncompressed_name\n`)
  }
  let status = 0
  let names = given.operands.length > 0 ? [...given.operands] : ['-']
  for (let file = names.shift(); file !== undefined; file = names.shift()) {
    try {
      if (given.has('r') && (await statOf(context, file))?.isDirectory) names = [...(await within(context, file)), ...names]
      else await one(run, file)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (!(error instanceof Warning && given.has('q'))) run.report.say(`${error instanceof BadData ? '\n' : ''}gzip: ${error.message}\n`)
      status = status === 1 ? 1 : error.status
    }
  }
  if (given.has('l') && given.operands.length > 1) {
    const { packed, plain, frame } = run.total
    run.out.put(`${given.has('v') ? ' '.repeat(28) : ''}${sizes(packed, plain, frame)} (totals)\n`)
  }
  const exitCode = status === 0 && run.warned ? WARNING : status
  return run.report.result(out.text(), exitCode)
}

async function within({ fs, cwd }: CommandContext, name: string): Promise<string[]> {
  const entries = await fs.readdirWithFileTypes(fs.resolvePath(cwd, name))
  return entries.filter(({ isSymbolicLink }) => !isSymbolicLink).map((entry) => `${name.replace(/\/$/, '')}/${entry.name}`)
}

async function one(run: Run, given: string): Promise<void> {
  if (given === '-') return input(run)
  const { context, unpacks, toOutput, suffix } = run
  const name = unpacks ? await packedName(run, given) : given
  const stat = await statOf(context, name)
  if (!stat) throw new Failure(`${name}: No such file or directory`)
  if (stat.isDirectory) throw new Warning(`${name} is a directory -- ignored`)
  const replaces = !toOutput && !run.given.has('t') && !run.given.has('l')
  if (replaces && !run.given.has('f') && (await statOf(context, name, false))?.isSymbolicLink)
    throw new Failure(`${name}: Too many levels of symbolic links`)
  if (!unpacks && !toOutput && !run.given.has('f') && name.endsWith(suffix)) {
    if (!run.given.has('q')) run.report.say(`gzip: ${name} already has ${suffix} suffix -- unchanged\n`)
    return
  }
  let target = replaces ? targetOf(run, name) : undefined
  const bytes = await context.fs.readFileBuffer(pathOf(context, name)).catch((error: unknown) => {
    throw new Failure(`${name}: ${errorWords(error)}`)
  })
  const result = unpacks ? await unpacked(run, name, bytes) : await compressed(bytes, run.pace, headerFor(run.given, name, stat.mtime))
  if (run.given.has('l')) run.out.put(listLine(run, { bytes, result, name, mtime: stat.mtime }))
  // Use only the base name that is stored in the file, so that nothing is written to another directory.
  if (target !== undefined && keepsName(run) && isGzip(bytes, 0)) target = target.replace(/[^/]*$/, (own) => headerOf(bytes).name || own)
  if (run.given.has('t') && run.given.has('v')) run.report.say(`${name}:\t OK\n`)
  if (toOutput && !run.given.has('t') && !run.given.has('l')) run.out.put(await pacedBinary(context, result))
  if (target !== undefined) await replace(run, { name, target, result, bytes })
}

/** Whether decompression restores the stored name and time (`-N`). */
const keepsName = ({ unpacks, given }: Run): boolean => unpacks && given.last('n', 'N') === 'N'

function headerFor(given: Given, name: string, mtime: Date): MemberHeader {
  const level = given.options.findLast(({ id }) => /^\d$/.test(id))?.id
  const effort = level === '9' ? 2 : level === '1' ? 4 : 0
  if (given.last('n', 'N') === 'n') return { mtimeSeconds: 0, effort }
  return { name: name.replace(/^.*\//s, ''), mtimeSeconds: Math.floor(mtime.getTime() / 1000), effort }
}

interface Replacing {
  readonly name: string
  readonly target: string
  readonly result: Uint8Array
  readonly bytes: Uint8Array
}

async function replace(run: Run, { name, target, result, bytes }: Replacing): Promise<void> {
  const { context, given, unpacks, report } = run
  const { fs } = context
  const path = pathOf(context, target)
  const there = await statOf(context, target)
  if (there?.isDirectory || (there && !given.has('f'))) throw new Warning(`${target} already exists;\tnot overwritten`)
  const stat = await fs.stat(pathOf(context, name))
  try {
    await fs.writeFile(path, result)
  } catch (error) {
    throw new Failure(`${target}: ${errorWords(error)}`)
  }
  await fs.chmod(path, stat.mode).catch(() => undefined)
  const stored = keepsName(run) && isGzip(bytes, 0) ? headerOf(bytes).mtimeSeconds : 0
  const mtime = stored === 0 ? stat.mtime : new Date(stored * 1000)
  await fs.utimes(path, mtime, mtime).catch(() => undefined)
  if (!given.has('k')) await fs.rm(pathOf(context, name))
  const [packed, plain] = unpacks ? [bytes, result] : [result, bytes]
  const what = given.has('k') ? 'created' : 'replaced with'
  if (given.has('v')) report.say(`${name}:\t${ratio(packed.length, plain.length, frameOf(packed))} -- ${what} ${target}\n`)
}

/** Returns the name if a file of this name exists, or else the name with the suffix. */
async function packedName({ context, suffix }: Run, name: string): Promise<string> {
  if (await statOf(context, name)) return name
  return name.endsWith(suffix) ? name : `${name}${suffix}`
}

function targetOf({ unpacks, suffix }: Run, name: string): string {
  if (!unpacks) return `${name}${suffix}`
  for (const [end, instead] of [
    [suffix, ''],
    ['.gz', ''],
    ['-gz', ''],
    ['.z', ''],
    ['-z', ''],
    ['.tgz', '.tar'],
    ['.taz', '.tar'],
  ] as const) {
    if (name.endsWith(end) && name.length > end.length && !name.endsWith(`/${end}`)) return `${name.slice(0, -end.length)}${instead}`
  }
  throw new Warning(`${name}: unknown suffix -- ignored`)
}

async function input(run: Run): Promise<void> {
  const bytes = bytesOf(run.context.stdin)
  const effort = headerFor(run.given, '', new Date(0))
  const result = run.unpacks ? await unpacked(run, 'stdin', bytes) : await compressed(bytes, run.pace, { ...effort, name: undefined })
  if (run.given.has('l')) run.out.put(listLine(run, { bytes, result, name: 'stdout', mtime: new Date(0) }))
  else if (!run.given.has('t')) run.out.put(await pacedBinary(run.context, result))
}

async function unpacked(run: Run, name: string, bytes: Uint8Array): Promise<Uint8Array> {
  const { context, given, pace, toOutput } = run
  // Like gzip, `-f` passes uncompressed data through.
  if (given.has('f') && (toOutput || name === 'stdin') && !isGzip(bytes, 0)) return bytes
  const most = context.limits.maxOutputSize ?? Number.POSITIVE_INFINITY
  try {
    if (bytes.length === 0) throw new Failure('unexpected end of file')
    const { bytes: result, garbage } = await decompressed(bytes, pace, most)
    run.warned ||= garbage
    if (garbage && !given.has('q')) run.report.say(`\ngzip: ${name}: decompression OK, trailing garbage ignored\n`)
    return result
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new BadData(`${name}: ${error.message}`)
  }
}

const TRAILER = 8

/** Returns the number of bytes of the gzip header and trailer, which compression ratios exclude. */
const frameOf = (packed: Uint8Array): number => (isGzip(packed, 0) ? headerOf(packed).end : 0) + TRAILER

interface Listed {
  readonly bytes: Uint8Array
  readonly result: Uint8Array
  readonly name: string
  readonly mtime: Date
}

function listLine(run: Run, { bytes, result, name, mtime }: Listed): string {
  const { given, suffix, total } = run
  const header = headerOf(bytes)
  const own = name.endsWith(suffix) ? name.slice(0, -suffix.length) : name
  const shown = keepsName(run) ? own.replace(/[^/]*$/, (last) => header.name || last) : own
  const frame = frameOf(bytes)
  Object.assign(total, { packed: total.packed + bytes.length, plain: total.plain + result.length, frame })
  let details = ''
  if (given.has('v')) {
    const crc = new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - TRAILER, true)
    const ms = keepsName(run) && header.mtimeSeconds > 0 ? header.mtimeSeconds * 1000 : mtime.getTime()
    details = `defla ${crc.toString(16).padStart(8, '0')} ${formatTime(ms, '%b %e %H:%M', zoneOf(run.context.env))} `
  }
  return `${details}${sizes(bytes.length, result.length, frame)} ${shown}\n`
}

const sizes = (packed: number, plain: number, frame: number): string =>
  `${String(packed).padStart(19)} ${String(plain).padStart(19)} ${ratio(packed, plain, frame)}`

function ratio(packed: number, plain: number, frame: number): string {
  const saved = plain === 0 ? 0 : ((plain - (packed - frame)) / plain) * 100
  return `${saved.toFixed(1).padStart(5)}%`
}
