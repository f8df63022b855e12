import { Printout, pacedLines } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import type { OwnCommand } from './shared/command.js'
import { command } from './shared/failure.js'
import { told } from './shared/files.js'
import { checkOperands, parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { bytesNamed, Report } from './shared/text-io.js'

const OPTIONS = '1 2 3 check-order nocheck-order output-delimiter= total z|zero-terminated'

export const commCommand: OwnCommand = command('comm', { usage: 'comm [OPTION]... FILE1 FILE2' }, async (args, context) => {
  const given = parseOptions('comm', args, OPTIONS)
  checkOperands('comm', given.operands, 2, 2)
  const end = given.has('z') ? '\0' : '\n'
  const delimiter = packed(given.value('output-delimiter') ?? '\t') || '\0'
  const out = new Printout(context)
  const report = new Report('comm', out)
  const files: string[][] = []
  for (const name of given.operands) files.push(await pacedLines(context, await told(name, () => bytesNamed(context, name)), end))
  const [left = [], right = []] = files
  const pace = new Pace(context)
  const counts = [0, 0, 0]
  const put = (column: 0 | 1 | 2, line: string): void => {
    ;(counts[column] as number)++
    if (given.has(String(column + 1))) return
    const before = [1, 2].filter((number) => number <= column && !given.has(String(number))).length
    out.put(delimiter.repeat(before) + line + end)
  }
  const order = given.last('check-order', 'nocheck-order')
  const wrong = new Set<number>()
  const checked = (file: number, lines: readonly string[], at: number): void => {
    if (order === 'nocheck-order' || wrong.has(file) || at === 0 || (lines[at] as string) >= (lines[at - 1] as string)) return
    if (order !== 'check-order' && counts[0] === 0 && counts[1] === 0) return
    wrong.add(file)
    report.fail(`file ${file} is not in sorted order`)
  }
  let [i, j, steps] = [0, 0, 0]
  while (i < left.length || j < right.length) {
    if ((++steps & 1023) === 0) await pace.turn(500)
    const [a, b] = [left[i], right[j]]
    if (b === undefined || (a !== undefined && a < b)) put(0, left[i++] as string)
    else if (a === undefined || b < a) put(1, right[j++] as string)
    else {
      put(2, a)
      i++
      j++
    }
    if (i < left.length) checked(1, left, i)
    if (j < right.length) checked(2, right, j)
    if (order === 'check-order' && wrong.size > 0) return report.result(out.text())
  }
  if (wrong.size > 0) report.fail('input is not in sorted order')
  if (given.has('total')) out.put([...counts, 'total'].join(delimiter) + end)
  return report.result(out.text())
})
