import { batches, lineBatches, mergeRuns, Printout, pacedSort } from '../shared/bulk.js'
import { bytesOf, packed } from '../shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from '../shared/command.js'
import { command, Failure, TooLarge } from '../shared/failure.js'
import { pathOf, told } from '../shared/files.js'
import { type Given, parseOptions } from '../shared/options.js'
import { Pace } from '../shared/pace.js'
import { Report, readSources } from '../shared/text-io.js'
import { byBytes, compareRanks, headOf, rankOf } from './compare.js'
import { type Key, keyText, orderingOf, parseKey } from './keys.js'

const OPTIONS =
  'b|ignore-leading-blanks d|dictionary-order f|ignore-case g|general-numeric-sort i|ignore-nonprinting M|month-sort h|human-numeric-sort ' +
  'n|numeric-sort R|random-sort V|version-sort r|reverse k|key= t|field-separator= s|stable u|unique c|check=? C m|merge o|output= ' +
  'z|zero-terminated S|buffer-size= T|temporary-directory= parallel= batch-size= compress-program= files0-from=! debug! random-source= sort='

const SORTS: Readonly<Record<string, string>> = {
  'general-numeric': 'g',
  'human-numeric': 'h',
  month: 'M',
  numeric: 'n',
  random: 'R',
  version: 'V',
}

export const sortCommand: OwnCommand = command('sort', { status: 2, usage: 'sort [OPTION]... [FILE]...' }, run)

interface Line {
  readonly text: string
  /** The first rank, or its beginning, packed into a number. Comparing numbers is many times faster than comparing texts. */
  readonly head: number
  readonly ranks: readonly (string | number)[]
}

/** Maximum number of lines. */
const MAX_LINES = 4_000_000
const NO_RANKS: readonly string[] = []

type Compare = (a: Line, b: Line) => number

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('sort', args, OPTIONS, { status: 2 })
  const check = given.last('c', 'C')
  if (check && given.has('o')) throw new Failure(`options '-${check}o' are incompatible`, 2)
  if (given.has('debug')) throw new Failure('--debug is not supported in this shell', 2)
  if (check && given.operands.length > 1) throw new Failure(`extra operand '${given.operands[1]}' not allowed with -${check}`, 2)
  if (given.has('files0-from')) throw new Failure('--files0-from is not supported in this shell', 2)
  const size = given.value('S')
  if (size !== undefined && !/^\d+[%bkKMGTPEZYRQ]?$/.test(size)) throw new Failure(`invalid -S argument '${size}'`, 2)
  const report = new Report('sort')
  const end = given.has('z') ? '\0' : '\n'
  const sources = await readSources(context, given.operands, report, { status: 2, tell: (name, words) => `cannot read: ${name}: ${words}` })
  if (report.status > 0) return report.result('')
  const general = lettersOf(given)
  const separator = separatorOf(given)
  const keys = given.values('k').map((text) => parseKey(text, general))
  const all: readonly Key[] = keys.length > 0 || general.replace('r', '') === '' ? keys : [wholeLine(general)]
  const compare = comparison(all, given, general)
  const pace = new Pace(context)
  const unique = given.has('u')
  // With `-u` and no keys, drop identical lines before sorting.
  const merges = given.has('m')
  const seen = unique && all.length === 0 && !check && !merges ? new Set<string>() : undefined
  const lines: Line[] = []
  const runs: Line[][] = []
  for (const { data } of sources) {
    const from = lines.length
    for await (const batch of lineBatches(context, data, end)) {
      for (const text of batch) {
        if (seen?.has(text)) continue
        seen?.add(text)
        const ranks = all.length === 0 ? NO_RANKS : all.map((key) => rankOf(keyText(text, key, separator), key.ordering))
        lines.push({ text, head: headOf(all.length === 0 ? text : (ranks[0] as string | number), all[0]?.ordering), ranks })
      }
      if (lines.length > MAX_LINES)
        throw new TooLarge(`more than ${MAX_LINES} lines to sort: sort the input in parts, and merge these with sort -m`)
    }
    if (merges) runs.push(lines.slice(from))
  }
  if (check)
    return checked(lines, compare, given, sources[0]?.name ?? '-', check === 'C' || /^(quiet|silent)$/.test(given.value('c') ?? ''))
  const sorted = merges ? await mergeRuns(runs, compare, pace) : await pacedSort(lines, compare, pace)
  const out = new Printout(context)
  let before: Line | undefined
  for await (const batch of batches(context, sorted)) {
    const texts: string[] = []
    for (const line of batch) {
      if (!(unique && before && compare(before, line) === 0)) texts.push(line.text)
      before = line
    }
    if (texts.length > 0) out.put(texts.join(end) + end)
  }
  const bytes = out.text()
  const output = given.value('o')
  if (output === undefined) return report.result(bytes)
  await told(`open failed: ${output}`, () => context.fs.writeFile(pathOf(context, output), bytesOf(bytes)), 2)
  return report.result('')
}

function lettersOf(given: Given): string {
  const long = given.value('sort')
  const letters = given.options.map(({ id }) => (id.length === 1 && 'bdfgiMhnRVr'.includes(id) ? id : '')).join('')
  if (long === undefined) return letters
  const letter = SORTS[long]
  if (letter === undefined) throw new Failure(`invalid argument '${long}' for '--sort'`, 2)
  return letters + letter
}

function separatorOf(given: Given): string | undefined {
  const value = given.value('t')
  if (value === undefined) return undefined
  if (value === '\\0') return '\0'
  if (value === '') throw new Failure('empty tab', 2)
  const bytes = packed(value)
  if (bytes.length > 1) throw new Failure(`multi-character tab '${value}'`, 2)
  return bytes
}

function wholeLine(letters: string): Key {
  const skipBlanks = letters.includes('b')
  return { begin: { field: 1, char: 1, skipBlanks }, end: undefined, ordering: orderingOf(letters) }
}

function comparison(keys: readonly Key[], given: Given, general: string): Compare {
  const reverse = general.includes('r')
  const lastResort = keys.length === 0 || !(given.has('s') || given.has('u'))
  const first = keys[0]?.ordering.reverse ?? reverse
  return (a, b) => {
    if (a.head !== b.head) return a.head < b.head === first ? 1 : -1
    for (let i = 0; i < keys.length; i++) {
      const { ordering } = keys[i] as Key
      const order = compareRanks(a.ranks[i] as string, b.ranks[i] as string, ordering)
      if (order !== 0) return ordering.reverse ? -order : order
    }
    if (!lastResort) return 0
    const order = byBytes(a.text, b.text)
    return reverse ? -order : order
  }
}

function checked(lines: readonly Line[], compare: Compare, given: Given, name: string, quiet: boolean): OwnResult {
  const report = new Report('sort', '', quiet)
  const wrong = lines.findIndex((line, i) => {
    const order = i === 0 ? -1 : compare(lines[i - 1] as Line, line)
    return order > 0 || (order === 0 && given.has('u'))
  })
  if (wrong >= 0) report.fail(`${name}:${wrong + 1}: disorder: ${lines[wrong]?.text}`)
  return report.result('')
}
