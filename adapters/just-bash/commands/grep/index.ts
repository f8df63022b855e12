import { Printout } from '../shared/bulk.js'
import type { CommandContext, OwnCommand, OwnResult } from '../shared/command.js'
import { errorWords } from '../shared/errno.js'
import { command, Failure } from '../shared/failure.js'
import { pathOf, told } from '../shared/files.js'
import { Pace } from '../shared/pace.js'
import { LONG_LINE, loadLongest, mayNeedLongest } from '../shared/regex/regex.js'
import { bytesNamed, type Coding, codingOf, decoded, linesOf, Report } from '../shared/text-io.js'
import { type LineMatcher, matcherFor } from './matcher.js'
import { type GrepOptions, readOptions } from './options.js'
import { type SearchOptions, searchLines } from './search.js'
import { filesBelow, wantedBy } from './walk.js'

export const grepCommands: readonly OwnCommand[] = ['grep', 'egrep', 'fgrep'].map((name) =>
  command(name, { status: 2, usage: `${name} [OPTION]... PATTERNS [FILE]...` }, (args, context) => run(name, args, context)),
)

/** Digits of the largest possible file size, 2^63 - 1. */
const STREAM_DIGITS = 19

async function run(name: string, args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const options = readOptions(name, args)
  const { given } = options
  const { patterns, names } = await patternsOf(options, context)
  const out = new Printout(context)
  const report = new Report('grep', out)
  const recursive = given.last('r', 'R') !== undefined || given.value('d') === 'recurse'
  const named = given.last('H', 'h')
  const withName = named === undefined ? names.length > 1 || (recursive && (await holdsFiles(context, names[0]))) : named === 'H'
  const pace = new Pace(context)
  const end = given.has('z') ? '\0' : '\n'
  const matchers = new Matchers(patterns, options)
  const shared = { ...options, context, withName, end, pace }
  const list = given.last('l', 'L')
  const [counts, quiet, zero] = [given.has('c'), given.has('q'), given.has('Z')]
  const readsText = given.has('a') || given.value('binary-files') === 'text' || end !== '\n'
  const skipsBinary = given.has('I') || given.value('binary-files') === 'without-match'
  let matched = false
  await matchers.load(patterns)

  for await (const file of filesOf(context, names, given, recursive, report)) {
    const data = await readFile(context, file, options, report, recursive)
    if (data === undefined) continue
    const said = decoded(data)
    const coding = codingOf(said === undefined ? [data] : [], context.env)
    const binary = !readsText && (said === undefined || data.includes('\0'))
    if (binary && skipsBinary) continue
    const shownName = file === '-' ? (given.value('label') ?? '(standard input)') : file
    const text = coding.unicode ? (said ?? data) : data
    if (text.length > LONG_LINE) await loadLongest()
    // `-T` pads numbers to the width of the largest possible number. For a stream, the size is unknown.
    const width = given.has('T') ? (file === '-' ? STREAM_DIGITS : String(data.length + (given.has('n') ? 1 : 0)).length) : 0
    const { shown, selected } = await searchLines(text, { name: shownName, width }, matchers.settings(coding, shared))
    if (selected > 0) matched = true
    if (quiet) {
      if (matched) break
      continue
    }
    if (list !== undefined) {
      if (selected > 0 === (list === 'l')) out.put(coding.encode(shownName) + (zero ? '\0' : '\n'))
    } else if (counts) out.put(`${withName ? coding.encode(shownName) + (zero ? '\0' : ':') : ''}${selected}\n`)
    else if (binary && selected > 0) report.say(`grep: ${shownName}: binary file matches\n`)
    else out.put(coding.encode(shown.text()))
  }
  return report.result(out.text(), quiet && matched ? 0 : report.status > 0 ? 2 : matched ? 0 : 1)
}

async function patternsOf({ given }: GrepOptions, context: CommandContext): Promise<{ patterns: string[]; names: readonly string[] }> {
  const texts: string[] = []
  for (const { id, value = '' } of given.options) {
    if (id === 'e') texts.push(value)
    if (id === 'f') {
      const bytes = await told(value, () => bytesNamed(context, value), 2)
      if (bytes !== '') texts.push(linesOf(decoded(bytes) ?? bytes).join('\n'))
    }
  }
  const explicit = given.has('e') || given.has('f')
  const [pattern, ...rest] = given.operands
  if (!explicit && pattern === undefined)
    throw new Failure("missing pattern\nUsage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information.", 2)
  const all = explicit ? texts : [pattern as string]
  return { patterns: all.flatMap((text) => text.split('\n')), names: explicit ? given.operands : rest }
}

async function* filesOf(
  context: CommandContext,
  names: readonly string[],
  given: GrepOptions['given'],
  recursive: boolean,
  report: Report,
): AsyncGenerator<string> {
  const excluded = given.values('exclude-from').map(async (name) => linesOf(await told(name, () => bytesNamed(context, name), 2)))
  const options = {
    follow: given.has('R'),
    include: given.values('include'),
    exclude: [...given.values('exclude'), ...(await Promise.all(excluded)).flat().filter((line) => line !== '')],
    excludeDir: given.values('exclude-dir'),
  }
  if (!recursive) {
    const wanted = wantedBy(options)
    yield* names.length === 0 ? ['-'] : names.filter((name) => name === '-' || wanted(name))
    return
  }
  for (const name of names) if (name === '') report.fail(': No such file or directory', 2)
  for (const name of names.length === 0 ? [''] : names.filter((each) => each !== '')) {
    if (name === '-') yield name
    else yield* filesBelow(context, name, options, report)
  }
}

const holdsFiles = async (context: CommandContext, name = '.'): Promise<boolean> =>
  (await context.fs.stat(pathOf(context, name)).catch(() => undefined))?.isDirectory ?? false

async function readFile(
  context: CommandContext,
  file: string,
  { given }: GrepOptions,
  report: Report,
  recursive: boolean,
): Promise<string | undefined> {
  try {
    return await bytesNamed(context, file)
  } catch (error) {
    const words = errorWords(error)
    if (words === 'Is a directory' && (recursive || given.value('d') === 'skip')) return undefined
    if (given.has('s')) report.status = 2
    else report.fail(`${file}: ${words}`, 2)
    return undefined
  }
}

/** Settings for the search. Patterns are compiled on first use, separately for text and for bytes. */
class Matchers {
  readonly #patterns: readonly string[]
  readonly #options: GrepOptions
  readonly #made = new Map<boolean, SearchOptions>()

  constructor(patterns: readonly string[], options: GrepOptions) {
    this.#patterns = patterns
    this.#options = options
  }

  async load(patterns: readonly string[]): Promise<void> {
    if (patterns.some(mayNeedLongest)) await loadLongest()
  }

  settings(coding: Coding, shared: Omit<SearchOptions, 'matcher' | 'unicode'>): SearchOptions {
    const kept = this.#made.get(coding.unicode)
    if (kept) return kept
    const made = { ...shared, matcher: this.#compiled(coding), unicode: coding.unicode }
    this.#made.set(coding.unicode, made)
    return made
  }

  #compiled(coding: Coding): LineMatcher {
    const { given, syntax } = this.#options
    return matcherFor(this.#patterns.map(coding.argument), {
      syntax,
      ignoreCase: given.has('i') && !given.has('no-ignore-case'),
      whole: given.has('x') ? 'line' : given.has('w') ? 'word' : undefined,
      unicode: coding.unicode,
    })
  }
}
