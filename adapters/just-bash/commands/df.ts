import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { statOf } from './shared/files.js'
import { type Given, parseOptions } from './shared/options.js'
import { Report } from './shared/text-io.js'

const OPTIONS =
  'a|all h|human-readable H|si k P|portability T|print-type l|local i|inodes! m total! sync no-sync B|block-size=! t|type=! x|exclude-type=! output=?!'
const ABSENT = ['i', 'B', 't', 'x', 'output', 'total']

/** Prints `-` for all sizes, as GNU does for an unknown size, because storages report no size. */
export const dfCommand: OwnCommand = command('df', { usage: 'df [-hHkmPT] [FILE]...' }, run)

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('df', args, OPTIONS)
  const absent = ABSENT.find((id) => given.has(id))
  if (absent !== undefined) {
    throw new Failure(
      `${absent.length === 1 ? '-' : '--'}${absent} is not supported in this shell: sizes of storages are not known, use du for those of files`,
    )
  }
  const report = new Report('df')
  let rows = given.operands.length === 0 ? 1 : 0
  for (const name of given.operands) {
    if (await statOf(context, name)) rows++
    else report.fail(`${name}: No such file or directory`)
  }
  if (rows === 0) return report.result('')
  const line = ['virtual', ...(given.has('T') ? ['virtual'] : []), '-', '-', '-', '-', '/']
  const headings = headingsOf(given)
  const widths = line.map((cell, i) => Math.max(cell.length, (headings[i] as string).length, LEAST[headings[i] as string] ?? 0))
  const shown = [headings, ...Array.from({ length: rows }, () => line)].map(
    (cells) => `${cells.map((cell, i) => aligned(cell, i, widths, headings)).join(' ')}\n`,
  )
  return report.result(shown.join(''))
}

const LEAST: Readonly<Record<string, number>> = { Filesystem: 14, Size: 5, Used: 5, Avail: 5 }

function headingsOf(given: Given): string[] {
  const unit = given.last('h', 'H', 'k', 'm')
  const human = unit === 'h' || unit === 'H'
  const size = human ? 'Size' : unit === 'm' ? '1M-blocks' : given.has('P') ? '1024-blocks' : '1K-blocks'
  const left = human && !given.has('P') ? 'Avail' : 'Available'
  return ['Filesystem', ...(given.has('T') ? ['Type'] : []), size, 'Used', left, given.has('P') ? 'Capacity' : 'Use%', 'Mounted on']
}

function aligned(cell: string, at: number, widths: readonly number[], headings: readonly string[]): string {
  if (at === headings.length - 1) return cell
  const isText = at === 0 || headings[at] === 'Type'
  return isText ? cell.padEnd(widths[at] as number) : cell.padStart(widths[at] as number)
}
