import { bytesOf } from './shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { pathOf, told } from './shared/files.js'
import { checkOperands, type Given, parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { quantity } from './shared/quantity.js'
import { bytesNamed, Report } from './shared/text-io.js'

const OPTIONS =
  'a|suffix-length= additional-suffix= b|bytes= C|line-bytes= d numeric-suffixes=? x hex-suffixes=? e|elide-empty-files l|lines= n|number= t|separator= ' +
  'u|unbuffered verbose filter=!'
const HINT = "Try 'split --help' for more information."

export const splitCommand: OwnCommand = command('split', { usage: 'split [OPTION]... [FILE [PREFIX]]' }, run)

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('split', args, OPTIONS, { number: 'l' })
  if (given.has('filter')) throw new Failure('--filter is not supported in this shell: use a loop over the files that split makes')
  checkOperands('split', given.operands, 0, 2)
  const [file = '-', prefix = 'x'] = given.operands
  const ways = ['l', 'b', 'C', 'n'].filter((id) => given.has(id))
  if (ways.length > 1) throw new Failure(`cannot split in more than one way\n${HINT}`)
  const cut = cutter(given)
  const names = namesOf(given, prefix)
  const data = await bytesNamed(context, file).catch((error: unknown) =>
    told(`cannot open '${file}' for reading`, async () => {
      throw error
    }),
  )
  const report = new Report('split')
  const { pieces, only } = cut(data)
  if (only !== undefined) return report.result(pieces[only] ?? '')
  const pace = new Pace(context)
  const out: string[] = []
  for (const piece of given.has('e') ? pieces.filter((each) => each !== '') : pieces) {
    await pace.turn(50)
    const name = names.next().value as string | undefined
    if (name === undefined) {
      report.fail('output file suffixes exhausted')
      break
    }
    if (given.has('verbose')) out.push(`creating file '${name}'\n`)
    await told(name, () => context.fs.writeFile(pathOf(context, name), bytesOf(piece)))
  }
  return report.result(out.join(''))
}

interface Pieces {
  readonly pieces: readonly string[]
  /** Index of the piece to print, if no files are written. */
  readonly only?: number | undefined
}

function cutter(given: Given): (data: string) => Pieces {
  const end = separatorOf(given)
  const chunks = given.value('n')
  if (chunks !== undefined) {
    const read = readChunks(chunks)
    return (data) => ({ pieces: chunked(data, read, end), only: read.only === undefined ? undefined : read.only - 1 })
  }
  const size = (id: string, what: string): number => {
    const text = given.value(id) ?? '1000'
    const value = quantity(text)
    if (!value || !Number.isFinite(value)) throw new Failure(`invalid number of ${what}: '${text}'`)
    return value
  }
  if (given.has('b')) {
    const bytes = size('b', 'bytes')
    return (data) => ({ pieces: Array.from({ length: Math.ceil(data.length / bytes) }, (_, i) => data.slice(i * bytes, (i + 1) * bytes)) })
  }
  const way = given.has('C') ? { bytes: size('C', 'bytes') } : { lines: size('l', 'lines') }
  return (data) => ({ pieces: piecesOfLines(data, end, way) })
}

function separatorOf(given: Given): string {
  const text = given.value('t') ?? '\n'
  if (text === '\\0') return '\0'
  if (text === '') throw new Failure('empty record separator')
  if (text.length > 1) throw new Failure(`multi-character separator '${text}'`)
  return text
}

function readChunks(text: string): Chunks {
  const found = /^(?:([lr])\/)?(?:(\d+)\/)?(\d+)$/.exec(text)
  const count = Number(found?.[3])
  const only = found?.[2] === undefined ? undefined : Number(found[2])
  if (!found || !(count >= 1) || count > 1_000_000) throw new Failure(`invalid number of chunks: '${found?.[3] ?? text}'`)
  if (only !== undefined && !(only >= 1 && only <= count)) throw new Failure(`invalid chunk number: '${only}'`)
  return { by: found[1] === 'l' ? 'lines' : found[1] === 'r' ? 'turns' : 'bytes', count, only }
}

/**
 * Yields the names of the output files: `xaa`, `xab` and so on. If neither `-a` nor another option fixes their length, `xyz` is followed by
 * the longer `xzaaa`.
 */
function* namesOf(given: Given, prefix: string): Generator<string> {
  const kind = given.last('d', 'numeric-suffixes', 'x', 'hex-suffixes')
  const digits =
    kind === undefined ? 'abcdefghijklmnopqrstuvwxyz' : kind.startsWith('x') || kind.startsWith('h') ? '0123456789abcdef' : '0123456789'
  const base = digits.length
  const start = kind === undefined ? undefined : given.value(kind)
  if (start !== undefined && !/^[0-9a-f]+$/.test(start))
    throw new Failure(`${start}: invalid start value for ${base === 10 ? 'numerical' : 'hexadecimal'} suffix`)
  const from = start === undefined ? 0 : Number.parseInt(start, base)
  const asked = given.value('a')
  if (asked !== undefined && !/^\d{1,2}$/.test(asked)) throw new Failure(`invalid suffix length: '${asked}'`)
  const chunks = Number(/(\d+)$/.exec(given.value('n') ?? '')?.[1] ?? 0)
  const needed = Math.max(2, chunks > 0 ? (chunks - 1 + from).toString(base).length : 0)
  const behind = given.value('additional-suffix') ?? ''
  if (behind.includes('/')) throw new Failure(`invalid suffix '${behind}', contains directory separator`)
  const grows = !Number(asked ?? 0) && chunks === 0 && start === undefined
  let [width, lead] = [Number(asked ?? 0) || needed, '']
  for (let number = from; ; number++) {
    if (grows && number >= (base - 1) * base ** (width - 1)) {
      lead += digits[base - 1]
      width++
      number = 0
    }
    if (number >= base ** width) return
    const text = Array.from(number.toString(base).padStart(width, '0'), (digit) => digits[Number.parseInt(digit, base)]).join('')
    yield prefix + lead + text + behind
  }
}

interface Chunks {
  readonly by: 'bytes' | 'lines' | 'turns'
  readonly count: number
  /** Number of the wanted chunk, from 1. */
  readonly only: number | undefined
}

/** Splits data into `count` parts. With `lines`, a line belongs to the part in which the line begins. */
function chunked(data: string, { by, count }: Chunks, end: string): string[] {
  if (by === 'turns') {
    const parts = Array.from({ length: count }, (): string[] => [])
    for (const [i, line] of linesWithEnds(data, end).entries()) parts[i % count]?.push(line)
    return parts.map((part) => part.join(''))
  }
  const size = by === 'bytes' ? Math.max(1, Math.floor(data.length / count)) : Math.floor(data.length / count)
  const pieces: string[] = []
  let at = 0
  for (let number = 1; number <= count; number++) {
    const border = number === count ? data.length : number * size
    let to = Math.max(at, Math.min(border, data.length))
    if (by === 'lines' && to > at) {
      const found = data.indexOf(end, to - 1)
      to = found < 0 ? data.length : found + 1
    }
    pieces.push(data.slice(at, to))
    at = to
  }
  return pieces
}

/** Splits data into pieces of `lines` lines, or of whole lines up to `bytes` bytes. A longer line is split. */
function piecesOfLines(data: string, end: string, way: { readonly lines: number } | { readonly bytes: number }): string[] {
  const pieces: string[] = []
  let [held, count] = ['', 0]
  const close = (): void => {
    if (held !== '') pieces.push(held)
    held = ''
    count = 0
  }
  for (const line of linesWithEnds(data, end)) {
    let rest = line
    if ('bytes' in way) {
      if (held.length + rest.length > way.bytes) close()
      for (; rest.length > way.bytes; rest = rest.slice(way.bytes)) pieces.push(rest.slice(0, way.bytes))
    } else if (count === way.lines) close()
    held += rest
    count++
  }
  close()
  return pieces
}

function linesWithEnds(data: string, end: string): string[] {
  const lines = data.split(end)
  const last = lines.pop() as string
  return [...lines.map((line) => line + end), ...(last === '' ? [] : [last])]
}
