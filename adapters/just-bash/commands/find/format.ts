import { CONTROL_ESCAPES } from '../../control-escapes.js'
import { blocksOf, modeText } from '../ls/entry.js'
import type { CommandContext } from '../shared/command.js'
import { Failure } from '../shared/failure.js'
import { formatTime } from '../shared/time/format.js'
import type { Zone } from '../shared/time/posix-zone.js'
import { type Entry, linksOf, modeOf, sizeOf } from './entry.js'
import { unsupported } from './messages.js'

/** Formats one part of the output. Returns undefined if the file cannot be read, which is already reported. */
type Part = (entry: Entry) => string | undefined | Promise<string | undefined>

export interface Format {
  readonly parts: readonly Part[]
  readonly warnings: readonly string[]
}

interface FormatSettings {
  readonly context: CommandContext
  readonly zone: Zone
}

interface Directive {
  readonly flags: string
  readonly width: number
  readonly precision: number | undefined
}

/** Maximum width of a field, which limits the memory for padding. */
const MAX_WIDTH = 1_000_000

/** Parses the format of `-printf`. @throws {Failure} for formats that GNU rejects or this shell does not support */
export function readFormat(format: string, settings: FormatSettings): Format {
  const parts: Part[] = []
  const warnings: string[] = []
  const literal = (text: string): void => void parts.push(() => text)
  let rest = format
  while (rest !== '') {
    const plain = /^[^%\\]+/.exec(rest)?.[0]
    if (plain !== undefined) {
      literal(plain)
      rest = rest.slice(plain.length)
    } else if (rest[0] === '\\') {
      const read = readEscape(rest)
      if (read.warning) warnings.push(read.warning)
      literal(read.text)
      // End the output at `\c`.
      rest = read.ends ? '' : rest.slice(read.length)
    } else {
      const directive = readDirective(rest, settings)
      if (directive.warning) warnings.push(directive.warning)
      parts.push(directive.part)
      rest = rest.slice(directive.length)
    }
  }
  return { parts, warnings }
}

interface Escape {
  readonly text: string
  readonly length: number
  readonly ends?: boolean
  readonly warning?: string
}

function readEscape(rest: string): Escape {
  const octal = /^\\([0-7]{1,3})/.exec(rest)
  // A byte above 127 becomes an escaped byte (escaped-bytes.ts).
  if (octal) return { text: byteText(Number.parseInt(octal[1] as string, 8) & 0xff), length: octal[0].length }
  const char = rest[1]
  if (char === undefined) return { text: '\\', length: 1, warning: "escape `\\' followed by nothing at all" }
  if (char === 'c') return { text: '', length: 2, ends: true }
  const known = CONTROL_ESCAPES[char]
  if (known !== undefined) return { text: known, length: 2 }
  return { text: `\\${char}`, length: 2, warning: `unrecognized escape \`\\${char}'` }
}

const byteText = (byte: number): string => String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte)

interface ReadDirective {
  readonly part: Part
  readonly length: number
  readonly warning?: string
}

function readDirective(rest: string, settings: FormatSettings): ReadDirective {
  if (rest === '%') throw new Failure('error: % at end of format string')
  if (rest[1] === '%') return { part: () => '%', length: 2 }
  const [all, flags = '', width = '', precision] = /^%([-+ #0]*)(\d*)(?:\.(\d*))?/.exec(rest) as unknown as string[]
  const length = (all as string).length
  const letter = rest[length]
  if (letter === undefined || '{[('.includes(letter))
    throw new Failure(`error: the format directive \`%${letter ?? '\0'}' is reserved for future use`)
  if (Number(width) > MAX_WIDTH || Number(precision ?? 0) > MAX_WIDTH)
    throw new Failure(`-printf: a width of more than ${MAX_WIDTH} columns is not supported here`)
  const directive: Directive = { flags, width: Number(width), precision: precision === undefined ? undefined : Number(precision) }
  if ('ACBT'.includes(letter)) return timeDirective(all as string, letter, rest[length + 1], directive, settings)
  const fact = FACTS[letter]
  if (!fact) {
    checkKnown(letter)
    const text = (all as string) + letter
    return { part: () => text, length: length + 1, warning: `unrecognized format directive \`%${letter}'` }
  }
  return { part: async (entry) => filled(await fact(entry, settings), letter, directive), length: length + 1 }
}

/** Rejects directives of GNU for which this shell lacks the information. @throws {Failure} */
function checkKnown(letter: string): void {
  const why = UNKNOWN_HERE[letter]
  if (why) throw unsupported(`-printf %${letter}`, why, 'Leave it out of the format')
}

const NO_TIME = 'only the modification time is stored'
const UNKNOWN_HERE: Readonly<Record<string, string>> = {
  a: NO_TIME,
  c: NO_TIME,
  D: 'files have no device numbers',
  F: 'the file system has no type',
  i: 'files have no inode numbers',
  S: 'sparse files are not tracked',
  Z: 'SELinux is not available',
}

function timeDirective(
  all: string,
  letter: string,
  field: string | undefined,
  directive: Directive,
  { zone }: FormatSettings,
): ReadDirective {
  if (field === undefined)
    return {
      part: () => all + letter,
      length: all.length + 1,
      warning: `format directive \`%${letter}' should be followed by another character`,
    }
  if (letter !== 'T') throw unsupported(`-printf %${letter}${field}`, NO_TIME, `Use %T${field}`)
  return {
    part: async (entry) => {
      const stat = await entry.stat()
      return stat && filled(timeField(stat.mtime.getTime(), field, zone), 's', directive)
    },
    length: all.length + 2,
  }
}

const fractionOf = (ms: number): string => `.${String(((ms % 1000) + 1000) % 1000).padStart(3, '0')}0000000`

/** Formats a time field. Like GNU, seconds have ten fractional digits. */
function timeField(ms: number, field: string, zone: Zone): string {
  const fraction = fractionOf(ms)
  if (field === '@') return `${Math.floor(ms / 1000)}${fraction}`
  if (field === '+') return formatTime(ms, '%Y-%m-%d+%H:%M:%S', zone) + fraction
  // Fields that only `date` supports are printed unchanged.
  if ('Nq:'.includes(field)) return `%${field}`
  const text = formatTime(ms, `%${field}`, zone)
  if (text === `%${field}`) return text
  return 'STX'.includes(field) ? text + fraction : text
}

type Fact = (entry: Entry, settings: FormatSettings) => string | undefined | Promise<string | undefined>

const FACTS: Readonly<Record<string, Fact | undefined>> = {
  b: async (entry) => map(await entry.stat(), (stat) => String(blocksOf(stat) * 2)),
  d: ({ depth }) => String(depth),
  f: ({ shownBase }) => shownBase,
  g: () => 'user',
  G: () => '1000',
  h: ({ name }) => folderOf(name),
  H: ({ start }) => start,
  k: async (entry) => map(await entry.stat(), (stat) => String(blocksOf(stat))),
  l: async (entry) => ((await entry.type()) === 'l' ? entry.target() : ''),
  m: async (entry) => map(await entry.stat(), (stat) => String(modeOf(stat))),
  M: async (entry) => map(await entry.stat(), modeText),
  n: async (entry, { context }) => {
    const stat = await entry.stat()
    return stat && String(await linksOf(context, entry.path, stat))
  },
  p: ({ name }) => name,
  P: ({ name, start }) => name.slice(start.length).replace(/^\//, ''),
  s: async (entry) => map(await entry.stat(), (stat) => String(sizeOf(stat))),
  t: async (entry, { zone }) =>
    map(await entry.stat(), (stat) => {
      const ms = stat.mtime.getTime()
      return `${formatTime(ms, '%a %b %e %H:%M:%S', zone)}${fractionOf(ms)} ${formatTime(ms, '%Y', zone)}`
    }),
  u: () => 'user',
  U: () => '1000',
  y: (entry) => entry.type(),
  Y: async (entry) => {
    const type = await entry.type()
    if (type !== 'l') return type
    const target = await entry.targetType()
    return target === 'l' ? 'N' : target === 'loop' ? 'L' : target
  },
}

const map = <T>(value: T | undefined, body: (value: T) => string): string | undefined => (value === undefined ? undefined : body(value))

/** Returns the directory part of a path. */
export function folderOf(name: string): string {
  const bare = name.replace(/\/+$/, '')
  const at = bare.lastIndexOf('/')
  return at < 0 ? (bare === '' ? '' : '.') : bare.slice(0, at)
}

function filled(value: string | undefined, letter: string, { flags, width, precision }: Directive): string | undefined {
  if (value === undefined) return undefined
  let text = value
  if (letter === 'd' || letter === 'm') {
    if (letter === 'm') text = (flags.includes('#') && value !== '0' ? '0' : '') + Number(value).toString(8)
    else text = (flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '') + value
    if (precision !== undefined) text = precision === 0 && Number(value) === 0 ? '' : text.padStart(precision, '0')
    else if (flags.includes('0') && !flags.includes('-')) return text.padStart(width, '0')
  } else if (precision !== undefined) text = [...text].slice(0, precision).join('')
  const fill = ' '.repeat(Math.max(0, width - [...text].length))
  return flags.includes('-') ? text + fill : fill + text
}
