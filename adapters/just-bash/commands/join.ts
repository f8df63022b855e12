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
  readonly line: string
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
  const shows = [1, 2].map((file) => given.values('a').includes(String(file)) || given.values('v').includes(String(file)))
  // For `-o auto`: the field counts of the first lines.
  const counts = [left[0]?.fields.length ?? 0, right[0]?.fields.length ?? 0] as const
  const pairs = !given.has('v')
  const line = linePrinter(at, counts, given)
  let printed = 0
  const put = async (a: Row | undefined, b: Row | undefined): Promise<void> => {
    out.put(line([a, b]) + end)
    if (++printed % 256 === 0) await pace.turn(300)
  }
  const places = [0, 0]
  const start = given.has('header') ? 1 : 0
  const disordered = [false, false]
  const [checks, strict] = [!given.has('nocheck-order'), given.has('check-order')]
  // Like GNU: without `--check-order`, check the order only after the first line that has no match in the other file.
  let [unpaired, stopped] = [strict, false]
  const rowAt = (file: number): Row | undefined => (stopped ? undefined : files[file]?.[places[file] as number])
  const advance = (file: 0 | 1): void => {
    const at = ++(places[file] as number)
    const [before, row] = [files[file]?.[at - 1], files[file]?.[at]]
    if (!row || !before || at <= start || !checks || !unpaired || disordered[file] || row.key >= before.key) return
    report.fail(`${given.operands[file]}:${at + 1}: is not sorted: ${row.line}`)
    disordered[file] = true
    stopped = strict
  }
  if (start > 0 && (left[0] || right[0])) {
    await put(left[0], right[0])
    advance(0)
    advance(1)
  }
  for (let turns = 1; ; turns++) {
    if (turns % 1024 === 0) await pace.turn(500)
    const [a, b] = [rowAt(0), rowAt(1)]
    if (!a || !b) break
    if (a.key !== b.key) {
      const file = a.key < b.key ? 0 : 1
      if (shows[file]) await put(file === 0 ? a : undefined, file === 0 ? undefined : b)
      advance(file)
      unpaired = true
      continue
    }
    const [i, j] = places as [number, number]
    do advance(0)
    while (rowAt(0)?.key === b.key)
    do advance(1)
    while (rowAt(1)?.key === a.key)
    if (pairs && !stopped) for (const x of left.slice(i, places[0])) for (const y of right.slice(j, places[1])) await put(x, y)
  }
  for (const file of [0, 1] as const)
    for (let row = rowAt(file); row && (shows[file] || (checks && !disordered[file])); row = rowAt(file)) {
      if (shows[file]) await put(file === 0 ? row : undefined, file === 0 ? undefined : row)
      advance(file)
      if ((places[file] as number) % 4096 === 0) await pace.turn(400)
    }
  if (disordered.includes(true) && !strict) report.fail('input is not in sorted order')
  return report.result(out.text())
}

function separatorOf(given: Given): string | undefined {
  const text = given.value('t')
  const separator = text === '' ? '\n' : text === '\\0' ? '\0' : text && packed(text)
  if (separator !== undefined && separator.length > 1) throw new Failure(`multi-character tab '${text}'`)
  return separator
}

function rowReader(at: number, given: Given): (line: string) => Row {
  const separator = separatorOf(given)
  const fold = given.has('i')
  return (line) => {
    const fields = separator === undefined ? (line.match(/[^ \t\n]+/g) ?? []) : line.split(separator)
    const key = fields[at] ?? ''
    return { line, key: fold ? key.toLowerCase() : key, fields }
  }
}

type LinePrinter = (rows: readonly [Row | undefined, Row | undefined]) => string

function linePrinter(at: readonly number[], counts: readonly [number, number], given: Given): LinePrinter {
  const separator = separatorOf(given) ?? ' '
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
