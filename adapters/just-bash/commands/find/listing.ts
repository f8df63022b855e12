import { blocksOf, inodeOf, modeText } from '../ls/entry.js'
import { packed } from '../shared/bytes.js'
import type { CommandContext } from '../shared/command.js'
import { hostOf } from '../shared/pace.js'
import { formatTime } from '../shared/time/format.js'
import { zoneOf } from '../shared/time/zone.js'
import { type Entry, linksOf, sizeOf } from './entry.js'

const HALF_YEAR_MS = 182.62 * 86_400_000

/** A line of `-ls`. Undefined: the file is gone, which was reported. */
export async function listed(entry: Entry, context: CommandContext): Promise<string | undefined> {
  const stat = await entry.stat()
  if (!stat) return undefined
  const target = stat.isSymbolicLink ? await entry.target() : undefined
  const [ms, now] = [stat.mtime.getTime(), hostOf(context).now()]
  const isRecent = ms <= now && now - ms < HALF_YEAR_MS
  const columns = [
    inodeOf(entry.path).padStart(9),
    String(blocksOf(stat)).padStart(6),
    modeText(stat),
    String(await linksOf(context, entry.path, stat)).padStart(3),
    'user'.padEnd(8),
    'user'.padEnd(8),
    String(sizeOf(stat)).padStart(8),
    formatTime(ms, isRecent ? '%b %e %H:%M' : '%b %e  %Y', zoneOf(context.env)),
    escaped(entry.name),
  ]
  return `${columns.join(' ')}${target === undefined ? '' : ` -> ${escaped(target)}`}\n`
}

const ESCAPED: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '"': '\\"',
  ' ': '\\ ',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

const escaped = (name: string): string =>
  packed(name).replace(/[\\" \x7f-\xff]|[^\x20-\xff]/g, (char) => ESCAPED[char] ?? `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`)
