import { batches, Printout, pacedLines } from '../bulk.js'
import type { CommandContext, OwnCommand, OwnResult } from '../command.js'
import { command, Failure } from '../failure.js'
import { parseOptions } from '../options.js'
import { Pace } from '../pace.js'
import { codingOf, Report, readSources } from '../repaired/text-io.js'

export const fmtCommand: OwnCommand = command('fmt', { usage: 'fmt [-WIDTH] [OPTION]... [FILE]...' }, run)

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('fmt', args, 's|split-only u|uniform-spacing w|width= g|goal=', { number: 'w' })
  const width = Number(given.value('w') ?? 75)
  if (!(Number.isInteger(width) && width >= 1 && width <= 2500)) throw new Failure(`invalid width: '${given.value('w')}'`)
  const goal = Number(given.value('g') ?? Math.floor((width * 187) / 200))
  if (!(goal >= 0 && goal <= width)) throw new Failure(`invalid goal: '${given.value('g')}'`)
  const report = new Report('fmt')
  const sources = await readSources(context, given.operands, report, {
    tell: (name, words) => `cannot open '${name}' for reading: ${words}`,
  })
  const data = sources.map((source) => source.data)
  const { decode, encode } = codingOf(data, context.env)
  const out = new Printout(context)
  const pace = new Pace(context)
  for (const each of data) {
    const paragraphs = paragraphsOf(await pacedLines(context, decode(each)), given.has('s'))
    for await (const batch of batches(context, paragraphs, 64))
      for (const one of batch) await fill(one, { width, goal, uniform: given.has('u'), out, pace })
  }
  return report.result(encode(out.text()))
}

interface Paragraph {
  readonly indent: string
  /** Of the lines behind the first. */
  readonly nextIndent: string
  readonly lines: readonly string[]
}

const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? ''

/** Lines of one indentation; a blank one is a paragraph without lines. */
function paragraphsOf(lines: readonly string[], alone: boolean): Paragraph[] {
  const found: { indent: string; nextIndent: string; lines: string[] }[] = []
  for (const line of lines) {
    const [indent, last] = [indentOf(line), found.at(-1)]
    if (line.trim() === '') found.push({ indent: '', nextIndent: '', lines: [] })
    else if (!alone && last && last.lines.length > 0 && last.nextIndent === indent) last.lines.push(line.trim())
    else found.push({ indent, nextIndent: indent, lines: [line.trim()] })
  }
  return found
}

interface Word {
  readonly text: string
  /** Behind it, where the line goes on. */
  readonly space: number
  readonly ends: boolean
}

const ENDS = /[.?!]["')\]]*$/

function wordsOf(lines: readonly string[], uniform: boolean): Word[] {
  return lines.flatMap((line) => {
    const parts = line.split(/([ \t]+)/)
    return parts.flatMap((text, at): Word[] => {
      if (at % 2 === 1) return []
      const gap = parts[at + 1]
      const ends = ENDS.test(text) && (gap === undefined || gap.length > 1)
      return [{ text, ends, space: gap === undefined || uniform ? (ends ? 2 : 1) : gap.length }]
    })
  })
}

/** Lines that become words in one go. */
const LINES = 256

interface Filling {
  readonly width: number
  readonly goal: number
  readonly uniform: boolean
  readonly out: Printout
  readonly pace: Pace
}

/** The breaks of least cost, as coreutils count it: how far each line is from the goal, and from the one before. */
async function fill({ indent, nextIndent, lines }: Paragraph, { width, goal, uniform, out, pace }: Filling): Promise<void> {
  if (lines.length === 0) return out.put('\n')
  const words: Word[] = []
  for (let at = 0; at < lines.length; at += LINES) {
    for (const word of wordsOf(lines.slice(at, at + LINES), uniform)) words.push(word)
    await pace.turn(500)
  }
  const count = words.length
  const costs = new Array<number>(count + 1).fill(0)
  const lengths = new Array<number>(count + 1).fill(0)
  const breaks = new Array<number>(count + 1).fill(count)
  for (let start = count - 1; start >= 0; start--) {
    if (start % 256 === 0) await pace.turn(500)
    let best = Number.POSITIVE_INFINITY
    let length = start === 0 ? indent.length : nextIndent.length
    for (let end = start + 1; end <= count; end++) {
      length += (words[end - 1] as Word).text.length
      const cost =
        lineCost({ words, end, length, goal, next: lengths[end] as number, last: breaks[end] as number }) + (costs[end] as number)
      if (cost < best) {
        best = cost
        breaks[start] = end
        lengths[start] = length
      }
      length += (words[end - 1] as Word).space
      if (length + (words[end]?.text.length ?? 0) > width) break
    }
    costs[start] = best + (start > 0 ? breakCost(words, start) : 0)
  }
  for (let start = 0; start < count; start = breaks[start] as number) {
    const end = breaks[start] as number
    const shown = words.slice(start, end).map(({ text, space }, i) => text + (start + i === end - 1 ? '' : ' '.repeat(space)))
    out.put(`${start === 0 ? indent : nextIndent}${shown.join('')}\n`)
  }
}

interface Line {
  readonly words: readonly Word[]
  readonly end: number
  readonly length: number
  readonly goal: number
  /** Of the line behind it. */
  readonly next: number
  readonly last: number
}

const EQUIVALENT = (columns: number): number => (columns * 10) ** 2

function lineCost({ words, end, length, goal, next, last }: Line): number {
  if (end === words.length) return 0
  const ragged = last === words.length ? 0 : EQUIVALENT(length - next) / 2
  return EQUIVALENT(goal - length) + ragged
}

/** Of a break in front of this word. */
function breakCost(words: readonly Word[], start: number): number {
  const before = words[start - 1] as Word
  const own = words[start] as Word
  let cost = 70 ** 2
  if (ENDS.test(before.text)) cost += before.ends ? -(50 ** 2) : 600 ** 2
  else if (/[,;:)\]}]$/.test(before.text)) cost -= 40 ** 2
  else if (start > 1 && (words[start - 2] as Word).ends) cost += 200 ** 2 / (before.text.length + 2)
  if (/^[([{"'`]/.test(own.text)) cost -= 40 ** 2
  else if (own.ends) cost += 150 ** 2 / (own.text.length + 2)
  return cost
}
