import { Printout } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { statOf } from './shared/files.js'
import { type Given, parseOptions } from './shared/options.js'
import { hostOf, Pace } from './shared/pace.js'
import { codingOf, linesOf, Report, readSources } from './shared/text-io.js'
import { formatTime } from './shared/time/format.js'
import { zoneOf } from './shared/time/zone.js'

const OPTIONS =
  'columns= a|across d|double-space h|header= l|length= m|merge n|number-lines=? o|indent= s|separator=? t|omit-header T|omit-pagination ' +
  'w|width= r|no-file-warnings F! f|form-feed!'
/** Number of header and trailer lines per page. */
const FRAME = 10
const TRAILER = 5
const TAB = 8
const MOST_WIDTH = 2000

export const prCommand: OwnCommand = command('pr', { usage: 'pr [OPTION]... [FILE]...' }, run)

interface Layout {
  readonly columns: number
  /** Width of a column. If undefined, the column is as wide as its text. */
  readonly width: number | undefined
  readonly separator: string | undefined
  readonly across: boolean
  /** Number of body lines per page. */
  readonly rows: number
}

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('pr', args, OPTIONS, { number: 'columns' })
  const merges = given.has('m')
  const columns = merges ? given.operands.length : numberOf(given, 'columns', 1)
  if (merges && given.has('columns')) throw new Failure('cannot specify number of columns when printing in parallel')
  if (given.has('a') && merges) throw new Failure('cannot specify both printing across and printing in parallel')
  const length = numberOf(given, 'l', 66)
  const bare = given.has('t') || given.has('T') || length <= FRAME
  if (!bare && (columns > 1 || given.has('d'))) throw new Failure('columns and -d have no headers in this shell: add -t')
  if (columns > 1 && given.has('o')) throw new Failure('-o is not supported with columns in this shell: use sed')
  if (columns > 1 && given.has('n')) throw new Failure('-n is not supported with columns in this shell: number the lines with nl first')
  if (given.has('f') || given.has('F')) throw new Failure('form feeds are not supported in this shell: leave -f and -F out')
  const width = numberOf(given, 'w', 72)
  const separator = given.has('s') ? packed(given.value('s') ?? '\t') : undefined
  const cell = separator === undefined || given.has('w') ? Math.floor((width - (columns - 1)) / columns) : undefined
  if (width > MOST_WIDTH || columns > MOST_WIDTH) throw new Failure(`pages wider than ${MOST_WIDTH} columns are not supported here`)
  if (cell !== undefined && cell < 1) throw new Failure('page width too narrow')
  const layout: Layout = {
    columns,
    width: columns > 1 ? cell : undefined,
    separator,
    across: given.has('a'),
    rows: bare ? length : length - FRAME,
  }
  const report = new Report('pr')
  const sources = await readSources(context, given.operands, report)
  const { decode, encode } = codingOf(
    sources.map(({ data }) => data),
    context.env,
  )
  const pace = new Pace(context)
  const files = sources.map(({ name, data }) => ({ name, lines: linesOf(decode(data)) }))
  const indent = ' '.repeat(given.has('o') ? numberOf(given, 'o', 0) : 0)
  const out = new Printout(context)
  const groups = merges ? [files] : files.map((file) => [file])
  for (const group of groups) {
    await pace.turn(1000)
    const texts = group.map((file) => file.lines)
    const number = given.has('n') ? numbering(given.value('n')) : (line: string): string => line
    const shown: string[] = []
    let at = 0
    for (const line of rowsOf(texts, layout, merges)) {
      await pace.turn(columns + (line.length >> 5))
      const text = number(line, at++)
      const whole = text === '' ? '' : indent + text
      shown.push(whole)
      if (given.has('d')) shown.push('')
      if (bare) out.put(`${whole}\n${given.has('d') ? '\n' : ''}`)
    }
    if (!bare) out.put(await paged(shown, group[0]?.name ?? '-', { given, context, layout, width, indent }))
  }
  return report.result(encode(out.text()))
}

function numberOf(given: Given, id: string, otherwise: number): number {
  const text = given.value(id)
  if (text === undefined) return otherwise
  if (!/^\d{1,5}$/.test(text) || (Number(text) === 0 && id !== 'o'))
    throw new Failure(`invalid number for ${id === 'columns' ? 'columns' : `-${id}`}: '${text}'`)
  return Number(text)
}

function* rowsOf(texts: readonly (readonly string[])[], layout: Layout, merges: boolean): Generator<string> {
  const { columns, across, rows } = layout
  const lines = texts[0] ?? []
  if (merges) {
    const most = texts.reduce((count, each) => Math.max(count, each.length), 0)
    for (let i = 0; i < most; i++) {
      const cells = texts.map((each) => each[i])
      yield row(cells, layout)
    }
    return
  }
  if (columns === 1) {
    yield* lines
    return
  }
  for (let at = 0; at < lines.length; at += rows * columns) {
    const page = lines.slice(at, at + rows * columns)
    const down = Math.ceil(page.length / columns)
    // Balance the last page: the first `longer` columns have `down` lines, the others one less.
    const longer = page.length % columns || columns
    const first = (column: number): number => Math.min(column, longer) * down + Math.max(0, column - longer) * (down - 1)
    for (let i = 0; i < down; i++) {
      const cells = Array.from({ length: columns }, (_, column) =>
        across ? page[i * columns + column] : i < down - (column < longer ? 0 : 1) ? page[first(column) + i] : undefined,
      )
      yield row(cells, layout)
    }
  }
}

function row(cells: readonly (string | undefined)[], { width, separator }: Layout): string {
  const last = cells.findLastIndex((cell) => cell !== undefined)
  const texts = cells.slice(0, last + 1).map((cell = '') => (width === undefined ? cell : [...expanded(cell)].slice(0, width).join('')))
  if (separator !== undefined) return texts.join(separator)
  const padded = texts.map((text, i) => (i === last ? text : text + ' '.repeat((width as number) + 1 - [...text].length))).join('')
  return retabbed(padded.trimEnd())
}

function retabbed(line: string): string {
  let [out, column] = ['', 0]
  for (const part of line.split(/( +)/)) {
    const to = column + [...part].length
    out += part.startsWith(' ') ? gap(column, to) : part
    column = to
  }
  return out
}

/** Returns white space from column `from` to `to`. Like GNU, uses tabs while more than one column is left. */
function gap(from: number, to: number): string {
  let [out, at] = ['', from]
  for (let next = at + TAB - (at % TAB); to - at > 1 && next <= to; next += TAB) {
    out += '\t'
    at = next
  }
  return out + ' '.repeat(Math.max(0, to - at))
}

function expanded(text: string): string {
  let out = ''
  for (const char of text) out += char === '\t' ? ' '.repeat(TAB - (out.length % TAB)) : char
  return out
}

/** Parses the argument of `-n`: an optional separator character and the width of the number, such as `:3`. */
function numbering(text = ''): (line: string, at: number) => string {
  const found = /^([^\d])?(\d{0,2})$/.exec(text)
  if (!found) throw new Failure(`'-n' extra characters or invalid number in the argument: '${text}'`)
  const width = Number(found[2] || 5)
  return (line, at) =>
    `${String(at + 1)
      .padStart(width)
      .slice(-width)}${found[1] ?? '\t'}${line}`
}

interface Paging {
  readonly given: Given
  readonly context: CommandContext
  readonly layout: Layout
  readonly width: number
  readonly indent: string
}

async function paged(lines: readonly string[], name: string, { given, context, layout, width, indent }: Paging): Promise<string> {
  const time = name === '-' ? hostOf(context).now() : ((await statOf(context, name))?.mtime.getTime() ?? 0)
  const date = formatTime(time, '%Y-%m-%d %H:%M', zoneOf(context.env))
  const title = given.value('h') ?? (name === '-' ? '' : name)
  let out = ''
  for (let at = 0; at < lines.length; at += layout.rows) {
    const page = `Page ${at / layout.rows + 1}`
    const room = Math.max(0, width - date.length - page.length - [...title].length)
    const left = room >> 1
    const body = lines.slice(at, at + layout.rows)
    out += `\n\n${indent}${date}${' '.repeat(Math.max(1, left))}${title}${' '.repeat(Math.max(1, room - left))}${page}\n\n\n`
    out += body.map((line) => `${line}\n`).join('') + '\n'.repeat(layout.rows - body.length + TRAILER)
  }
  return out
}
