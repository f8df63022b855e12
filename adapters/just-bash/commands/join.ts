import { lineBatches, Printout } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { told } from './shared/files.js'
import { checkOperands, type Given, parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { bytesNamed, Report } from './shared/text-io.js'

export const joinCommand: OwnCommand = command('join', { usage: 'join [OPTION]... FILE1 FILE2' }, run)

interface Row {
  readonly key: string
  readonly fields: readonly string[]
}

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('join', args, '1= 2= j= t= a= v= e= o= i|ignore-case header check-order nocheck-order z|zero-terminated')
  checkOperands('join', given.operands, 2, 2)
  for (const id of ['a', 'v']) {
    const wrong = given.values(id).find((file) => !/^[12]$/.test(file))
    if (wrong !== undefined) throw new Failure(`invalid field number: '${wrong}'`)
  }
  const end = given.has('z') ? '\0' : '\n'
  const at = [1, 2].map((file) => numberOf(given.value(String(file)) ?? given.value('j') ?? '1') - 1)
  const files: Row[][] = []
  for (const [i, name] of given.operands.entries()) {
    const data = await told(name, () => bytesNamed(context, name))
    const rows: Row[] = []
    const read = rowReader(at[i] as number, given)
    for await (const lines of lineBatches(context, data, end)) for (const line of lines) rows.push(read(line))
    files.push(rows)
  }
  const [left = [], right = []] = files
  const out = new Printout(context)
  const report = new Report('join', out)
  const pace = new Pace(context)
  const shows = (file: string): boolean => given.values('a').includes(file) || given.values('v').includes(file)
  // Of `-o auto`: as many fields as the first lines have.
  const counts = [left[0]?.fields.length ?? 0, right[0]?.fields.length ?? 0] as const
  const pairs = !given.has('v')
  const line = linePrinter(at, counts, given)
  let printed = 0
  const put = async (a: Row | undefined, b: Row | undefined): Promise<void> => {
    out.put(line([a, b]) + end)
    if (++printed % 256 === 0) await pace.turn(300)
  }
  const firsts = shows('1')
  const seconds = shows('2')
  let [i, j] = [0, 0]
  if (given.has('header') && left[0] && right[0]) {
    await put(left[0], right[0])
    i = 1
    j = 1
  }
  await checkOrder(context, left, i, given, report, given.operands[0] as string)
  await checkOrder(context, right, j, given, report, given.operands[1] as string)
  for (let turns = 1; i < left.length || j < right.length; turns++) {
    if (turns % 1024 === 0) await pace.turn(500)
    const [a, b] = [left[i], right[j]]
    const order = !a ? 1 : !b ? -1 : a.key < b.key ? -1 : a.key > b.key ? 1 : 0
    if (order < 0) {
      if (firsts) await put(a, undefined)
      i++
    } else if (order > 0) {
      if (seconds) await put(undefined, b)
      j++
    } else {
      const key = (a as Row).key
      const [iEnd, jEnd] = [endOf(left, i, key), endOf(right, j, key)]
      if (pairs) for (let x = i; x < iEnd; x++) for (let y = j; y < jEnd; y++) await put(left[x], right[y])
      i = iEnd
      j = jEnd
    }
  }
  return report.result(out.text())
}

async function checkOrder(
  context: CommandContext,
  rows: readonly Row[],
  from: number,
  given: Given,
  report: Report,
  name: string,
): Promise<void> {
  if (given.has('nocheck-order')) return
  const pace = new Pace(context)
  for (let at = from + 1; at < rows.length; at++) {
    const { key, fields } = rows[at] as Row
    if (key < (rows[at - 1] as Row).key) return report.fail(`${name}:${at + 1}: is not sorted: ${fields.join(' ')}`)
    if (at % 4096 === 0) await pace.turn(400)
  }
}

function endOf(rows: readonly Row[], from: number, key: string): number {
  let end = from
  while (rows[end]?.key === key) end++
  return end
}

function rowReader(at: number, given: Given): (line: string) => Row {
  const text = given.value('t')
  const separator = text === undefined ? undefined : text === '\\t' ? '\t' : packed(text)
  const fold = given.has('i')
  return (line) => {
    const fields = separator === undefined ? line.trim().split(/[ \t]+/) : line.split(separator)
    const key = fields[at] ?? ''
    return { key: fold ? key.toLowerCase() : key, fields }
  }
}

type LinePrinter = (rows: readonly [Row | undefined, Row | undefined]) => string

function linePrinter(at: readonly number[], counts: readonly [number, number], given: Given): LinePrinter {
  const separator = given.value('t') === undefined ? ' ' : packed(given.value('t') as string)
  const empty = packed(given.value('e') ?? '')
  const format = given.values('o').join(',')
  const keyOf = ([a, b]: readonly [Row | undefined, Row | undefined]): string =>
    (a ? a.fields[at[0] as number] : b?.fields[at[1] as number]) ?? ''
  if (format !== '' && format !== 'auto') {
    const places = format.split(/[\s,]+/).map((spec) => {
      const found = /^(?:0|([12])\.(\d+))$/.exec(spec)
      if (!found) throw new Failure(`${/^[012]/.test(spec) ? 'invalid field specifier' : 'invalid file number in field spec'}: '${spec}'`)
      return found[1] === undefined ? undefined : { file: Number(found[1]) - 1, field: Number(found[2]) - 1 }
    })
    return (rows) => places.map((place) => (place ? rows[place.file]?.fields[place.field] || empty : keyOf(rows))).join(separator)
  }
  const others = (file: 0 | 1, row: Row | undefined): readonly string[] => {
    const own = at[file] as number
    if (format !== 'auto') return row?.fields.filter((_, i) => i !== own) ?? []
    return Array.from({ length: counts[file] }, (_, i) => row?.fields[i] || empty).filter((_, i) => i !== own)
  }
  return (rows) => [keyOf(rows), ...others(0, rows[0]), ...others(1, rows[1])].join(separator)
}

function numberOf(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new Failure(`invalid field number: '${text}'`)
  return Number(text)
}
