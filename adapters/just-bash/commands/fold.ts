import { Printout } from './shared/bulk.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { eachSource, Report } from './shared/text-io.js'

const TAB = 8

export const foldCommand: OwnCommand = command('fold', { usage: 'fold [OPTION]... [FILE]...' }, run)

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('fold', args, 'b|bytes s|spaces w|width=', { number: 'w' })
  const text = given.value('w') ?? '80'
  const width = Number(text)
  if (!/^\d+$/.test(text) || width < 1) throw new Failure(`invalid number of columns: '${text}'`)
  const out = new Printout(context)
  const report = new Report('fold', out)
  const sources = eachSource(context, given.operands, report)
  const pace = new Pace(context)
  for await (const { data } of sources) {
    const folding = { width, bytes: given.has('b'), atSpaces: given.has('s') }
    // Like GNU, counts bytes as columns.
    for await (const folded of foldedPieces(data, folding, pace)) out.put(folded)
  }
  return report.result(out.text())
}

interface Folding {
  readonly width: number
  /** Whether control characters count as one column. */
  readonly bytes: boolean
  readonly atSpaces: boolean
}

/** Number of characters per chunk. */
const PIECE = 4096

async function* foldedPieces(text: string, { width, bytes, atSpaces }: Folding, pace: Pace): AsyncGenerator<string> {
  let out = ''
  let part = ''
  let column = 0
  let count = 0
  for (const char of text) {
    if (char === '\n') {
      out += `${part}\n`
      part = ''
      column = 0
    } else {
      if (part !== '' && (bytes ? column + 1 : columnAfter(char, column)) > width) {
        const cut = atSpaces ? Math.max(part.lastIndexOf(' '), part.lastIndexOf('\t')) + 1 : 0
        const rest = cut > 0 ? part.slice(cut) : ''
        out += `${cut > 0 ? part.slice(0, cut) : part}\n`
        part = rest
        column = bytes ? rest.length : columnsOf(rest)
      }
      part += char
      column = bytes ? column + 1 : columnAfter(char, column)
    }
    if (++count % PIECE === 0) {
      yield out
      out = ''
      await pace.turn(PIECE >> 2)
    }
  }
  yield out + part
}

const columnsOf = (text: string): number => [...text].reduce((column, char) => columnAfter(char, column), 0)

function columnAfter(char: string, column: number): number {
  if (char === '\t') return column + TAB - (column % TAB)
  if (char === '\b') return Math.max(0, column - 1)
  return char === '\r' ? 0 : column + 1
}
