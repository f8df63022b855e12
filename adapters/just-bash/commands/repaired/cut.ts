import { packed } from '../bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from '../command.js'
import { command, Failure } from '../failure.js'
import { type Given, parseOptions } from '../options.js'
import { Pace } from '../pace.js'
import { codingOf, linesOf, Report, readSources } from './text-io.js'

export const cutCommand: OwnCommand = command('cut', { usage: 'cut OPTION... [FILE]...' }, run)

const HINT = "Try 'cut --help' for more information."

/** First and last, from 1. */
type Span = readonly [first: number, last: number]

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions(
    'cut',
    args,
    'b|bytes= c|characters= f|fields= d|delimiter= s|only-delimited n z|zero-terminated complement output-delimiter=',
  )
  const by = kindOf(given)
  const spans = spansOf(given.value(by) as string, by)
  const takes = (place: number): boolean => spans.some(([first, last]) => place >= first && place <= last) !== given.has('complement')
  const report = new Report('cut')
  const end = given.has('z') ? '\0' : '\n'
  const sources = await readSources(context, given.operands, report)
  // Bytes are taken one by one, characters whole.
  const bytes = by === 'b' ? { decode: (text: string) => text, encode: (text: string) => text, argument: packed } : undefined
  const pace = new Pace(context)
  const out: string[] = []
  for (const { data } of sources) {
    const coding = bytes ?? codingOf([data], context.env)
    const delimiter = coding.argument(given.value('d') ?? '\t')
    const joint = given.has('output-delimiter') ? coding.argument(given.value('output-delimiter') as string) : undefined
    for (const line of linesOf(coding.decode(data), end)) {
      if (out.length % 256 === 0) await pace.turn(512)
      const part = by === 'f' ? fields(line, delimiter, joint ?? delimiter, takes) : characters(line, joint ?? '', takes)
      // A line without the delimiter is printed whole.
      if (part !== undefined || !given.has('s')) out.push(coding.encode(part ?? line) + end)
    }
  }
  return report.result(out.join(''))
}

function kindOf(given: Given): 'b' | 'c' | 'f' {
  const kinds = given.options.flatMap(({ id }): ('b' | 'c' | 'f')[] => (id === 'b' || id === 'c' || id === 'f' ? [id] : []))
  const [kind] = kinds
  if (kind === undefined) throw new Failure(`you must specify a list of bytes, characters, or fields\n${HINT}`)
  if (kinds.length > 1) throw new Failure(`only one list may be specified\n${HINT}`)
  if (kind !== 'f' && given.has('d')) throw new Failure(`an input delimiter may be specified only when operating on fields\n${HINT}`)
  if (kind !== 'f' && given.has('s'))
    throw new Failure(`suppressing non-delimited lines makes sense\n\tonly when operating on fields\n${HINT}`)
  if ([...(given.value('d') ?? '\t')].length !== 1) throw new Failure(`the delimiter must be a single character\n${HINT}`)
  return kind
}

function spansOf(text: string, by: string): readonly Span[] {
  const spans = text.split(/[, \t]/).map((part): Span => {
    const [, first = '', dash = '', last = ''] = /^(\d*)(-?)(\d*)$/.exec(part) ?? []
    if (first === '' && last === '') throw new Failure(`invalid ${by === 'f' ? 'field' : 'byte or character'} range\n${HINT}`)
    if (Number(first || '1') === 0 || last === '0')
      throw new Failure(`${by === 'f' ? 'fields' : 'byte/character positions'} are numbered from 1\n${HINT}`)
    const from = Number(first || '1')
    const to = dash === '' ? from : last === '' ? Number.POSITIVE_INFINITY : Number(last)
    if (to < from) throw new Failure(`invalid decreasing range\n${HINT}`)
    return [from, to]
  })
  // Those that meet are one: no delimiter comes between them.
  const merged: [number, number][] = []
  for (const [first, last] of spans.sort((a, b) => a[0] - b[0])) {
    const before = merged.at(-1)
    if (before && first <= before[1]) before[1] = Math.max(before[1], last)
    else merged.push([first, last])
  }
  return merged
}

function fields(line: string, delimiter: string, joint: string, takes: (place: number) => boolean): string | undefined {
  if (!line.includes(delimiter)) return undefined
  return line
    .split(delimiter)
    .filter((_, i) => takes(i + 1))
    .join(joint)
}

function characters(line: string, joint: string, takes: (place: number) => boolean): string {
  const runs: string[] = []
  let taking = false
  let place = 0
  for (const char of line) {
    const takesIt = takes(++place)
    if (takesIt && taking) runs[runs.length - 1] += char
    else if (takesIt) runs.push(char)
    taking = takesIt
  }
  return runs.join(joint)
}
