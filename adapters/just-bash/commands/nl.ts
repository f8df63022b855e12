import { lineBatches, Printout } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { type Given, parseOptions } from './shared/options.js'
import { compileRegex, loadLongest } from './shared/regex/regex.js'
import { eachSource, Report } from './shared/text-io.js'

const OPTIONS =
  'b|body-numbering= d|section-delimiter= f|footer-numbering= h|header-numbering= i|line-increment= l|join-blank-lines= n|number-format= p|no-renumber s|number-separator= v|starting-line-number= w|number-width='

const FORMATS: Readonly<Record<string, (number: bigint, width: number) => string>> = {
  ln: (number, width) => String(number).padEnd(width),
  rn: (number, width) => String(number).padStart(width),
  rz: (number, width) => (number < 0 ? `-${String(-number).padStart(width - 1, '0')}` : String(number).padStart(width, '0')),
}

export const nlCommand: OwnCommand = command('nl', { usage: 'nl [OPTION]... [FILE]...' }, run)

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('nl', args, OPTIONS)
  await loadLongest()
  const styles = [style(given, 'h', 'header', 'n'), style(given, 'b', 'body', 't'), style(given, 'f', 'footer', 'n')] as const
  const first = integer(given, 'v', 'starting line number', 1n)
  const step = integer(given, 'i', 'line number increment', 1n)
  const blanks = Number(integer(given, 'l', 'line number of blank lines', 1n, 1n))
  const width = Number(integer(given, 'w', 'line number field width', 6n, 1n))
  const kind = given.value('n') ?? 'rn'
  const format = Object.hasOwn(FORMATS, kind) ? FORMATS[kind] : undefined
  if (!format) throw new Failure(`invalid line numbering format: '${kind}'`)
  if (width > MAX_WIDTH) throw new Failure(`invalid line number field width: '${width}': the limit here is ${MAX_WIDTH}`)
  const separator = packed(given.value('s') ?? '\t')
  const empty = ' '.repeat(width + separator.length)
  const mark = packed(given.value('d') ?? '\\:')
  const delimiter = mark.length === 1 ? `${mark}:` : mark
  const out = new Printout(context)
  const report = new Report('nl', out)
  let [section, number, blank] = [1, first, 0]
  const batches = async function* (): AsyncGenerator<readonly string[]> {
    for await (const { data } of eachSource(context, given.operands, report)) yield* lineBatches(context, data)
  }
  for await (const lines of batches())
    for (const line of lines) {
      const found = delimiter === '' ? -1 : [3, 2, 1].findIndex((times) => line === delimiter.repeat(times))
      if (found >= 0) {
        section = found
        if (!given.has('p')) number = first
        blank = 0
        out.put('\n')
        continue
      }
      blank = line === '' ? blank + 1 : 0
      const counts = styles[section as 0 | 1 | 2](line) && (line !== '' || blank % blanks === 0)
      out.put(counts ? `${format(number, width)}${separator}${line}\n` : `${empty}${line}\n`)
      if (counts) number += step
    }
  return report.result(out.text())
}

const MAX_WIDTH = 1000

type LineTest = (line: string) => boolean

/** Returns a test for the lines of a section that get a number. */
function style(given: Given, id: string, section: string, usual: string): LineTest {
  const text = given.value(id) ?? usual
  if (text === 'a') return () => true
  if (text === 't') return (line) => line !== ''
  if (text === 'n') return () => false
  if (text.startsWith('p')) {
    const regex = compileRegex(text.slice(1), { extended: false })
    return (line) => regex.test(line)
  }
  throw new Failure(`invalid ${section} numbering style: '${text}'`)
}

function integer(given: Given, id: string, words: string, usual: bigint, least?: bigint): bigint {
  const text = given.value(id)
  if (text === undefined) return usual
  if (!/^-?\d+$/.test(text) || (least !== undefined && BigInt(text) < least)) throw new Failure(`invalid ${words}: '${text}'`)
  return BigInt(text)
}
