import { Printout } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import type { CommandContext, OwnCommand } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { compileRegex, loadLongest, type Regex } from './shared/regex/regex.js'
import { eachSource, Report } from './shared/text-io.js'

export const tacCommand: OwnCommand = command('tac', { usage: 'tac [OPTION]... [FILE]...' }, run)

interface Found {
  readonly start: number
  readonly end: number
}

/** Returns the last separator that ends at or before a position. */
type Finder = (before: number) => Found | undefined

async function run(args: readonly string[], context: CommandContext) {
  const given = parseOptions('tac', args, 'b|before r|regex s|separator=')
  const separator = packed(given.value('s') ?? '\n') || '\0'
  await loadLongest()
  const regex = given.has('r') ? compiled(separator) : undefined
  const out = new Printout(context)
  const report = new Report('tac')
  const pace = new Pace(context)
  const tell = (name: string, words: string): string => `failed to open '${name}' for reading: ${words}`
  for await (const { data } of eachSource(context, given.operands, report, { tell })) {
    const finder = regex ? await matches(data, regex, pace) : texts(data, separator)
    await reverse(data, finder, given.has('b'), { out, pace })
  }
  return report.result(out.text())
}

interface Work {
  readonly out: Printout
  readonly pace: Pace
}

async function reverse(data: string, finder: Finder, isBefore: boolean, { out, pace }: Work): Promise<void> {
  let [end, isFirst] = [data.length, true]
  for (let found = finder(data.length); found; found = finder(found.start)) {
    await pace.turn()
    const border = isBefore ? found.start : found.end
    // A trailing separator belongs to the last record.
    if (isBefore || !isFirst || border !== end) out.put(data.slice(border, end))
    end = border
    isFirst = false
  }
  out.put(data.slice(0, end))
}

const texts =
  (data: string, separator: string): Finder =>
  (before) => {
    if (before < separator.length) return undefined
    const start = data.lastIndexOf(separator, before - separator.length)
    return start < 0 ? undefined : { start, end: start + separator.length }
  }

/** Finds all matches, also overlapping ones. The finder retries a match that ends after `before` on the text before `before`. */
async function matches(data: string, regex: Regex, pace: Pace): Promise<Finder> {
  const found: Found[] = []
  for (let at = 0; at < data.length; ) {
    await pace.turn()
    const match = regex.exec(data, at)
    if (!match || match.index >= data.length) break
    found.push({ start: match.index, end: match.end })
    at = match.index + 1
  }
  return (before) => {
    for (let last = found.pop(); last; last = found.pop()) {
      if (last.start >= before) continue
      if (last.end <= before) return last
      const match = regex.exec(data.slice(0, before), last.start)
      if (match?.index === last.start) return { start: match.index, end: match.end }
    }
    return undefined
  }
}

/** Converts the Emacs syntax that tac uses to a basic expression: `+` and `?` are repetition operators, `\+` and `\?` are literal. */
const asBasic = (source: string): string =>
  source.replace(/\[\^?\]?[^\]]*\]|\\.|[+?]/gs, (part) =>
    part === '+' || part === '?' ? `\\${part}` : /^\\[+?]$/.test(part) ? part.slice(1) : part,
  )

function compiled(separator: string): Regex {
  try {
    return compileRegex(asBasic(separator), { extended: false, unicode: false, multiline: true })
  } catch (error) {
    throw error instanceof Failure ? new Failure(error.message) : error
  }
}
