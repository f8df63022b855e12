import { blocksOf, inodeOf, modeText } from '../ls/entry.js'
import { packed } from '../shared/bytes.js'
import type { CommandContext } from '../shared/command.js'
import { errorWords } from '../shared/errno.js'
import { hostOf } from '../shared/pace.js'
import { formatTime } from '../shared/time/format.js'
import { zoneOf } from '../shared/time/zone.js'
import { type Entry, linksOf, sizeOf } from './entry.js'
import type { Test } from './expression.js'
import { readFormat } from './format.js'
import { commandWords } from './launch.js'
import { invalidArgument, quoted, unsupported } from './messages.js'
import type { Sink } from './output.js'
import { type Arguments, REFUSED, type Reader, type Reading, zoneFor } from './reading.js'
import { Quit } from './walk.js'

type SinkOf = (reading: Reading, next: Arguments, word: string) => Sink

const toOutput: SinkOf = ({ output }) => output
const toFile: SinkOf = ({ output }, next, word) => output.file(next.value(word))

const action =
  (read: Reader): Reader =>
  (reading, next, word) => {
    reading.hasAction = true
    return read(reading, next, word)
  }

const print = (sinkOf: SinkOf, end: string): Reader =>
  action((reading, next, word) => {
    const sink = sinkOf(reading, next, word)
    return ({ name }) => {
      sink.write(name + end)
      return true
    }
  })

const printFormat = (sinkOf: SinkOf): Reader =>
  action((reading, next, word) => {
    // Like GNU, report the file name as the invalid argument if the format is missing.
    if (sinkOf === toFile && next.rest.length === 1) throw invalidArgument(next.rest[0] as string, word)
    const sink = sinkOf(reading, next, word)
    const { parts, warnings } = readFormat(next.value(word), { context: reading.context, zone: zoneFor(reading) })
    for (const warning of warnings) reading.output.warn(warning)
    return async (entry) => {
      const texts: string[] = []
      for (const part of parts) {
        const text = await part(entry)
        // `entry` has already reported that the file cannot be read.
        if (text === undefined) return false
        texts.push(text)
      }
      sink.write(texts.join(''))
      return true
    }
  })

const list = (sinkOf: SinkOf): Reader =>
  action((reading, next, word) => {
    const sink = sinkOf(reading, next, word)
    return async (entry) => {
      const line = await listed(entry, reading.context)
      if (line === undefined) return false
      sink.write(line)
      return true
    }
  })

const execute = (predicate: '-exec' | '-execdir'): Reader =>
  action(({ launcher }, next) => {
    const { words, end } = commandWords(predicate, next.rest)
    next.skip(words.length + 1)
    return launcher.action(predicate, words, end)
  })

const asking: Reader = (_, next, word) => {
  commandWords(word, next.rest)
  throw unsupported(word, 'nobody can answer its prompts', `Use ${word.replace('ok', 'exec')}`)
}
REFUSED.add(asking)

const remove: Reader = action((reading) => {
  const { context, options, output } = reading
  options.depthFirst = true
  reading.deletes = true
  const fail = (entry: Entry, words: string): boolean => {
    output.fail(`cannot delete ${quoted(entry.name)}: ${words}`)
    return false
  }
  return async (entry) => {
    // Like GNU, never deletes the working directory.
    if (entry.name === '.') return true
    if (entry.depth === 0 && entry.base === '.') return fail(entry, 'Invalid argument')
    // With `-L`, GNU treats a symlink to a directory as a directory. rmdir(2) then fails with ENOTDIR.
    if (entry.isLink && (await entry.type()) === 'd') return fail(entry, 'Not a directory')
    try {
      await context.fs.rm(entry.path)
      return true
    } catch (error) {
      return fail(entry, errorWords(error))
    }
  }
})

const prune: Reader = (reading) => {
  reading.prunes = true
  return (entry) => {
    entry.pruned = true
    return true
  }
}

const quit: Test = () => {
  throw new Quit()
}

export const ACTIONS: Readonly<Record<string, Reader>> = {
  '-delete': remove,
  '-exec': execute('-exec'),
  '-execdir': execute('-execdir'),
  '-fls': list(toFile),
  '-fprint': print(toFile, '\n'),
  '-fprint0': print(toFile, '\0'),
  '-fprintf': printFormat(toFile),
  '-ls': list(toOutput),
  '-ok': asking,
  '-okdir': asking,
  '-print': print(toOutput, '\n'),
  '-print0': print(toOutput, '\0'),
  '-printf': printFormat(toOutput),
  '-prune': prune,
  '-quit': () => quit,
}

const HALF_YEAR_MS = 182.62 * 86_400_000

/** Formats a line of `-ls`. Returns undefined if the file cannot be read, which `entry` has already reported. */
async function listed(entry: Entry, context: CommandContext): Promise<string | undefined> {
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
