import { packed, textOf } from '../bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from '../command.js'
import { errorWords } from '../errno.js'
import { command, Failure } from '../failure.js'
import { type Given, parseOptions } from '../options.js'
import { Pace } from '../pace.js'
import { bytesNamed, Report } from './text-io.js'

const COUNTS = ['l', 'w', 'm', 'c', 'L'] as const
/** Characters that are counted in one go, and the rest of their line. */
const PIECE = 65_536
type Counts = Record<(typeof COUNTS)[number], number>

export const wcCommand: OwnCommand = command('wc', { usage: 'wc [OPTION]... [FILE]...' }, run)

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('wc', args, 'l|lines w|words m|chars c|bytes L|max-line-length files0-from=')
  const report = new Report('wc')
  const chosen = given.options.length === 0 ? ['l', 'w', 'c'] : COUNTS.filter((id) => given.has(id))
  const names = await namesOf(given, context)
  const rows: { readonly counts: Counts; readonly name: string }[] = []
  const pace = new Pace(context)
  let size = 0
  for (const name of names.length === 0 ? ['-'] : names) {
    try {
      const data = await bytesNamed(context, name)
      await pace.turn(data.length / 50)
      size += data.length
      rows.push({ counts: await countsOf(data, chosen, pace), name })
    } catch (error) {
      const words = errorWords(error)
      report.fail(`${name}: ${words}`)
      if (words === 'Is a directory') rows.push({ counts: { l: 0, w: 0, m: 0, c: 0, L: 0 }, name })
    }
  }
  const total = { l: 0, w: 0, m: 0, c: 0, L: 0 }
  for (const { counts } of rows) for (const id of COUNTS) total[id] = id === 'L' ? Math.max(total.L, counts.L) : total[id] + counts[id]
  // As GNU does: the width is that of the sizes together, and 7 where one is not known.
  const piped = names.length === 0 || names.includes('-')
  const width = names.length <= 1 && chosen.length === 1 ? 1 : Math.max(piped ? 7 : 1, String(size).length)
  const line = (counts: Counts, name: string): string =>
    `${COUNTS.filter((id) => chosen.includes(id))
      .map((id) => String(counts[id]).padStart(width))
      .join(' ')}${name === '' ? '' : ` ${name}`}\n`
  const lines = rows.map(({ counts, name }) => line(counts, names.length === 0 ? '' : name))
  if (names.length > 1) lines.push(line(total, 'total'))
  return report.result(packed(lines.join('')))
}

async function namesOf(given: Given, context: CommandContext): Promise<readonly string[]> {
  const list = given.value('files0-from')
  if (list === undefined) return given.operands
  if (given.operands.length > 0)
    throw new Failure(`extra operand '${given.operands[0]}'\nfile operands cannot be combined with --files0-from`)
  return (await bytesNamed(context, list)).split('\0').filter((name) => name !== '')
}

async function countsOf(data: string, chosen: readonly string[], pace: Pace): Promise<Counts> {
  const wants = (id: string): boolean => chosen.includes(id)
  const counts = { l: 0, w: 0, m: 0, c: data.length, L: 0 }
  if (wants('l')) counts.l = await linesIn(data, pace)
  if (!wants('w') && !wants('m') && !wants('L')) return counts
  const text = textOf(data)
  for (let at = 0; at < text.length; ) {
    // Whole lines: no word and no character goes across.
    const stop = text.indexOf('\n', at + PIECE)
    const piece = text.slice(at, stop < 0 ? text.length : stop + 1)
    await pace.turn(piece.length >> 4)
    if (wants('w')) counts.w += piece.match(/\S+/g)?.length ?? 0
    if (wants('m')) counts.m += piece.length - (piece.match(/[\udc80-\udcff]|[^\0-\uffff]/gu)?.length ?? 0)
    if (wants('L')) for (const line of piece.split('\n')) counts.L = Math.max(counts.L, columns(line))
    at += piece.length
  }
  return counts
}

async function linesIn(data: string, pace: Pace): Promise<number> {
  let count = 0
  for (let at = data.indexOf('\n'); at >= 0; at = data.indexOf('\n', at + 1)) if (++count % PIECE === 0) await pace.turn(PIECE >> 6)
  return count
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u

function columns(line: string): number {
  let width = 0
  let most = 0
  for (const char of line) {
    if (char === '\t') width += 8 - (width % 8)
    else if (char === '\r' || char === '\f') {
      most = Math.max(most, width)
      width = 0
    } else if (char >= ' ' && char !== '\x7f' && !/\p{M}/u.test(char)) width += WIDE.test(char) ? 2 : 1
  }
  return Math.max(most, width)
}
