import type { BashStat } from '../../../src/workspace/facades/to-bash-fs.js'
import { CONTROL_ESCAPES } from '../control-escapes.js'
import { blocksOf, modeText } from './ls/entry.js'
import { Printout } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { errorWords } from './shared/errno.js'
import { command, Failure } from './shared/failure.js'
import { pathOf } from './shared/files.js'
import { parseOptions } from './shared/options.js'
import { quotedName, quotingStyle } from './shared/quotearg.js'
import { Report } from './shared/text-io.js'
import { formatTime } from './shared/time/format.js'
import type { Zone } from './shared/time/posix-zone.js'
import { zoneOf } from './shared/time/zone.js'

const FULL =
  '  File: %N\n  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F\nDevice: %Hd,%Ld\tInode: %-11i Links: %h\n' +
  'Access: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)\nAccess: %x\nModify: %y\nChange: %z\n Birth: %w\n'
const TERSE = '%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o\n'
const ESCAPES: Readonly<Record<string, string>> = { ...CONTROL_ESCAPES, e: '\x1b', '"': '"' }

export const statCommand: OwnCommand = command('stat', { usage: 'stat [OPTION]... FILE...' }, run)

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('stat', args, 'c|format= printf= L|dereference f|file-system! t|terse cached=')
  if (given.has('f')) throw new Failure('-f is not supported in this shell: use df for file systems')
  if (given.operands.length === 0) throw new Failure("missing operand\nTry 'stat --help' for more information.")
  const out = new Printout(context)
  const report = new Report('stat', out)
  const printf = given.value('printf')
  const format = given.value('c')
  const template = printf !== undefined ? unescaped(printf) : format !== undefined ? format : given.has('t') ? TERSE : FULL
  const end = printf === undefined && format !== undefined ? '\n' : ''
  const zone = zoneOf(context.env)
  const style = quotingStyle(context.env, 'shell-escape-always')
  for (const name of given.operands) {
    const path = pathOf(context, name)
    try {
      const stat = await (given.has('L') || name.endsWith('/') ? context.fs.stat(path) : context.fs.lstat(path))
      const target = stat.isSymbolicLink ? await context.fs.readlink(path) : undefined
      out.put(packed(filled(template, { name, stat, target, zone, links: stat.isDirectory ? 2 : 1, style }) + end))
    } catch (error) {
      if (error instanceof Failure) throw error
      report.fail(`cannot statx '${name}': ${errorWords(error)}`)
    }
  }
  return report.result(out.text())
}

const unescaped = (text: string): string =>
  text.replace(/\\(?:x([\da-fA-F]{1,2})|([0-7]{1,3})|([\s\S]))/g, (all, hex?: string, octal?: string, char?: string) =>
    hex
      ? String.fromCharCode(Number.parseInt(hex, 16))
      : octal
        ? String.fromCharCode(Number.parseInt(octal, 8))
        : (ESCAPES[char ?? ''] ?? all),
  )

interface Subject {
  readonly name: string
  readonly stat: BashStat
  readonly target: string | undefined
  readonly zone: Zone
  readonly links: number
  readonly style: string
}

function filled(template: string, subject: Subject): string {
  return template.replace(
    /%([-#0 +'I]*)(\d*)(?:\.(\d*))?((?:[HL](?=[dr]))?[\s\S])?/gu,
    (directive, flags: string, width: string, precision: string | undefined, letter = '%') => {
      if (letter === '%' && !/^%%?$/.test(directive)) throw new Failure(`'${directive}': invalid directive`)
      if (letter === '%') return '%'
      const value = factOf(letter, subject)
      if (value === undefined) return '?'
      const cut = precision === undefined ? value : value.slice(0, Number(precision))
      if (flags.includes('-')) return cut.padEnd(Number(width))
      return cut.padStart(Number(width), flags.includes('0') ? '0' : ' ')
    },
  )
}

/** Returns the value for a letter of a format (`%s`), or undefined for an unknown letter. */
function factOf(letter: string, { name, stat, target, zone, links, style }: Subject): string | undefined {
  const { isDirectory, isSymbolicLink, mode } = stat
  const size = isDirectory ? 4096 : stat.size
  const ms = stat.mtime.getTime()
  const full = isSymbolicLink ? 0o777 : mode
  switch (letter) {
    case 'n':
      return name
    case 'N':
      return [name, ...(target === undefined ? [] : [target])].map((each) => quotedName(each, style)).join(' -> ')
    case 's':
      return String(size)
    case 'a':
      return full.toString(8)
    case 'A':
      return modeText(stat)
    case 'f':
      return ((isDirectory ? 0o40000 : isSymbolicLink ? 0o120000 : 0o100000) | full).toString(16)
    case 'F':
      return isDirectory ? 'directory' : isSymbolicLink ? 'symbolic link' : size === 0 ? 'regular empty file' : 'regular file'
    case 'b':
      return String(blocksOf(stat) * 2)
    case 'B':
      return '512'
    case 'o':
      return '4096'
    case 'h':
      return String(links)
    case 'u':
    case 'g':
      return '1000'
    case 'U':
    case 'G':
      return 'user'
    case 'x':
    case 'y':
    case 'z':
      return formatTime(ms, '%Y-%m-%d %H:%M:%S.%N %z', zone)
    case 'X':
    case 'Y':
    case 'Z':
      return String(Math.floor(ms / 1000))
    case 'w':
      return '-'
    case 'W':
      return '0'
    case 'm':
      return '/'
    default:
      return /^(?:[dDitTrR]|[HL][dr])$/.test(letter) ? '0' : undefined
  }
}
