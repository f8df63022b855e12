import type { CommandContext, OwnCommand, OwnResult } from '../command.js'
import { command, Failure } from '../failure.js'
import { type Given, parseOptions } from '../options.js'
import { codingOf, linesOf, Report, readSources } from '../repaired/text-io.js'

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
  const all = linesOf(data.map(decode).join(''))
  const lines = given.has('L') ? all : all.filter((line) => /\S/.test(line))
  if (given.has('t') && given.has('x')) throw new Failure('mutually exclusive arguments: --table --fillrows')
  if (given.has('J') && !given.has('N')) throw new Failure('option --table-columns required for --json')
  if (lines.length === 0) return report.result('')
  return report.result(encode(given.has('J') ? json(lines, given) : given.has('t') ? table(lines, given) : columns(lines, given, context)))
}

interface Cells {
  readonly rows: (readonly string[])[]
  readonly names: readonly string[]
  /** The indexes of the columns, in the order in which they are printed. */
  readonly shown: readonly number[]
  readonly indexesOf: (id: string) => number[]
}

function cells(lines: readonly string[], given: Given): Cells {
  const rows = lines.map((line) => cellsOf(line, given))
  const names = given.value('N')?.split(',') ?? []
  const count = rows.reduce((most, row) => Math.max(most, row.length), names.length)
  const indexesOf = (id: string): number[] =>
    given
      .value(id)
      ?.split(',')
      .map((name) => columnOf(name, names, count)) ?? []
  const [hidden, first] = [new Set(indexesOf('H')), indexesOf('O')]
  const rest = Array.from({ length: count }, (_, i) => i).filter((i) => !first.includes(i))
  return { rows, names, shown: [...first, ...rest].filter((i) => !hidden.has(i)), indexesOf }
}

function json(lines: readonly string[], given: Given): string {
  const { rows, names, shown } = cells(lines, given)
  const long = rows.findIndex((row) => row.length > names.length)
  if (long >= 0) throw new Failure(`line ${long + 1}: for JSON the name of the column ${names.length + 1} is required`)
  const objects = rows.map((row) => {
    const pairs = shown.map((i) => `         ${quoted((names[i] as string).toLowerCase())}: ${row[i] ? quoted(row[i]) : 'null'}`)
    return `{\n${pairs.join(',\n')}\n      }`
  })
  return `{\n   ${quoted((given.value('n') ?? 'table').toLowerCase())}: [\n      ${objects.join(',')}\n   ]\n}\n`
}

const quoted = (text: string): string => JSON.stringify(text).replace(/\\u[0-9a-f]{4}/g, (code) => code.toUpperCase().replace('U', 'u'))

function table(lines: readonly string[], given: Given): string {
  const { rows, names, shown, indexesOf } = cells(lines, given)
  if (names.length > 0 && !given.has('d')) rows.unshift(names)
  const right = new Set(indexesOf('R'))
  const widths = shown.map((i) => rows.reduce((most, row) => Math.max(most, widthOf(row[i] ?? '')), 0))
  const between = given.value('o') ?? '  '
  return rows
    .map((row) => {
      const padded = shown.map((i, at) => {
        const cell = row[i] ?? ''
        const space = ' '.repeat((widths[at] as number) - widthOf(cell))
        if (right.has(i)) return space + cell
        return at === shown.length - 1 ? cell : cell + space
      })
      return `${padded.join(between)}\n`
    })
    .join('')
}

function cellsOf(line: string, given: Given): string[] {
  const separators = given.value('s')
  const most = Number(given.value('l') ?? Number.POSITIVE_INFINITY)
  if (!(most >= 1)) throw new Failure(`invalid columns limit argument: '${given.value('l')}'`)
  const one = separators === undefined ? /[ \t]+/ : new RegExp(`[${separators.replace(/[\\\]^-]/g, '\\$&')}]`)
  const cells: string[] = []
  let rest = separators === undefined ? line.trim() : line
  while (cells.length < most - 1) {
    const found = one.exec(rest)
    if (!found) break
    cells.push(rest.slice(0, found.index))
    rest = rest.slice(found.index + found[0].length)
  }
  return [...cells, rest]
}

/** A name of `-N`, or a number from 1; `-1` is the last. */
function columnOf(name: string, names: readonly string[], count: number): number {
  const at = names.indexOf(name)
  if (at >= 0) return at
  const number = Number(name)
  if (/^\d+$/.test(name) && number >= 1 && number <= count) return number - 1
  if (name === '-1') return count - 1
  throw new Failure(`undefined column name '${name}': use a number from 1 to ${count}${names.length > 0 ? `, or ${names.join(', ')}` : ''}`)
}

const TAB = 8

/** As `ls -C`: in columns of one width, with tabs between. */
function columns(lines: readonly string[], given: Given, context: CommandContext): string {
  const width = Number(given.value('c') ?? context.env.get('COLUMNS') ?? 80)
  if (!(width >= 0)) throw new Failure(`invalid columns argument: '${given.value('c')}'`)
  if (given.has('s') || given.has('o')) throw new Failure('-s and -o are for tables: add -t')
  const step = (Math.floor(Math.max(...lines.map(widthOf)) / TAB) + 1) * TAB
  const across = Math.max(1, Math.floor(width / step))
  const down = Math.ceil(lines.length / across)
  const out: string[] = []
  for (let row = 0; row < down; row++) {
    const cells: string[] = []
    for (let at = 0; at < across; at++) {
      const line = lines[given.has('x') ? row * across + at : at * down + row]
      if (line !== undefined) cells.push(line)
    }
    out.push(cells.map((cell, i) => (i === cells.length - 1 ? cell : cell + '\t'.repeat(Math.ceil((step - widthOf(cell)) / TAB)))).join(''))
  }
  return `${out.join('\n')}\n`
}

const widthOf = (text: string): number => [...text].length
