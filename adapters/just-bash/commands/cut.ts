import { lineBatches, Printout } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { type Given, parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { eachSource, Report } from './shared/text-io.js'

export const cutCommand: OwnCommand = command('cut', { usage: 'cut OPTION... [FILE]...' }, run)

const HINT = "Try 'cut --help' for more information."

/** First and last position, counted from 1. */
type Span = readonly [first: number, last: number]

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions(
    'cut',
    args,
    'b|bytes= c|characters= f|fields= d|delimiter= s|only-delimited n z|zero-terminated complement output-delimiter=',
  )
  const by = kindOf(given)
  const chosen = spansOf(given.value(by) as string, by)
  const spans = given.has('complement') ? otherSpans(chosen) : chosen
  const pace = new Pace(context)
  const out = new Printout(context)
  const report = new Report('cut', out)
  const end = given.has('z') ? '\0' : '\n'
  const delimiter = packed(delimiterOf(given))
  const joint = given.has('output-delimiter') ? packed(given.value('output-delimiter') as string) : undefined
  const suppressed = given.has('s')
  for await (const { data } of eachSource(context, given.operands, report)) {
    const records = by === 'f' && delimiter === end ? [linesAsFields(data, end)] : lineBatches(context, data, end)
    for await (const lines of records)
      for (const line of lines) {
        const part =
          by === 'f' ? await fields(line, { delimiter, joint: joint ?? delimiter, spans, pace }) : characters(line, joint ?? '', spans)
        // A line without the delimiter is printed whole.
        if (part !== undefined || !suppressed) out.put((part ?? line) + end)
      }
  }
  return report.result(out.text())
}

/**
 * Returns the records if the delimiter is the line end (`-d $'\n'`): the whole text is one record, and its lines are the fields. Removes
 * the final line end, except from a text of only one line.
 */
function linesAsFields(text: string, end: string): string[] {
  if (text === '') return []
  return [text.endsWith(end) && text.indexOf(end) < text.length - 1 ? text.slice(0, -1) : text]
}

const delimiterOf = (given: Given): string => given.value('d')?.replace(/^$/, '\0') ?? '\t'

function kindOf(given: Given): 'b' | 'c' | 'f' {
  const kinds = given.options.flatMap(({ id }): ('b' | 'c' | 'f')[] => (id === 'b' || id === 'c' || id === 'f' ? [id] : []))
  const [kind] = kinds
  if (kind === undefined) throw new Failure(`you must specify a list of bytes, characters, or fields\n${HINT}`)
  if (kinds.length > 1) throw new Failure(`only one list may be specified\n${HINT}`)
  if (kind !== 'f' && given.has('d')) throw new Failure(`an input delimiter may be specified only when operating on fields\n${HINT}`)
  if (kind !== 'f' && given.has('s'))
    throw new Failure(`suppressing non-delimited lines makes sense\n\tonly when operating on fields\n${HINT}`)
  if (packed(delimiterOf(given)).length !== 1) throw new Failure(`the delimiter must be a single character\n${HINT}`)
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
  // Merge overlapping spans, so that no delimiter is printed between them.
  const merged: [number, number][] = []
  for (const [first, last] of spans.sort((a, b) => a[0] - b[0])) {
    const before = merged.at(-1)
    if (before && first <= before[1]) before[1] = Math.max(before[1], last)
    else merged.push([first, last])
  }
  return merged
}

/** Returns the spans between the given ones. */
function otherSpans(spans: readonly Span[]): readonly Span[] {
  const others: Span[] = []
  let next = 1
  for (const [first, last] of spans) {
    if (first > next) others.push([next, first - 1])
    next = Math.max(next, last + 1)
  }
  if (next < Number.POSITIVE_INFINITY) others.push([next, Number.POSITIVE_INFINITY])
  return others
}

interface Cutting {
  readonly delimiter: string
  readonly joint: string
  readonly spans: readonly Span[]
  readonly pace: Pace
}

/** Number of fields to skip between two checks whether to yield to the event loop. */
const TURN = 65_536

/** Returns the selected fields, or undefined if the line has no delimiter. Copies only these fields, because a line may have millions. */
async function fields(line: string, { delimiter, joint, spans, pace }: Cutting): Promise<string | undefined> {
  let end = line.indexOf(delimiter)
  if (end < 0) return undefined
  const parts: string[] = []
  let start = 0
  let field = 1
  /** Moves to a field. Returns false if the field does not exist. */
  const goTo = async (wanted: number): Promise<boolean> => {
    for (; field < wanted; field++) {
      if (end < 0) return false
      start = end + delimiter.length
      end = line.indexOf(delimiter, start)
      if (field % TURN === 0) await pace.turn(TURN >> 5)
    }
    return true
  }
  for (const [first, last] of spans) {
    if (!(await goTo(first))) break
    const from = start
    const whole = last === Number.POSITIVE_INFINITY || !(await goTo(last))
    const part = line.slice(from, whole || end < 0 ? line.length : end)
    parts.push(joint === delimiter ? part : part.replaceAll(delimiter, () => joint))
    if (whole) break
  }
  return parts.join(joint)
}

function characters(line: string, joint: string, spans: readonly Span[]): string {
  const chars = /[\ud800-\udfff]/.test(line) ? [...line] : undefined
  const runs: string[] = []
  for (const [first, last] of spans) {
    if (first > (chars ?? line).length) break
    runs.push(chars ? chars.slice(first - 1, last).join('') : line.slice(first - 1, last))
  }
  return runs.join(joint)
}
