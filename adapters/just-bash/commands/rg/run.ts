import { searchLines } from '../grep/search.js'
import { Printout } from '../shared/bulk.js'
import { packed } from '../shared/bytes.js'
import type { CommandContext, OwnResult } from '../shared/command.js'
import { errorWords } from '../shared/errno.js'
import { Failure } from '../shared/failure.js'
import { told } from '../shared/files.js'
import type { Given } from '../shared/options.js'
import { Pace } from '../shared/pace.js'
import { bytesNamed, codingOf, decoded, linesOf, Report } from '../shared/text-io.js'
import { asGrep, numberOf, readOptions } from './options.js'
import { Patterns } from './pattern.js'
import { TYPES } from './types.js'
import { Walk, type WalkedFile } from './walk.js'

const NO_FILES =
  "No files were searched, which means ripgrep probably applied a filter you didn't expect.\nRunning with --debug will show why files are being skipped."

export async function runRg(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = readOptions(args)
  const out = new Printout(context)
  const report = new Report('rg', out, given.has('no-messages'))
  if (given.has('type-list')) {
    for (const [name, globs] of TYPES) out.put(`${name}: ${globs.join(', ')}\n`)
    return report.result(out.text(), 0)
  }
  const { patterns, names } = await operandsOf(given, context)
  const search = new Search(given, patterns, context, report, out)
  const walk = new Walk(context, given, report)
  // Without a path, search standard input. If there is no input, search the working directory.
  const paths = names.length > 0 ? names : context.stdin !== '' && !given.has('files') ? ['-'] : ['']
  const isOne = paths.length === 1 && (paths[0] === '-' || (await isFile(context, paths[0] as string)))
  let searched = 0
  for (const path of paths) {
    const files = path === '-' ? [{ name: '-', isExplicit: true }] : walk.from(path)
    for await (const file of files) {
      searched++
      if (given.has('files')) search.list(file.name)
      else await search.file(file, isOne)
      if (search.matched && given.has('q')) return report.result('', 0)
    }
  }
  if (searched === 0 && report.status === 0 && !given.has('files')) report.fail(NO_FILES, 0)
  return report.result(out.text(), report.status > 0 ? 2 : search.matched ? 0 : 1)
}

async function isFile({ fs, cwd }: CommandContext, name: string): Promise<boolean> {
  const stat = await fs.stat(fs.resolvePath(cwd, name === '' ? '.' : name)).catch(() => undefined)
  return stat !== undefined && !stat.isDirectory
}

async function operandsOf(given: Given, context: CommandContext): Promise<{ patterns: readonly string[]; names: readonly string[] }> {
  if (given.has('files')) return { patterns: [''], names: given.operands }
  if (!given.has('e') && !given.has('f')) {
    const [pattern, ...names] = given.operands
    if (pattern === undefined) throw new Failure('The following required arguments were not provided: <PATTERN>', 2)
    return { patterns: [pattern], names }
  }
  const patterns: string[] = []
  for (const { id, value = '' } of given.options) {
    if (id === 'e') patterns.push(value)
    if (id !== 'f') continue
    const bytes = await told(value, () => bytesNamed(context, value), 2)
    patterns.push(...linesOf(decoded(bytes) ?? bytes))
  }
  return { patterns, names: given.operands }
}

class Search {
  matched = false
  readonly #given: Given
  readonly #context: CommandContext
  readonly #report: Report
  readonly #out: Printout
  readonly #patterns: Patterns
  readonly #pace: Pace
  readonly #lists: string | undefined
  readonly #grep: Given

  constructor(given: Given, patterns: readonly string[], context: CommandContext, report: Report, out: Printout) {
    this.#given = given
    this.#context = context
    this.#report = report
    this.#out = out
    this.#patterns = new Patterns(given, patterns)
    this.#pace = new Pace(context)
    const lists = given.last('c', 'count-matches', 'l', 'files-without-match')
    this.#lists = lists === 'c' && given.has('o') && !given.has('v') ? 'count-matches' : lists
    this.#grep = asGrep(given, this.#lists)
  }

  list(name: string): void {
    this.matched = true
    this.#out.put(packed(name) + (this.#given.has('0') ? '\0' : '\n'))
  }

  async file({ name, isExplicit }: WalkedFile, isOne: boolean): Promise<void> {
    const given = this.#given
    const data = await bytesNamed(this.#context, name).catch((error: unknown) => {
      this.#report.fail(`${name}: ${errorWords(error)}`, 2)
      return undefined
    })
    if (data === undefined) return
    const isBinary = data.includes('\0') && !given.has('a') && given.options.filter(({ id }) => id === 'u').length < 3
    if (isBinary && !isExplicit) return
    const coding = codingOf([data], this.#context.env)
    const text = coding.decode(data)
    const shown = name === '-' ? '<stdin>' : name
    const lists = this.#lists
    const withName = given.last('H', 'I') === 'H' || (given.last('H', 'I') !== 'I' && !isOne)
    const counts = lists === 'count-matches'
    const around = numberOf(given, 'C') ?? 0
    const { shown: printed, selected } = await searchLines(
      text,
      { name: shown, width: 0 },
      {
        given: this.#grep,
        syntax: 'extended',
        before: numberOf(given, 'B') ?? around,
        after: numberOf(given, 'A') ?? around,
        max: numberOf(given, 'm') ?? Number.POSITIVE_INFINITY,
        color: false,
        context: this.#context,
        matcher: await this.#patterns.for(text, coding.unicode),
        withName: withName && !counts,
        end: '\n',
        pace: this.#pace,
        unicode: coding.unicode,
      },
    )
    if (selected > 0 !== (lists === 'files-without-match')) this.matched = true
    if (given.has('q')) return
    const head = withName ? coding.encode(shown) + (given.has('0') ? '\0' : ':') : ''
    if (lists === 'l' || lists === 'files-without-match') {
      if (selected > 0 === (lists === 'l')) this.#out.put(coding.encode(shown) + (given.has('0') ? '\0' : '\n'))
    } else if (lists !== undefined) {
      const count = counts ? printed.text().split('\n').length - 1 : selected
      if (count > 0 || given.has('include-zero')) this.#out.put(`${head}${count}\n`)
    } else if (isBinary && selected > 0)
      this.#out.put(
        `${withName ? `${coding.encode(shown)}: ` : ''}binary file matches (found "\\0" byte around offset ${data.indexOf('\0')})\n`,
      )
    else this.#out.put(coding.encode(printed.text()))
  }
}
