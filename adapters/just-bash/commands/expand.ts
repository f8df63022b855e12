import { Printout } from './shared/bulk.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { type Given, parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { eachSource, Report } from './shared/text-io.js'

export const tabCommands: readonly OwnCommand[] = [
  command('expand', { usage: 'expand [OPTION]... [FILE]...' }, (args, context) => run('expand', args, context)),
  command('unexpand', { usage: 'unexpand [OPTION]... [FILE]...' }, (args, context) => run('unexpand', args, context)),
]

async function run(name: string, args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const isExpand = name === 'expand'
  // `-4,8` is a list of stops, not a group of letters.
  const listed = args.map((arg) => (/^-\d[\d,]*$/.test(arg) ? `--tabs=${arg.slice(1)}` : arg))
  const given = parseOptions(name, listed, isExpand ? 'i|initial t|tabs=' : 'a|all first-only t|tabs=')
  const stops = stopsOf(given)
  const out = new Printout(context)
  const report = new Report(name, out)
  const pace = new Pace(context)
  const all = !given.has('first-only') && (given.has('a') || given.has('t'))
  for await (const { data } of eachSource(context, given.operands, report)) {
    // Like GNU, counts bytes as columns.
    const lines = data.split('\n')
    for (const [i, line] of lines.entries()) {
      await pace.turn(1 + (line.length >> 5))
      out.put((isExpand ? expanded(line, stops, given.has('i')) : unexpanded(line, stops, all)) + (i === lines.length - 1 ? '' : '\n'))
    }
  }
  return report.result(out.text())
}

/** Returns the column of the next tab stop, or undefined after the last stop. */
type Stops = (column: number) => number | undefined

const EIGHT = 8

function stopsOf(given: Given): Stops {
  const words = given.values('t').flatMap((list) => list.split(/[ \t,]+/).filter(Boolean))
  const fixed: number[] = []
  let [step, offset] = [0, 0]
  for (const [i, word] of words.entries()) {
    const found = /^([/+]?)(\d+)$/.exec(word)
    if (!found) throw new Failure(`tab size contains invalid character(s): '${word}'`)
    const size = Number(found[2])
    if (size === 0 && found[1] === '') throw new Failure('tab size cannot be 0')
    if (size > 1_000_000) throw new Failure(`tab stop is too large '${word}'`)
    if (found[1] !== '' && i !== words.length - 1) throw new Failure(`'${found[1]}' specifier only allowed with the last value`)
    if (found[1] !== '') {
      step = size
      offset = found[1] === '+' ? (fixed.at(-1) ?? 0) : 0
    } else {
      if (size <= (fixed.at(-1) ?? 0)) throw new Failure('tab sizes must be ascending')
      fixed.push(size)
    }
  }
  const [only] = fixed
  if (words.length === 0) step = EIGHT
  else if (fixed.length === 1 && step === 0) {
    step = only as number
    fixed.pop()
  }
  return (column) =>
    fixed.find((stop) => stop > column) ?? (step > 0 ? offset + (Math.floor((column - offset) / step) + 1) * step : undefined)
}

function expanded(line: string, stops: Stops, initial: boolean): string {
  let [out, column] = ['', 0]
  for (const char of line) {
    if (char === '\t') {
      const next = stops(column) ?? column + 1
      out += ' '.repeat(next - column)
      column = next
      continue
    }
    if (initial && char !== ' ') return out + line.slice(lengthUntil(line, char))
    out += char
    column = char === '\b' ? Math.max(0, column - 1) : column + 1
  }
  return out
}

const lengthUntil = (line: string, char: string): number => line.indexOf(char)

/** Converts blanks before a tab stop to a tab, except a single blank directly before a stop. */
function unexpanded(line: string, stops: Stops, all: boolean): string {
  let [out, column, held] = ['', 0, '']
  let [isBlank, isAlone, converts] = [true, false, true]
  for (const char of line) {
    const wasBlank = isBlank
    let shown = char
    isBlank = char === ' ' || char === '\t'
    const stop = converts && isBlank ? stops(column) : undefined
    if (stop !== undefined) {
      column = char === '\t' ? stop : column + 1
      if (char === ' ' && !(wasBlank && column === stop)) {
        isAlone ||= column === stop
        held += char
        continue
      }
      shown = '\t'
      held = isAlone ? '\t' : ''
    } else if (char === '\b') column = Math.max(0, column - 1)
    else column++
    out += (held.length > 1 && isAlone ? `\t${held.slice(1)}` : held) + shown
    held = ''
    isAlone = false
    converts &&= all || isBlank
  }
  return out + held
}
