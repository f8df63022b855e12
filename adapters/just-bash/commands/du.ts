import { blocksOf, humanSize } from './ls/entry.js'
import { Printout } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { errorWords } from './shared/errno.js'
import { command, Failure } from './shared/failure.js'
import { pathOf } from './shared/files.js'
import { compileFnmatch, type NameMatcher } from './shared/fnmatch.js'
import { type Given, parseOptions } from './shared/options.js'
import { Report } from './shared/text-io.js'

const OPTIONS =
  'a|all b|bytes c|total h|human-readable s|summarize k m d|max-depth= apparent-size S|separate-dirs exclude= 0|null D|dereference-args H L|dereference! ' +
  'P|no-dereference x|one-file-system si B|block-size= t|threshold=! time=?! l|count-links'

export const duCommand: OwnCommand = command('du', { usage: 'du [OPTION]... [FILE]...' }, run)

interface Walk {
  readonly given: Given
  readonly context: CommandContext
  readonly report: Report
  readonly out: Printout
  /** End of each output line: `\n`, or `\0` with `-0`. */
  readonly end: string
  readonly most: number
  readonly exclude: readonly NameMatcher[]
  show(size: number): string
}

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('du', args, OPTIONS)
  for (const id of ['L', 't', 'time']) if (given.has(id)) throw new Failure(`the option '-${id}' is not supported in this shell`)
  if (given.has('s') && given.has('a')) throw new Failure('cannot both summarize and show all entries')
  const depth = given.value('d')
  if (depth !== undefined && !/^\d+$/.test(depth)) throw new Failure(`invalid maximum depth '${depth}'`)
  const out = new Printout(context)
  const report = new Report('du', out)
  const walk: Walk = {
    given,
    context,
    report,
    out,
    end: given.has('0') ? '\0' : '\n',
    most: given.has('s') ? 0 : Number(depth ?? Number.POSITIVE_INFINITY),
    exclude: given.values('exclude').map((glob) => compileFnmatch(glob)),
    show: shower(given),
  }
  let total = 0
  for (const name of given.operands.length === 0 ? ['.'] : given.operands) {
    try {
      total += await measure(walk, name, 0)
    } catch (error) {
      report.fail(`cannot access '${name}': ${errorWords(error)}`)
    }
  }
  if (given.has('c')) out.put(`${walk.show(total)}\ttotal${walk.end}`)
  return report.result(out.text())
}

function shower(given: Given): (size: number) => string {
  if (given.has('h')) return (size) => humanSize(size)
  if (given.has('si')) return (size) => humanSize(size, 1000)
  const last = given.last('b', 'k', 'm', 'B')
  const text = given.value('B') ?? '1K'
  const named = /^(\d*)([KMG]?)B?$/.exec(text)
  if (!named) throw new Failure(`invalid --block-size argument '${text}'`)
  const block =
    last === 'b' ? 1 : last === 'm' ? 1_048_576 : last === 'B' ? Number(named[1] || 1) * 1024 ** ' KMG'.indexOf(named[2] || ' ') : 1024
  return (size) => String(Math.ceil(size / block))
}

/** Measures an entry, for a directory with everything below it. Resolves to the size, and prints it if the options show this entry. */
async function measure(walk: Walk, name: string, depth: number): Promise<number> {
  const { given, context, out, most, end } = walk
  const path = pathOf(context, name)
  const stat = await (depth === 0 && (given.has('D') || given.has('H')) ? context.fs.stat(path) : context.fs.lstat(path))
  const apparent = given.has('b') || given.has('apparent-size')
  let size = apparent ? (stat.isDirectory ? 4096 : stat.size) : blocksOf(stat) * 1024
  let shown = size
  if (stat.isDirectory) {
    for (const entry of await context.fs.readdirWithFileTypes(path)) {
      if (walk.exclude.some((matches) => matches(entry.name))) continue
      const below = await measure(walk, `${name.replace(/\/+$/, '') || (name.startsWith('/') ? '' : name)}/${entry.name}`, depth + 1)
      size += below
      if (!given.has('S') || !entry.isDirectory) shown += below
    }
  }
  if (depth <= most && (stat.isDirectory || given.has('a') || depth === 0)) out.put(packed(`${walk.show(shown)}\t${name}${end}`))
  return size
}
