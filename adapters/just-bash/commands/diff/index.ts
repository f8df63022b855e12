import type { BashStat } from '../../../../src/workspace/facades/to-bash-fs.js'
import { mapped, Printout, pacedLines } from '../shared/bulk.js'
import { packed } from '../shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from '../shared/command.js'
import { ERROR_WORDS, errorWords } from '../shared/errno.js'
import { command, Failure } from '../shared/failure.js'
import { pathOf } from '../shared/files.js'
import { compileFnmatch, type NameMatcher } from '../shared/fnmatch.js'
import { type Given, parseOptions } from '../shared/options.js'
import { Pace } from '../shared/pace.js'
import { quotedWord } from '../shared/quoted-word.js'
import { compileRegex } from '../shared/regex/regex.js'
import { bytesNamed, decoded, Report } from '../shared/text-io.js'
import { formatTime } from '../shared/time/format.js'
import { zoneOf } from '../shared/time/zone.js'
import { type Change, changesOf, type Lines } from './compare.js'
import { type Formats, formatsOf, showFormatted } from './formats.js'
import { type Section, type Side, showBeside, showContext, showEd, showNormal, showRcs, showUnified } from './show.js'

const OPTIONS =
  'u U= unified=? c C= context=? y|side-by-side W|width= q|brief s|report-identical-files r|recursive N|new-file a|text b|ignore-space-change ' +
  'w|ignore-all-space B|ignore-blank-lines i|ignore-case E|ignore-tab-expansion! Z|ignore-trailing-space x|exclude= L|label= strip-trailing-cr ' +
  'color=? suppress-common-lines p|show-c-function F|show-function-line= I|ignore-matching-lines= normal no-dereference d|minimal ' +
  'H|speed-large-files horizon-lines= t|expand-tabs T|initial-tab unidirectional-new-file e|ed n|rcs D|ifdef= old-group-format= new-group-format= ' +
  'unchanged-group-format= changed-group-format= old-line-format= new-line-format= unchanged-line-format= line-format='

const UNIFIED = ['u', 'U', 'unified']
const CONTEXT = ['c', 'C', 'context']
const STYLES = [...UNIFIED, ...CONTEXT, 'y', 'e', 'n', 'normal']

export const diffCommand: OwnCommand = command('diff', { status: 2, usage: 'diff [OPTION]... FILES' }, run)

interface Settings {
  readonly given: Given
  readonly context: CommandContext
  readonly report: Report
  readonly out: Printout
  readonly pace: Pace
  readonly exclude: readonly NameMatcher[]
  readonly formats: Formats | undefined
  differ: boolean
}

interface File {
  readonly name: string
  readonly stat: BashStat | undefined
  /**
   * With `-N`: whether the file is missing. A missing file compares as an empty file, or as an empty directory if the other side is a
   * directory.
   */
  readonly missing?: boolean
}

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('diff', args, OPTIONS, { status: 2, number: 'number' })
  const [first, second, extra] = given.operands
  if (first === undefined || second === undefined) {
    throw new Failure(`missing operand${first === undefined ? '' : ` after '${first}'`}\nTry 'diff --help' for more information.`, 2)
  }
  if (extra !== undefined) throw new Failure(`extra operand '${extra}'\nTry 'diff --help' for more information.`, 2)
  for (const id of ['T', 'E']) if (given.has(id)) throw new Failure(`-${id} is not supported in this shell`, 2)
  if (given.value('color') === 'always') throw new Failure('--color=always is not supported in this shell: leave it out', 2)
  if (!/^(?:auto|never)$/.test(given.value('color') ?? 'auto')) throw new Failure(`invalid color '${given.value('color')}'`, 2)
  if (given.has('t') && given.last(...STYLES) === 'y') throw new Failure('-t with -y is not supported in this shell', 2)
  for (const value of ['U', 'unified', 'C', 'context'].flatMap((id) => given.values(id)))
    if (!/^\d+$/.test(value)) throw new Failure(`invalid context length '${value}'`, 2)
  const out = new Printout(context)
  const settings: Settings = {
    given,
    context,
    report: new Report('diff', out),
    out,
    pace: new Pace(context),
    exclude: given.values('x').map((glob) => compileFnmatch(glob)),
    formats: formatsOf(given),
    differ: false,
  }
  const [a, b] = await filesAt(settings, [first, second])
  const [aFolder, bFolder] = [(a.missing ? b : a).stat?.isDirectory, (b.missing ? a : b).stat?.isDirectory]
  if (settings.report.status === 0) {
    if (aFolder && bFolder && settings.formats) throw new Failure('-D option not supported with directories', 2)
    if (aFolder && bFolder) await compareFolders(settings, a, b)
    else if (aFolder) await compareNamed(settings, joined(first, baseOf(second)), second)
    else if (bFolder) await compareNamed(settings, first, joined(second, baseOf(first)))
    else await compareFiles(settings, a, b)
  }
  return settings.report.result(settings.out.text(), settings.report.status || (settings.differ ? 1 : 0))
}

const joined = (folder: string, name: string): string => (folder.endsWith('/') ? folder + name : `${folder}/${name}`)
const baseOf = (name: string): string => name.replace(/\/+$/, '').replace(/^.*\//, '')

async function filesAt(settings: Settings, names: readonly [string, string], mayMiss = true): Promise<readonly [File, File]> {
  const { context, report } = settings
  const stats = await Promise.all(
    names.map((name) => (name === '-' ? undefined : context.fs.stat(pathOf(context, name)).catch((error: unknown) => errorWords(error)))),
  )
  const file = (at: 0 | 1): File => {
    const [name, stat] = [names[at], stats[at]]
    if (typeof stat !== 'string') return { name, stat }
    const missing = mayMiss && isNew(settings, at) && stat === ERROR_WORDS.ENOENT && typeof stats[1 - at] !== 'string'
    if (!missing) report.fail(`${name}: ${stat}`, 2)
    return { name, stat: undefined, missing }
  }
  return [file(0), file(1)]
}

/** Whether a missing file on this side is treated as empty. */
const isNew = ({ given }: Settings, side: number): boolean => given.has('N') || (side === 0 && given.has('unidirectional-new-file'))

async function compareNamed(settings: Settings, a: string, b: string): Promise<void> {
  const [before, after] = await filesAt(settings, [a, b], false)
  if (settings.report.status === 0) await compareFiles(settings, before, after)
}

async function compareFolders(settings: Settings, one: File, other: File): Promise<void> {
  const { given, out, context } = settings
  const [a, b] = [one.name, other.name]
  const [left, right] = [await namesIn(settings, one), await namesIn(settings, other)]
  for (const name of [...new Set([...left.keys(), ...right.keys()])].sort(byCodePoint)) {
    const [x, y] = [joined(a, name), joined(b, name)]
    const [inLeft, inRight] = [left.has(name), right.has(name)]
    if (!(inLeft && inRight) && !isNew(settings, inLeft ? 1 : 0)) {
      out.put(`Only in ${packed(inLeft ? a : b)}: ${packed(name)}\n`)
      settings.differ = true
      continue
    }
    const stats = await Promise.all([x, y].map((path) => context.fs.stat(pathOf(context, path)).catch(() => undefined)))
    const folders = stats.map((stat) => stat?.isDirectory)
    const [before, after] = [
      { name: x, stat: stats[0], missing: !inLeft },
      { name: y, stat: stats[1], missing: !inRight },
    ] as const
    if (folders[0] !== folders[1] && inLeft && inRight) {
      const kind = (i: number): string => (folders[i] ? 'directory' : 'regular file')
      out.put(packed(`File ${x} is a ${kind(0)} while file ${y} is a ${kind(1)}\n`))
      settings.differ = true
    } else if (folders[0] || folders[1]) {
      if (given.has('r')) await compareFolders(settings, before, after)
      else out.put(packed(`Common subdirectories: ${x} and ${y}\n`))
    } else await compareFiles(settings, before, after, true)
  }
}

async function namesIn({ context, exclude, report }: Settings, { name: folder, missing }: File): Promise<ReadonlySet<string>> {
  const read = missing ? Promise.resolve([]) : context.fs.readdir(pathOf(context, folder))
  const names = await read.catch((error: unknown) => {
    report.fail(`${folder}: ${errorWords(error)}`, 2)
    return []
  })
  return new Set(names.filter((name) => !exclude.some((matches) => matches(name))))
}

const byCodePoint = (a: string, b: string): number => {
  const [x, y] = [packed(a), packed(b)]
  return x < y ? -1 : x > y ? 1 : 0
}

async function compareFiles(settings: Settings, a: File, b: File, inFolders = false): Promise<void> {
  const { given, out } = settings
  const [before, after] = [await bytesOf(settings, a), await bytesOf(settings, b)]
  if (before === undefined || after === undefined) return
  const same = (): void => {
    if (given.has('s')) out.put(packed(`Files ${a.name} and ${b.name} are identical\n`))
  }
  if (before === after && !settings.formats) return same()
  const told = (): string => packed(`Files ${a.name} and ${b.name} differ\n`)
  if (!given.has('a') && [before, after].some((data) => data.slice(0, 8000).includes('\0'))) {
    settings.differ = true
    out.put(given.has('q') ? told() : `Binary f${told().slice(1)}`)
    return
  }
  const [left, right] = [await sideOf(settings, a, before, 0), await sideOf(settings, b, after, 1)]
  const keys = keysOf(given)
  const numbers = new Map<string, number>()
  const lines = [await numbered(settings, left, keys, numbers), await numbered(settings, right, keys, numbers)] as const
  const all = await changesOf(...lines, settings.pace)
  const changes = await withIgnored(settings, left, right, all)
  if (changes.every(({ ignored }) => ignored) && !settings.formats) return same()
  settings.differ ||= changes.some(({ ignored }) => !ignored)
  if (given.has('q')) {
    out.put(told())
    return
  }
  if (inFolders) out.put(packed(`diff ${optionWords(given)}${quotedWord(a.name)} ${quotedWord(b.name)}\n`))
  const counting = changes.filter(({ ignored }) => !ignored)
  if (settings.formats) return showFormatted({ formats: settings.formats, out, pace: settings.pace }, left, right, counting)
  // `-p` without another style means `-c`.
  const style = given.last(...STYLES) ?? (given.has('p') ? 'c' : undefined)
  if (style === 'e') {
    for (const [{ name }, { unended }] of [
      [a, left],
      [b, right],
    ] as const)
      if (unended) settings.report.fail(`${name}: No newline at end of file\n`, 2)
    if (settings.report.status !== 0) return
  }
  let count = 0
  const inHunks = [...UNIFIED, ...CONTEXT].includes(style ?? '') ? changes : counting
  for (const line of shown(settings, style, await spaced(settings, left), await spaced(settings, right), inHunks)) {
    out.put(line)
    if (++count % 1024 === 0) await settings.pace.turn(300)
  }
}

/** Yields the output lines, including their line breaks. */
function* shown({ given }: Settings, style: string | undefined, left: Side, right: Side, changes: readonly Change[]): Generator<string> {
  if (style === 'n') return yield* showRcs(right, changes)
  const widths = [...UNIFIED, ...CONTEXT].flatMap((id) => (given.has(id) ? [given.value(id)] : []))
  const explicit = widths.flatMap((value) => (value === undefined ? [] : [Number(value)]))
  const obsolete = given.value('number')
  const bare =
    explicit.length < Math.max(widths.length, given.has('p') ? 1 : 0) && (obsolete === undefined || explicit.length > 0) ? [3] : []
  // Like GNU, use the largest of several widths.
  const around = Math.max(...explicit, ...bare, Number(obsolete ?? 0))
  const lines = UNIFIED.includes(style ?? '')
    ? showUnified(left, right, changes, around, sectionOf(given))
    : CONTEXT.includes(style ?? '')
      ? showContext(left, right, changes, around, sectionOf(given))
      : style === 'y'
        ? showBeside(left, right, changes, Number(given.value('W') ?? 130), given.has('suppress-common-lines'))
        : style === 'e'
          ? showEd(right, changes)
          : showNormal(left, right, changes)
  for (const line of lines) yield `${line}\n`
}

/** Returns the options for the `diff` line that precedes each pair of files when directories are compared. */
function optionWords(given: Given): string {
  return given.options
    .map(({ id, value }) => {
      if (id === 'number') return `-${value} `
      const dashed = id.length === 1 ? `-${id}` : `--${id}`
      return `${dashed}${value === undefined ? '' : id.length === 1 ? ` ${quotedWord(value)}` : `=${quotedWord(value)}`} `
    })
    .join('')
    .replace(/-(\w) (?=-\w )/g, '-$1')
    .replace(/(-\w)-(?=\w )/g, '$1')
}

async function bytesOf({ context, report }: Settings, { name, missing }: File): Promise<string | undefined> {
  if (missing) return ''
  try {
    return await bytesNamed(context, name)
  } catch (error) {
    report.fail(`${name}: ${errorWords(error)}`, 2)
    return undefined
  }
}

async function sideOf({ context, given }: Settings, { name, stat }: File, data: string, at: number): Promise<Side> {
  const label = given.values('L')[at]
  const time = formatTime((stat?.mtime ?? new Date(0)).getTime(), '%Y-%m-%d %H:%M:%S.%N %z', zoneOf(context.env))
  const shown = /["\\\s]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name
  const text = given.has('strip-trailing-cr') ? data.replaceAll('\r\n', '\n') : data
  const lines = await pacedLines(context, text)
  const unended = !text.endsWith('\n')
  return { header: packed(label ?? `${shown}\t${time}`), lines, unended: unended && data !== '' }
}

/** Marks changes as ignored if all their lines are blank (`-B`) or match a pattern (`-I`). */
async function withIgnored({ given, context }: Settings, left: Side, right: Side, changes: readonly Change[]): Promise<readonly Change[]> {
  const patterns = given.values('I').map((source) => compileRegex(source, { extended: false, unicode: false }))
  if (!given.has('B') && patterns.length === 0) return changes
  const isIgnored = (line: string): boolean => (given.has('B') && line === '') || patterns.some((pattern) => pattern.test(line))
  return mapped(context, changes, (change) => ({
    ...change,
    ignored: [...left.lines.slice(change.beforeFrom, change.beforeTo), ...right.lines.slice(change.afterFrom, change.afterTo)].every(
      isIgnored,
    ),
  }))
}

/** Expands tabs in the lines if `-t` is given. */
async function spaced({ given, context }: Settings, side: Side): Promise<Side> {
  if (!given.has('t')) return side
  const toStop = (part: string): string => part.slice(0, -1).padEnd(part.length + 7 - ((part.length - 1) % 8))
  return { ...side, lines: await mapped(context, side.lines, (line) => line.replace(/[^\t]*\t/g, toStop)) }
}

/** Returns a function that normalizes a line for comparison. */
function keysOf(given: Given): (line: string) => string {
  const [fold, all, change, trailing] = ['i', 'w', 'b', 'Z'].map((id) => given.has(id))
  return (line) => {
    let key = line
    if (all) key = key.replace(/\s+/g, '')
    else if (change) key = key.replace(/\s+$/, '').replace(/\s+/g, ' ')
    else if (trailing) key = key.replace(/\s+$/, '')
    return fold ? (decoded(key) ?? key).toLowerCase() : key
  }
}

/**
 * Converts lines to numbers, so that equal lines have equal numbers. A last line without a line break differs from the same line with one.
 */
async function numbered(
  { context }: Settings,
  { lines, unended }: Side,
  keyOf: (line: string) => string,
  numbers: Map<string, number>,
): Promise<Lines> {
  return mapped(context, lines, (line, i) => {
    const key = keyOf(line) + (unended && i === lines.length - 1 ? '\0' : '')
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, numbers.size)
    return numbers.size - 1
  })
}

/** Returns a function for `-p` and `-F` that finds the last matching line before a hunk, such as the start of a function. */
function sectionOf(given: Given): Section | undefined {
  const source = given.value('F') ?? (given.has('p') ? '^[[:alpha:]$_]' : undefined)
  if (source === undefined) return undefined
  const regex = compileRegex(source, { extended: false, unicode: false })
  return ({ lines }, line) => {
    for (let i = line - 1; i >= 0; i--) if (regex.test(lines[i] as string)) return ` ${(lines[i] as string).slice(0, 40).trimEnd()}`
    return ''
  }
}
