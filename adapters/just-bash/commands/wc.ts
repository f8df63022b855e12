import { Printout } from './shared/bulk.js'
import { packed, textOf } from './shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { errorWords } from './shared/errno.js'
import { command, Failure } from './shared/failure.js'
import { type Given, parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { portOf } from './shared/port.js'
import { bytesNamed, linesOf, Report } from './shared/text-io.js'

const COUNTS = ['l', 'w', 'm', 'c', 'L'] as const
/** Minimum number of characters per chunk. A chunk extends to the end of the line. */
const PIECE = 65_536
/** Width of a number if the input size is unknown. */
const STREAM_DIGITS = 7
type Counts = Record<(typeof COUNTS)[number], number>

export const wcCommand: OwnCommand = command('wc', { usage: 'wc [OPTION]... [FILE]...' }, run)

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('wc', args, 'l|lines w|words m|chars c|bytes L|max-line-length files0-from=')
  const out = new Printout(context)
  const report = new Report('wc', out)
  const wanted = COUNTS.filter((id) => given.has(id))
  const chosen = wanted.length === 0 ? ['l', 'w', 'c'] : wanted
  const list = given.value('files0-from')
  const names = await namesOf(given, context)
  const rows: { readonly counts: Counts; readonly name: string }[] = []
  const complaints: { readonly before: number; readonly message: string }[] = []
  const complain = (message: string): void => void complaints.push({ before: rows.length, message })
  const pace = new Pace(context)
  let size = 0
  const readsStream = (names.length === 0 || names.includes('-')) && !portOf(context)?.readsFile
  let least = readsStream ? STREAM_DIGITS : 1
  for (const [i, name] of (names.length === 0 && list === undefined ? ['-'] : names).entries()) {
    if (name === '') complain(`${list}:${i + 1}: invalid zero-length file name`)
    else if (name === '-' && list === '-') complain("when reading file names from stdin, no file name of '-' allowed")
    if (name === '' || (name === '-' && list === '-')) continue
    try {
      const data = await bytesNamed(context, name)
      await pace.turn(data.length / 50)
      size += data.length
      rows.push({ counts: await countsOf(data, chosen, pace), name })
    } catch (error) {
      const words = errorWords(error)
      complain(`${quotedName(name)}: ${words}`)
      if (words !== 'Is a directory') continue
      rows.push({ counts: { l: 0, w: 0, m: 0, c: 0, L: 0 }, name })
      least = STREAM_DIGITS
    }
  }
  const total = { l: 0, w: 0, m: 0, c: 0, L: 0 }
  for (const { counts } of rows) for (const id of COUNTS) total[id] = id === 'L' ? Math.max(total.L, counts.L) : total[id] + counts[id]
  // Like GNU, numbers are as wide as the total size, but a single number is not padded. Names from standard input are unknown in advance.
  const width = list === '-' || (names.length <= 1 && chosen.length === 1) ? 1 : Math.max(least, String(size).length)
  const line = (counts: Counts, name: string): string =>
    `${COUNTS.filter((id) => chosen.includes(id))
      .map((id) => String(counts[id]).padStart(width))
      .join(' ')}${name === '' ? '' : ` ${quotedName(name)}`}\n`
  const complainAt = (row: number): void => {
    while (complaints[0]?.before === row) report.fail(complaints.shift()?.message ?? '')
  }
  for (const [row, { counts, name }] of rows.entries()) {
    complainAt(row)
    out.put(packed(line(counts, names.length === 0 ? '' : name)))
  }
  complainAt(rows.length)
  if (names.length > 1) out.put(line(total, 'total'))
  return report.result(out.text())
}

async function namesOf(given: Given, context: CommandContext): Promise<readonly string[]> {
  const list = given.value('files0-from')
  if (list === undefined) return given.operands
  if (given.operands.length > 0)
    throw new Failure(`extra operand '${given.operands[0]}'\nfile operands cannot be combined with --files0-from`)
  const bytes = await bytesNamed(context, list).catch((error: unknown) => {
    throw new Failure(`cannot open '${list}' for reading: ${errorWords(error)}`)
  })
  return linesOf(textOf(bytes), '\0')
}

/** Quotes a name, as GNU does, only if it contains a line break. */
const quotedName = (name: string): string =>
  name.includes('\n') ? `'${name.replaceAll("'", "'\\''").replaceAll('\n', () => "'$'\\n''")}'` : name

async function countsOf(data: string, chosen: readonly string[], pace: Pace): Promise<Counts> {
  const wants = (id: string): boolean => chosen.includes(id)
  const counts = { l: 0, w: 0, m: 0, c: data.length, L: 0 }
  if (wants('l')) counts.l = await linesIn(data, pace)
  if (!wants('w') && !wants('m') && !wants('L')) return counts
  const text = textOf(data)
  for (let at = 0; at < text.length; ) {
    // Whole lines, so that no word or character is split.
    const stop = text.indexOf('\n', at + PIECE)
    const piece = text.slice(at, stop < 0 ? text.length : stop + 1)
    await pace.turn(piece.length >> 4)
    if (wants('w')) counts.w += wordsIn(piece)
    if (wants('m')) counts.m += piece.length - (piece.match(/[\udc80-\udcff]|[^\0-\uffff]/gu)?.length ?? 0)
    if (wants('L')) for (const line of piece.split('\n')) counts.L = Math.max(counts.L, columnsOf(line))
    at += piece.length
  }
  return counts
}

/** ASCII table with 1 for white space, for branch-free counting. */
const SPACES = Uint8Array.from({ length: 128 }, (_, code) => Number(code === 0x20 || (code >= 0x09 && code <= 0x0d)))

function wordsIn(text: string): number {
  let count = 0
  let before = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // Beyond ASCII, use the engine's definition of white space.
    if (code > 0x7f) return text.match(/\S+/g)?.length ?? 0
    const space = SPACES[code] as number
    count += before & (space ^ 1)
    before = space
  }
  return count
}

async function linesIn(data: string, pace: Pace): Promise<number> {
  let count = 0
  for (let at = data.indexOf('\n'); at >= 0; at = data.indexOf('\n', at + 1)) if (++count % PIECE === 0) await pace.turn(PIECE >> 6)
  return count
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u

/** Returns the width of a line in terminal columns. */
export function columnsOf(line: string): number {
  if (/^[ -~]*$/.test(line)) return line.length
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
