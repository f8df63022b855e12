import type { CommandContext, OwnCommand, OwnResult } from '../command.js'
import { command, Failure } from '../failure.js'
import { parseOptions } from '../options.js'
import { Pace } from '../pace.js'
import { codingOf, Report, readSources } from '../repaired/text-io.js'

const TAB = 8

export const foldCommand: OwnCommand = command('fold', { usage: 'fold [OPTION]... [FILE]...' }, run)

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('fold', args, 'b|bytes s|spaces w|width=', { number: 'w' })
  const text = given.value('w') ?? '80'
  const width = Number(text)
  if (!/^\d+$/.test(text) || width < 1) throw new Failure(`invalid number of columns: '${text}'`)
  const report = new Report('fold')
  const sources = await readSources(context, given.operands, report)
  const pace = new Pace(context)
  const out: string[] = []
  for (const { data } of sources) {
    const coding = given.has('b') ? undefined : codingOf([data], context.env)
    for (const line of (coding?.decode(data) ?? data).split(/(?<=\n)/)) {
      const folded = foldedLine(line, { width, bytes: given.has('b'), atSpaces: given.has('s') })
      out.push(coding?.encode(folded) ?? folded)
      await pace.turn(line.length >> 4)
    }
  }
  return report.result(out.join(''))
}

interface Folding {
  readonly width: number
  /** Every character is one column. */
  readonly bytes: boolean
  readonly atSpaces: boolean
}

function foldedLine(line: string, { width, bytes, atSpaces }: Folding): string {
  const out: string[] = []
  let part = ''
  let column = 0
  const put = (char: string): void => {
    part += char
    column = bytes ? column + 1 : columnAfter(char, column)
  }
  for (const char of line) {
    if (char === '\n') {
      part += char
      continue
    }
    if (part !== '' && (bytes ? column + 1 : columnAfter(char, column)) > width) {
      const cut = atSpaces ? Math.max(part.lastIndexOf(' '), part.lastIndexOf('\t')) + 1 : 0
      const rest = cut > 0 ? part.slice(cut) : ''
      out.push(cut > 0 ? part.slice(0, cut) : part)
      part = ''
      column = 0
      for (const each of rest) put(each)
    }
    put(char)
  }
  return [...out, part].join('\n')
}

function columnAfter(char: string, column: number): number {
  if (char === '\t') return column + TAB - (column % TAB)
  if (char === '\b') return Math.max(0, column - 1)
  return char === '\r' ? 0 : column + 1
}
