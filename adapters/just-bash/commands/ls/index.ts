// biome-ignore-all lint/suspicious/noControlCharactersInRegex: `-q` replaces control characters.

import type { BashStat } from '../../../../src/workspace/facades/to-bash-fs.js'
import { largest, Printout } from '../shared/bulk.js'
import { packed } from '../shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from '../shared/command.js'
import { errorWords } from '../shared/errno.js'
import { command, Failure } from '../shared/failure.js'
import { pathOf } from '../shared/files.js'
import { compileFnmatch } from '../shared/fnmatch.js'
import { checkChoice, type Given, parseOptions } from '../shared/options.js'
import { hostOf } from '../shared/pace.js'
import { QUOTING_STYLES, quotedName, quotingStyle } from '../shared/quotearg.js'
import { Report } from '../shared/text-io.js'
import { formatTime } from '../shared/time/format.js'
import type { Zone } from '../shared/time/posix-zone.js'
import { zoneOf } from '../shared/time/zone.js'
import { byVersion } from '../sort/compare.js'
import { inColumns } from './columns.js'
import { blocksOf, type Entry, humanSize, inodeOf, modeText } from './entry.js'

const OPTIONS =
  'a|all A|almost-all l d|directory R|recursive r|reverse t S X v U f F|classify=? p file-type m h|human-readable i|inode s|size n|numeric-uid-gid g o ' +
  'G|no-group Q|quote-name N|literal b|escape c u x C k|kibibytes color=? sort= time= time-style= full-time group-directories-first ' +
  'I|ignore= B|ignore-backups hide= L|dereference H|dereference-command-line si Z! w|width= T|tabsize= q|hide-control-chars zero 1 author ' +
  'block-size= format= indicator-style= quoting-style= show-control-chars hyperlink=?!'

const CHOICES = [
  ['sort', 'none time size extension version name width'],
  ['time', 'atime access use ctime status mtime modification birth creation'],
  ['format', 'verbose long commas horizontal across vertical single-column'],
  ['indicator-style', 'none slash file-type classify'],
  ['quoting-style', QUOTING_STYLES],
] as const

const DAY = 86_400_000
const HALF_YEAR = 182.62 * DAY

export const lsCommand: OwnCommand = command('ls', { status: 2, usage: 'ls [OPTION]... [FILE]...' }, run)

interface Listing {
  readonly given: Given
  readonly context: CommandContext
  readonly report: Report
  readonly out: Printout
  readonly format: 'long' | 'single' | 'columns' | 'across' | 'commas'
  readonly zone: Zone
  readonly now: number
  readonly style: string
  readonly colors: boolean
  /** Whether the output already contains colors. */
  painted: boolean
}

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('ls', args, OPTIONS, { status: 2 })
  for (const id of ['Z', 'hyperlink'])
    if (given.has(id)) throw new Failure(`${id === 'Z' ? '-Z' : '--hyperlink'} is not supported in this shell`, 2)
  for (const [id, choices] of CHOICES) checkChoice(given, [id, `--${id}`], choices)
  const out = new Printout(context)
  const listing: Listing = {
    given,
    context,
    report: new Report('ls', out),
    out,
    format: formatOf(given),
    zone: zoneOf(context.env),
    now: hostOf(context).now(),
    style: styleOf(given, context),
    colors: hasColors(given, context),
    painted: false,
  }
  const names = given.operands.length === 0 ? ['.'] : given.operands
  const [files, folders]: [Entry[], Entry[]] = [[], []]
  for (const name of names) {
    const entry = await entryOf(listing, name, name, true)
    if (!entry) continue
    const isFolder =
      !given.has('d') &&
      (entry.stat.isDirectory || (entry.followed?.isDirectory && (listing.format !== 'long' || name.endsWith('/') || given.has('H'))))
    if (isFolder) folders.push(entry)
    else files.push(entry)
  }
  if (files.length > 0) show(listing, sorted(listing, files), false)
  const headed = names.length > 1 || given.has('R')
  for (const { name } of sorted(listing, folders)) await listFolder(listing, name, headed)
  return listing.report.result(out.text())
}

function formatOf(given: Given): Listing['format'] {
  const format = given.value('format')
  if (format !== undefined)
    return (
      ({ long: 'long', verbose: 'long', commas: 'commas', across: 'across', horizontal: 'across', vertical: 'columns' } as const)[
        format as 'long'
      ] ?? 'single'
    )
  const last = given.last('l', 'n', 'g', 'o', 'full-time', 'C', 'x', 'm', '1')
  // Like GNU, `-1` does not override `-l`.
  if (last === '1' && given.last('l', 'n', 'g', 'o', 'full-time')) return 'long'
  return last === 'C'
    ? 'columns'
    : last === 'x'
      ? 'across'
      : last === 'm'
        ? 'commas'
        : last === undefined || last === '1'
          ? 'single'
          : 'long'
}

async function listFolder(listing: Listing, name: string, headed: boolean): Promise<void> {
  const { given, context, report, out } = listing
  let names: string[]
  try {
    names = await context.fs.readdir(pathOf(context, name))
  } catch (error) {
    report.fail(`cannot open directory '${name}': ${errorWords(error)}`, 2)
    return
  }
  if (headed) out.put(packed(`${out.length > 0 ? '\n' : ''}${name}:\n`))
  const base = name.endsWith('/') ? name : `${name}/`
  const all = given.last('a', 'A', 'f')
  const shown = names.filter((each) => !isHidden(each, given))
  const entries: Entry[] = []
  for (const each of [...(all === 'a' || all === 'f' ? ['.', '..'] : []), ...shown]) {
    const entry = await entryOf(listing, each, base + each, false)
    if (entry) entries.push(entry)
  }
  const order = sorted(listing, entries)
  show(listing, order, true)
  if (!given.has('R')) return
  for (const entry of order) {
    if (entry.stat.isDirectory && entry.name !== '.' && entry.name !== '..') await listFolder(listing, base + entry.name, true)
  }
}

function isHidden(name: string, given: Given): boolean {
  if (given.values('I').some((glob) => compileFnmatch(glob)(name))) return true
  if (given.has('B') && name.endsWith('~')) return true
  if (given.last('a', 'A', 'f')) return false
  return name.startsWith('.') || given.values('hide').some((glob) => compileFnmatch(glob)(name))
}

async function entryOf(
  { given, context, report, format }: Listing,
  name: string,
  path: string,
  named: boolean,
): Promise<Entry | undefined> {
  const at = pathOf(context, path)
  try {
    const own = await (path.endsWith('/') ? context.fs.stat(at) : context.fs.lstat(at))
    const followed = own.isSymbolicLink ? await context.fs.stat(at).catch(() => undefined) : undefined
    const follow = given.has('L') || (given.has('H') && named)
    const stat = (follow ? followed : undefined) ?? own
    const target = stat.isSymbolicLink ? await context.fs.readlink(at).catch(() => undefined) : undefined
    const links = format === 'long' && stat.isDirectory ? await linksOf(context, at) : 1
    return { name, path: at, stat, target, followed, links }
  } catch (error) {
    report.fail(`cannot access '${path}': ${errorWords(error)}`, named ? 2 : 1)
    return undefined
  }
}

/** Returns the link count of a directory: the directory itself, its name, and one per subdirectory. */
async function linksOf(context: CommandContext, path: string): Promise<number> {
  const entries = await context.fs.readdirWithFileTypes(path).catch(() => [])
  return 2 + entries.filter(({ isDirectory }) => isDirectory).length
}

const byName = (a: Entry, b: Entry): number => {
  const [x, y] = [packed(a.name), packed(b.name)]
  return x < y ? -1 : x > y ? 1 : 0
}

function sorted({ given, format }: Listing, entries: readonly Entry[]): Entry[] {
  const named: Readonly<Record<string, string>> = { time: 't', size: 'S', extension: 'X', version: 'v', none: 'U' }
  // Like GNU, `-c` and `-u` sort by time unless the long format shows the time.
  const byTime = format !== 'long' && given.last('c', 'u', 'time') ? 't' : undefined
  const by = given.value('sort') === undefined ? (given.last('t', 'S', 'X', 'v', 'U', 'f') ?? byTime) : named[given.value('sort') as string]
  if (by === 'U' || by === 'f') return [...entries]
  const extension = ({ name }: Entry): string => packed(/\.[^.]*$/.exec(name)?.[0] ?? '')
  const orders: Readonly<Record<string, (a: Entry, b: Entry) => number>> = {
    t: (a, b) => b.stat.mtime.getTime() - a.stat.mtime.getTime(),
    S: (a, b) => b.stat.size - a.stat.size,
    X: (a, b) => (extension(a) < extension(b) ? -1 : extension(a) > extension(b) ? 1 : 0),
    v: (a, b) => byVersion(packed(a.name), packed(b.name)),
  }
  const order = orders[by ?? ''] ?? (() => 0)
  const direction = given.has('r') ? -1 : 1
  const isFolder = ({ stat, followed }: Entry): boolean => stat.isDirectory || followed?.isDirectory === true
  const first = (a: Entry, b: Entry): number => (given.has('group-directories-first') ? Number(isFolder(b)) - Number(isFolder(a)) : 0)
  return entries.toSorted((a, b) => first(a, b) || direction * (order(a, b) || byName(a, b)))
}

function show(listing: Listing, entries: readonly Entry[], inFolder: boolean): void {
  const { given, out, format } = listing
  const end = given.has('zero') ? '\0' : '\n'
  const sizes = given.has('s')
  if (inFolder && (format === 'long' || sizes)) {
    const blocks = entries.reduce((sum, { stat }) => sum + blocksOf(stat), 0)
    out.put(packed(`total ${given.has('h') || given.has('si') ? humanSize(blocks * 1024, given.has('si') ? 1000 : 1024) : blocks}${end}`))
  }
  const isQuoted = ({ name }: Entry): boolean => quoted(name, listing) !== name
  const aligned =
    ['shell', 'shell-escape', 'c-maybe'].includes(listing.style) && !/^(?:single|commas)$/.test(format) && entries.some(isQuoted)
  const pad = (entry: Entry): string => (aligned && !isQuoted(entry) ? ' ' : '')
  if (format === 'long') {
    for (const line of longLines(listing, entries, pad)) out.put(packed(line + end))
    return
  }
  const widest = largest(entries.map(({ stat }) => String(blocksOf(stat)).length))
  const widestInode = largest(entries.map(({ path }) => inodeOf(path).length))
  const names = entries.map((entry) => {
    const inode = given.has('i') ? `${inodeOf(entry.path).padStart(widestInode)} ` : ''
    return inode + (sizes ? `${String(blocksOf(entry.stat)).padStart(widest)} ` : '') + pad(entry) + shownName(entry, listing)
  })
  const width = Number(given.value('w') ?? listing.context.env.get('COLUMNS') ?? 80) || Number.POSITIVE_INFINITY
  if (format === 'commas') {
    if (names.length > 0) out.put(packed(commas(names, width) + end))
    return
  }
  const lines = format === 'single' ? names : inColumns(names, width, format === 'across')
  for (const line of lines) out.put(packed(line + end))
}

function commas(names: readonly string[], width: number): string {
  let [out, column] = ['', 0]
  names.forEach((name, i) => {
    const length = [...name].length
    if (i > 0) {
      const fits = column + length + 2 < width
      out += fits ? ', ' : ',\n'
      column = fits ? column + 2 : 0
    }
    out += name
    column += length
  })
  return out
}

function longLines(listing: Listing, entries: readonly Entry[], pad: (entry: Entry) => string): string[] {
  const { given, zone, now } = listing
  const numeric = given.has('n')
  const size = ({ stat }: Entry): string =>
    given.has('h') || given.has('si') ? humanSize(sizeOf(stat), given.has('si') ? 1000 : 1024) : String(sizeOf(stat))
  const owner = numeric ? '1000' : 'user'
  const rows = entries.map((entry) => [
    ...(given.has('i') ? [inodeOf(entry.path)] : []),
    ...(given.has('s') ? [String(blocksOf(entry.stat))] : []),
    modeText(entry.stat),
    String(entry.links),
    ...(given.has('g') ? [] : [owner]),
    ...(given.has('o') || given.has('G') ? [] : [owner]),
    size(entry),
  ])
  const widths = rows[0]?.map((_, column) => largest(rows.map((row) => (row[column] as string).length))) ?? []
  return entries.map((entry, i) => {
    const cells = (rows[i] as string[]).map((cell, column) =>
      /^\d|^[A-Z]?$/.test(cell) ? cell.padStart(widths[column] as number) : cell.padEnd(widths[column] as number),
    )
    const name = entry.target === undefined ? shownName(entry, listing) : `${painted(entry, listing)} -> ${quoted(entry.target, listing)}`
    return `${cells.join(' ')} ${timeText(entry.stat, given, zone, now)} ${pad(entry)}${name}`
  })
}

const sizeOf = ({ isDirectory, size }: BashStat): number => (isDirectory ? 4096 : size)

function timeText({ mtime }: BashStat, given: Given, zone: Zone, now: number): string {
  const ms = mtime.getTime()
  const style = given.has('full-time') ? 'full-iso' : given.value('time-style')
  const recent = ms > now - HALF_YEAR && ms <= now
  if (style === 'full-iso') return formatTime(ms, '%Y-%m-%d %H:%M:%S.%N %z', zone)
  if (style === 'long-iso') return formatTime(ms, '%Y-%m-%d %H:%M', zone)
  if (style === 'iso') return formatTime(ms, recent ? '%m-%d %H:%M' : '%Y-%m-%d ', zone)
  if (style?.startsWith('+')) return formatTime(ms, style.slice(1), zone)
  return formatTime(ms, recent ? '%b %e %H:%M' : '%b %e  %Y', zone)
}

const GREEN = '01;32'
const BLUE = '01;34'
const CYAN = '01;36'

/** Terminals that GNU `ls` treats as capable of colors. */
const TERMINALS =
  /color|direct|^(?:con\d.*x\d|rxvt|screen|tmux|xterm|(?:Eterm|ansi|cons(?:25|ole)|cygwin|dtterm|gnome|hurd|jfbterm|konsole|kterm|linux(?:-c)?|mlterm|putty|st|terminator|vt100)$)/

function hasColors(given: Given, { env }: CommandContext): boolean {
  if (given.value('color') !== 'always') return false
  if (env.get('LS_COLORS')) throw new Failure('LS_COLORS is not supported in this shell: unset it, or use --color=never', 2)
  return Boolean(env.get('COLORTERM')) || TERMINALS.test(env.get('TERM') ?? '')
}

function painted({ name, stat }: Entry, listing: Listing): string {
  const text = quoted(name, listing)
  const code = stat.isSymbolicLink ? CYAN : stat.isDirectory ? BLUE : stat.mode & 0o111 ? GREEN : undefined
  if (!listing.colors || code === undefined) return text
  const reset = listing.painted ? '' : '\x1b[0m'
  listing.painted = true
  return `${reset}\x1b[${code}m${text}\x1b[0m`
}

function shownName(entry: Entry, listing: Listing): string {
  const { given } = listing
  const { stat, followed } = entry
  const text = painted(entry, listing)
  const long = entry.target !== undefined && given.last('l', 'n', 'g', 'o') !== undefined
  const classify = given.has('F') || given.value('indicator-style') === 'classify'
  const slash = given.has('p') || given.value('indicator-style') === 'slash'
  const types = given.has('file-type') || given.value('indicator-style') === 'file-type'
  if (!classify && !slash && !types) return text
  if (stat.isDirectory) return `${text}/`
  if (slash && !classify && !types) return text
  if (stat.isSymbolicLink) return long ? text : `${text}@`
  return classify && stat.mode & 0o111 && !followed?.isDirectory ? `${text}*` : text
}

function styleOf(given: Given, context: CommandContext): string {
  const last = given.last('Q', 'N', 'b', 'quoting-style')
  if (last === 'quoting-style') return given.value(last) as string
  return { Q: 'c', N: 'literal', b: 'escape' }[last as 'Q'] ?? quotingStyle(context.env)
}

function quoted(name: string, { given, style }: Listing): string {
  const text = quotedName(name, style)
  return given.has('q') && !/^c|escape|locale/.test(style) ? text.replace(/[\0-\x1f\x7f]/g, '?') : text
}
