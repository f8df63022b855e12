import { batches, largest, lineBatches, mapped, Printout } from './shared/bulk.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { command, Failure, TooLarge } from './shared/failure.js'
import { type Given, parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { codingOf, Report, readSources } from './shared/text-io.js'
import { columnsOf } from './wc.js'

const OPTIONS =
  't|table s|separator= o|output-separator= N|table-columns= R|table-right= H|table-hide= O|table-order= l|table-columns-limit= d|table-noheadings ' +
  'L|keep-empty-lines c|output-width= x|fillrows J|json n|table-name= e|table-header-repeat'

export const columnCommand: OwnCommand = command('column', { usage: 'column [OPTION]... [FILE]...' }, run)

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('column', args, OPTIONS)
  const report = new Report('column')
  const sources = await readSources(context, given.operands, report)
  const data = sources.map((source) => source.data)
  const { decode, encode } = codingOf(data, context.env)
  const lines: string[] = []
  for await (const batch of lineBatches(context, data.map(decode).join('')))
    for (const line of batch) if (given.has('L') || /\S/.test(line)) lines.push(line)
  if (!given.has('t') && !given.has('J') && given.last('N', 'R', 'H', 'O', 'n') !== undefined)
    throw new Failure('option --table required for all --table-*')
  if (given.has('t') && given.has('x')) throw new Failure('mutually exclusive arguments: --table --fillrows')
  if (given.has('J') && !given.has('N')) throw new Failure('option --table-columns required for --json')
  if (lines.length === 0) return report.result('')
  const print = given.has('J') ? json : given.has('t') ? table : columns
  return report.result(encode(await print(lines, given, context)))
}

interface Cells {
  readonly rows: (readonly string[])[]
  readonly names: readonly string[]
  /** Indexes of the printed columns, in output order. */
  readonly shown: readonly number[]
  readonly indexesOf: (id: string) => number[]
}

async function cells(lines: readonly string[], given: Given, context: CommandContext): Promise<Cells> {
  const cellsOf = cellReader(given)
  const rows: (readonly string[])[] = []
  for await (const batch of batches(context, lines)) for (const line of batch) rows.push(cellsOf(line))
  const names = given.value('N')?.split(',') ?? []
  const count = largest(
    rows.map((row) => row.length),
    names.length,
  )
  checkCells(rows.length * count)
  const indexesOf = (id: string): number[] =>
    given
      .value(id)
      ?.split(',')
      .map((name) => columnOf(name, names, count)) ?? []
  const [hidden, first] = [new Set(indexesOf('H')), indexesOf('O')]
  const rest = Array.from({ length: count }, (_, i) => i).filter((i) => !first.includes(i))
  return { rows, names, shown: [...first, ...rest].filter((i) => !hidden.has(i)), indexesOf }
}

async function json(lines: readonly string[], given: Given, context: CommandContext): Promise<string> {
  const { rows, names, shown } = await cells(lines, given, context)
  const long = rows.findIndex((row) => row.length > names.length)
  if (long >= 0) throw new Failure(`line ${long + 1}: for JSON the name of the column ${names.length + 1} is required`)
  const out = new Printout(context)
  out.put(`{\n   ${quoted((given.value('n') ?? 'table').toLowerCase())}: [\n      `)
  let between = ''
  for await (const batch of batches(context, rows, 256))
    for (const row of batch) {
      const pairs = shown.map((i) => `         ${quoted((names[i] as string).toLowerCase())}: ${row[i] ? quoted(row[i]) : 'null'}`)
      out.put(`${between}{\n${pairs.join(',\n')}\n      }`)
      between = ','
    }
  out.put('\n   ]\n}\n')
  return out.text()
}

const quoted = (text: string): string => JSON.stringify(text).replace(/\\u[0-9a-f]{4}/g, (code) => code.toUpperCase().replace('U', 'u'))

async function table(lines: readonly string[], given: Given, context: CommandContext): Promise<string> {
  const { rows, names, shown, indexesOf } = await cells(lines, given, context)
  if (names.length > 0 && !given.has('d')) rows.unshift(names)
  const right = new Set(indexesOf('R'))
  const widths = shown.map(() => 0)
  for await (const batch of batches(context, rows, 256))
    for (const row of batch)
      shown.forEach((i, at) => {
        widths[at] = Math.max(widths[at] as number, columnsOf(row[i] ?? ''))
      })
  const between = given.value('o') ?? '  '
  const out = new Printout(context)
  for await (const batch of batches(context, rows, 256))
    for (const row of batch) {
      const padded = shown.map((i, at) => {
        const cell = row[i] ?? ''
        const space = ' '.repeat((widths[at] as number) - columnsOf(cell))
        if (right.has(i)) return space + cell
        return at === shown.length - 1 ? cell : cell + space
      })
      out.put(`${padded.join(between)}\n`)
    }
  return out.text()
}

/** Maximum number of cells of a table. The empty cells of short rows count too. */
const MAX_CELLS = 6_000_000
const MAX_LINE_CELLS = 1_000_000

function checkCells(count: number): void {
  if (count > MAX_CELLS)
    throw new TooLarge(`a table of more than ${MAX_CELLS} cells: limit the columns with -l, or work on the input in parts`)
}

function cellReader(given: Given): (line: string) => string[] {
  const separators = given.value('s')
  const most = Number(given.value('l') ?? Number.POSITIVE_INFINITY)
  if (!(most >= 1)) throw new Failure(`invalid columns limit argument: '${given.value('l')}'`)
  const one = separators === undefined ? /[ \t]+/ : new RegExp(`[${separators.replace(/[\\\]^-]/g, '\\$&')}]`)
  return (line) => {
    const cells: string[] = []
    let rest = separators === undefined ? line.trim() : line
    while (cells.length < most - 1) {
      const found = one.exec(rest)
      if (!found) break
      cells.push(rest.slice(0, found.index))
      rest = rest.slice(found.index + found[0].length)
      if (cells.length > MAX_LINE_CELLS) throw new TooLarge(`a line of more than ${MAX_LINE_CELLS} cells: limit the columns with -l`)
    }
    cells.push(rest)
    return cells
  }
}

/** Returns the index of a column. `name`: a name from `-N`, a number from 1, or `-1` for the last column. */
function columnOf(name: string, names: readonly string[], count: number): number {
  const at = names.indexOf(name)
  if (at >= 0) return at
  const number = Number(name)
  if (/^\d+$/.test(name) && number >= 1 && number <= count) return number - 1
  if (name === '-1') return count - 1
  throw new Failure(`undefined column name '${name}': use a number from 1 to ${count}${names.length > 0 ? `, or ${names.join(', ')}` : ''}`)
}

const TAB = 8

/** Arranges lines in columns of equal width, separated by tabs, like `ls -C`. */
async function columns(lines: readonly string[], given: Given, context: CommandContext): Promise<string> {
  const width = Number(given.value('c') ?? context.env.get('COLUMNS') ?? 80)
  if (!(width >= 0)) throw new Failure(`invalid columns argument: '${given.value('c')}'`)
  if (given.has('s') || given.has('o')) throw new Failure('-s and -o are for tables: add -t')
  const step = (Math.floor(largest(await mapped(context, lines, columnsOf)) / TAB) + 1) * TAB
  const across = Math.max(1, Math.floor(width / step))
  const down = Math.ceil(lines.length / across)
  const out = new Printout(context)
  const pace = new Pace(context)
  for (let row = 0; row < down; row++) {
    if (row % 64 === 63) await pace.turn(64)
    const cells: string[] = []
    for (let at = 0; at < across; at++) {
      const line = lines[given.has('x') ? row * across + at : at * down + row]
      if (line !== undefined) cells.push(line)
    }
    const shown = cells.map((cell, i) => (i === cells.length - 1 ? cell : cell + '\t'.repeat(Math.ceil((step - columnsOf(cell)) / TAB))))
    out.put(`${shown.join('')}\n`)
  }
  return out.text()
}
