import { packed } from '../bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from '../command.js'
import { command, Failure } from '../failure.js'
import { told } from '../files.js'
import { checkOperands, type Given, parseOptions } from '../options.js'
import { bytesNamed, linesOf, Report } from './text-io.js'

export const joinCommand: OwnCommand = command('join', { usage: 'join [OPTION]... FILE1 FILE2' }, run)

interface Row {
  readonly key: string
  readonly fields: readonly string[]
}

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('join', args, '1= 2= j= t= a= v= e= o= i|ignore-case header check-order nocheck-order z|zero-terminated')
  checkOperands('join', given.operands, 2, 2)
  const end = given.has('z') ? '\0' : '\n'
  const at = [1, 2].map((file) => numberOf(given.value(String(file)) ?? given.value('j') ?? '1') - 1)
  const files: Row[][] = []
  for (const [i, name] of given.operands.entries()) {
    const data = await told(name, () => bytesNamed(context, name))
    files.push(linesOf(data, end).map((line) => rowOf(line, at[i] as number, given)))
  }
  const [left = [], right = []] = files
  const report = new Report('join')
  const out: string[] = []
  const shows = (file: string): boolean => given.values('a').includes(file) || given.values('v').includes(file)
  // Of `-o auto`: as many fields as the first lines have.
  const counts = [left[0]?.fields.length ?? 0, right[0]?.fields.length ?? 0] as const
  const pairs = !given.has('v')
  const put = (a: Row | undefined, b: Row | undefined): void => void out.push(line([a, b], at, counts, given))
  let [i, j] = [0, 0]
  if (given.has('header') && left[0] && right[0]) {
    put(left[0], right[0])
    i = 1
    j = 1
  }
  checkOrder(left, i, given, report, given.operands[0] as string)
  checkOrder(right, j, given, report, given.operands[1] as string)
  while (i < left.length || j < right.length) {
    const [a, b] = [left[i], right[j]]
    const order = !a ? 1 : !b ? -1 : a.key < b.key ? -1 : a.key > b.key ? 1 : 0
    if (order < 0) {
      if (shows('1')) put(a, undefined)
      i++
    } else if (order > 0) {
      if (shows('2')) put(undefined, b)
      j++
    } else {
      const key = (a as Row).key
      const [iEnd, jEnd] = [endOf(left, i, key), endOf(right, j, key)]
      if (pairs) for (let x = i; x < iEnd; x++) for (let y = j; y < jEnd; y++) put(left[x], right[y])
      i = iEnd
      j = jEnd
    }
  }
  return report.result(out.map((each) => each + end).join(''))
}

function checkOrder(rows: readonly Row[], from: number, given: Given, report: Report, name: string): void {
  if (given.has('nocheck-order')) return
  const wrong = rows.findIndex((row, i) => i > from && row.key < (rows[i - 1] as Row).key)
  if (wrong >= 0) report.fail(`${name}:${wrong + 1}: is not sorted: ${rows[wrong]?.fields.join(' ')}`)
}

function endOf(rows: readonly Row[], from: number, key: string): number {
  let end = from
  while (rows[end]?.key === key) end++
  return end
}

function rowOf(line: string, at: number, given: Given): Row {
  const separator = given.value('t')
  const fields = separator === undefined ? line.trim().split(/[ \t]+/) : line.split(separator === '\\t' ? '\t' : packed(separator))
  const key = fields[at] ?? ''
  return { key: given.has('i') ? key.toLowerCase() : key, fields }
}

function line(
  [a, b]: readonly [Row | undefined, Row | undefined],
  at: readonly number[],
  counts: readonly [number, number],
  given: Given,
): string {
  const separator = given.value('t') === undefined ? ' ' : packed(given.value('t') as string)
  const empty = packed(given.value('e') ?? '')
  const key = (a ? a.fields[at[0] as number] : b?.fields[at[1] as number]) ?? ''
  const format = given.values('o').join(',')
  if (format !== '' && format !== 'auto') {
    const cells = format.split(/[\s,]+/).map((spec) => {
      if (spec === '0') return key
      const found = /^([12])\.(\d+)$/.exec(spec)
      if (!found) throw new Failure(`invalid field specifier: '${spec}'`)
      return (found[1] === '1' ? a : b)?.fields[Number(found[2]) - 1] || empty
    })
    return cells.join(separator)
  }
  const others = (file: 0 | 1, row: Row | undefined): readonly string[] => {
    const own = at[file] as number
    if (format !== 'auto') return row?.fields.filter((_, i) => i !== own) ?? []
    return Array.from({ length: counts[file] }, (_, i) => row?.fields[i] || empty).filter((_, i) => i !== own)
  }
  return [key, ...others(0, a), ...others(1, b)].join(separator)
}

function numberOf(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new Failure(`invalid field number: '${text}'`)
  return Number(text)
}
