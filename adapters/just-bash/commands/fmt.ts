import { Printout, pacedLines } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { eachSource, Report } from './shared/text-io.js'

export const fmtCommand: OwnCommand = command('fmt', { usage: 'fmt [-WIDTH] [OPTION]... [FILE]...' }, run)

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('fmt', args, 's|split-only u|uniform-spacing w|width= g|goal= p|prefix=', { number: 'w' })
  const width = Number(given.value('w') ?? (given.has('g') ? Number(given.value('g')) + 10 : 75))
  if (!(Number.isInteger(width) && width >= 1 && width <= 2500)) throw new Failure(`invalid width: '${given.value('w')}'`)
  const goal = Number(given.value('g') ?? Math.floor((width * 187) / 200))
  if (!(goal >= 0 && goal <= width)) throw new Failure(`invalid goal: '${given.value('g')}'`)
  const out = new Printout(context)
  const report = new Report('fmt', out)
  const tell = (name: string, words: string): string => `cannot open '${name}' for reading: ${words}`
  const pace = new Pace(context)
  const read = readerOf(packed(given.value('p') ?? ''))
  for await (const { data } of eachSource(context, given.operands, report, { tell })) {
    const put = (text: string): void => out.put(text)
    // Like GNU, counts bytes as columns.
    for (const one of paragraphsOf(await pacedLines(context, data), given.has('s'), read)) {
      await pace.turn()
      if (typeof one === 'string') put(`${one}\n`)
      else await fill(one, { width, goal, uniform: given.has('u'), put, pace })
    }
  }
  return report.result(out.text())
}

interface Paragraph {
  readonly indent: string
  /** Indentation of all lines after the first. */
  readonly nextIndent: string
  readonly lines: readonly string[]
}

interface Line {
  readonly indent: string
  readonly text: string
}

/** Returns a `Line` to fill, or a string to print on a line of its own. */
type Reader = (line: string) => Line | string

const indentOf = (text: string): string => /^[ \t]*/.exec(text)?.[0] ?? ''

/** Removes white space at both ends. Does not use `trim`, because a single byte of a character may look like a Unicode space. */
function trimmed(text: string): string {
  let end = text.length
  while (end > 0 && /[ \t\r\f\v]/.test(text[end - 1] as string)) end--
  return text.slice(indentOf(text).length, end)
}

/** Returns the reader for `-p`: only lines that begin with the prefix are filled. An empty prefix means all lines. */
function readerOf(prefix: string): Reader {
  const mark = trimmed(prefix)
  if (prefix === '') return (line) => (trimmed(line) === '' ? '' : { indent: indentOf(line), text: trimmed(line) })
  const lead = indentOf(prefix).length
  return (line) => {
    const indent = indentOf(line)
    if (!line.startsWith(mark, indent.length) || indent.length < lead) return trimmed(line) === '' ? '' : line
    const rest = line.slice(indent.length + mark.length)
    const space = indentOf(rest)
    const text = trimmed(rest)
    if (text === '') return indent + mark
    return mark.length + space.length < prefix.length - lead ? line : { indent: indent + mark + space, text }
  }
}

/** Joins consecutive lines with the same indentation into paragraphs; with `alone` (`-s`), each line is its own paragraph. */
function paragraphsOf(lines: readonly string[], alone: boolean, read: Reader): (Paragraph | string)[] {
  const found: ({ indent: string; nextIndent: string; lines: string[] } | string)[] = []
  for (const line of lines) {
    const [one, last] = [read(line), found.at(-1)]
    if (typeof one === 'string') found.push(one)
    else if (!alone && typeof last === 'object' && last.nextIndent === one.indent) last.lines.push(one.text)
    else found.push({ indent: one.indent, nextIndent: one.indent, lines: [one.text] })
  }
  return found
}

interface Word {
  readonly text: string
  /** Number of spaces after the word, unless the line ends there. */
  readonly space: number
  /** Whether the word ends with a mark that may end a sentence. */
  readonly isPeriod: boolean
  /** Whether the word ends a sentence or the paragraph. */
  readonly isFinal: boolean
}

const PERIOD = /[.?!][)\]'"]*$/
const PUNCTUATION = /[!-/:-@[-`{-~]$/
const OPENING = /^[(['`"]/

function wordsOf(lines: readonly string[], uniform: boolean): Word[] {
  const words = lines.flatMap((line) => {
    const parts = line.split(/([ \t]+)/)
    return parts.flatMap((text, at): Word[] => {
      if (at % 2 === 1) return []
      const gap = parts[at + 1]
      const isPeriod = PERIOD.test(text)
      const isFinal = isPeriod && (gap === undefined || gap.length > 1)
      return [{ text, isPeriod, isFinal, space: gap === undefined || uniform ? (isFinal ? 2 : 1) : gap.length }]
    })
  })
  const last = words.pop()
  return last ? [...words, { ...last, isPeriod: true, isFinal: true }] : words
}

interface Filling {
  readonly width: number
  readonly goal: number
  readonly uniform: boolean
  readonly put: (text: string) => void
  readonly pace: Pace
}

/**
 * Fills a paragraph. Like coreutils, chooses the line breaks with the lowest total cost. A line costs more the further its length is from
 * `goal` and from the length of the next line.
 */
async function fill({ indent, nextIndent, lines }: Paragraph, { width, goal, uniform, put, pace }: Filling): Promise<void> {
  const words = wordsOf(lines, uniform)
  const count = words.length
  const costs = new Array<number>(count + 1).fill(0)
  const lengths = new Array<number>(count + 1).fill(0)
  const breaks = new Array<number>(count + 1).fill(count)
  for (let start = count - 1; start >= 0; start--) {
    await pace.turn(1 + (width >> 5))
    let best = Number.POSITIVE_INFINITY
    let length = (start === 0 ? indent.length : nextIndent.length) + (words[start] as Word).text.length
    for (let end = start + 1; end <= count; end++) {
      const ragged = breaks[end] === count ? 0 : squared((length - (lengths[end] as number)) * 10) / 2
      const cost = (end === count ? 0 : squared((goal - length) * 10) + ragged) + (costs[end] as number)
      if (cost < best) {
        best = cost
        breaks[start] = end
        lengths[start] = length
      }
      length += (words[end - 1] as Word).space + (words[end]?.text.length ?? 0)
      if (length >= width) break
    }
    costs[start] = best + breakCost(words, start)
  }
  for (let start = 0; start < count; start = breaks[start] as number) {
    const end = breaks[start] as number
    const shown = words.slice(start, end).map(({ text, space }, i) => text + (start + i === end - 1 ? '' : ' '.repeat(space)))
    put(`${start === 0 ? indent : nextIndent}${shown.join('')}\n`)
  }
}

const squared = (value: number): number => value * value

/** Returns the additional cost of starting a line with this word. */
function breakCost(words: readonly Word[], start: number): number {
  const [earlier, before, own] = [words[start - 2], words[start - 1], words[start] as Word]
  let cost = squared(70)
  if (before?.isPeriod) cost += before.isFinal ? -squared(50) : squared(600)
  else if (before && PUNCTUATION.test(before.text)) cost -= squared(40)
  else if (before && earlier?.isFinal) cost += Math.floor(squared(200) / (before.text.length + 2))
  if (OPENING.test(own.text)) cost -= squared(40)
  else if (own.isFinal) cost += Math.floor(squared(150) / (own.text.length + 2))
  return cost
}
