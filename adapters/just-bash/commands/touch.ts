import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { errorWords } from './shared/errno.js'
import { command, Failure } from './shared/failure.js'
import { pathOf } from './shared/files.js'
import { type Given, parseOptions } from './shared/options.js'
import { hostOf } from './shared/pace.js'
import { Report } from './shared/text-io.js'
import { parseTime } from './shared/time/parse.js'
import { zoneOf } from './shared/time/zone.js'

export const touchCommand: OwnCommand = command('touch', { usage: 'touch [OPTION]... FILE...' }, run)

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('touch', args, 'a m c|no-create d|date= t= r|reference= f h|no-dereference time=')
  if (given.operands.length === 0) throw new Failure("missing file operand\nTry 'touch --help' for more information.")
  const report = new Report('touch')
  const time = await timeOf(given, context)
  for (const name of given.operands) {
    const path = pathOf(context, name)
    try {
      const there = await context.fs.stat(path).catch(() => undefined)
      if (!there) {
        if (given.has('c')) continue
        if (given.has('h') || name.endsWith('/')) throw new Failure(`setting times of '${name}': No such file or directory`)
        await context.fs.writeFile(path, new Uint8Array())
      }
      // Storages keep only the modification time.
      if (!(given.has('a') && !given.has('m')) && (there || given.last('d', 't', 'r'))) await context.fs.utimes(path, time, time)
    } catch (error) {
      report.fail(error instanceof Failure ? error.message : `cannot touch '${name}': ${errorWords(error)}`)
    }
  }
  return report.result('')
}

async function timeOf(given: Given, context: CommandContext): Promise<Date> {
  const now = hostOf(context).now()
  const zone = zoneOf(context.env)
  const how = given.last('d', 't', 'r')
  const value = how === undefined ? '' : (given.value(how) ?? '')
  if (how === 'r') {
    const stat = await context.fs.stat(pathOf(context, value)).catch((error: unknown) => {
      throw new Failure(`failed to get attributes of '${value}': ${errorWords(error)}`)
    })
    return stat.mtime
  }
  if (how === 'd') {
    const time = parseTime(value, now, zone)
    if (!time) throw new Failure(`invalid date format '${value}'`)
    return new Date(time.ms)
  }
  if (how === undefined) return new Date(now)
  const found = /^(?:(\d{2})?(\d{2}))?(\d{2})(\d{2})(\d{2})(\d{2})(?:\.(\d{2}))?$/.exec(value)
  if (!found) throw new Failure(`invalid date format '${value}'`)
  const [, century, year, month, day, hour, minute, second = '00'] = found
  const full =
    year === undefined
      ? new Date(now).getUTCFullYear()
      : century === undefined
        ? (Number(year) < 69 ? 2000 : 1900) + Number(year)
        : Number(century + year)
  const time = parseTime(`${full}-${month}-${day} ${hour}:${minute}:${second}`, now, zone)
  if (!time) throw new Failure(`invalid date format '${value}'`)
  return new Date(time.ms)
}
