import { Printout } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { errorWords } from './shared/errno.js'
import { command, Failure } from './shared/failure.js'
import { pathOf, told } from './shared/files.js'
import { type Given, parseOptions } from './shared/options.js'
import { hostOf } from './shared/pace.js'
import { bytesNamed, decoded, linesOf, Report } from './shared/text-io.js'
import { formatTime } from './shared/time/format.js'
import { type Instant, parseTime } from './shared/time/parse.js'
import { UTC, zoneOf } from './shared/time/zone.js'

const ISO: Readonly<Record<string, string>> = {
  date: '%Y-%m-%d',
  hours: '%Y-%m-%dT%H%:z',
  minutes: '%Y-%m-%dT%H:%M%:z',
  seconds: '%Y-%m-%dT%H:%M:%S%:z',
  ns: '%Y-%m-%dT%H:%M:%S,%N%:z',
}

export const dateCommand: OwnCommand = command('date', { usage: 'date [OPTION]... [+FORMAT]' }, run)

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions(
    'date',
    args,
    'd|date= f|file= u|utc|universal r|reference= R|rfc-email|rfc-2822 I|iso-8601=? rfc-3339= s|set=! debug',
  )
  const [operand, extra] = given.operands
  if (given.has('s') || (operand !== undefined && !operand.startsWith('+'))) {
    if (operand !== undefined && !/^\d{8}(?:\d{2}(?:\d{2})?)?(?:\.\d{2})?$/.test(operand) && !given.has('s'))
      throw new Failure(`invalid date '${operand}'`)
    throw new Failure('cannot set date: Operation not permitted')
  }
  if (extra !== undefined) throw new Failure(`extra operand '${extra}'\nTry 'date --help' for more information.`)
  if (given.options.filter(({ id }) => 'RI'.includes(id) || id === 'rfc-3339').length + (operand === undefined ? 0 : 1) > 1)
    throw new Failure('multiple output formats specified')
  if (new Set(given.options.filter(({ id }) => 'dfr'.includes(id)).map(({ id }) => id)).size > 1)
    throw new Failure("the options to specify dates for printing are mutually exclusive\nTry 'date --help' for more information.")
  const format = operand?.slice(1) ?? formatOf(given)
  const zone = given.has('u') ? UTC : zoneOf(context.env)
  const now = hostOf(context).now()
  const shown = ({ ms, nanos }: Instant): string => packed(`${formatTime(ms, format, zone, nanos)}\n`)
  const file = given.value('f')
  const report = new Report('date')
  if (file !== undefined) {
    const bytes = await told(file, () => bytesNamed(context, file))
    const out = new Printout(context)
    for (const line of linesOf(decoded(bytes) ?? bytes)) {
      const time = parseTime(line, now, zone)
      if (time) out.put(shown(time))
      else report.fail(`invalid date '${line}'`)
    }
    return report.result(out.text())
  }
  const reference = given.value('r')
  const text = given.value('d')
  const ms = reference === undefined ? now : await timeOfFile(context, reference)
  const time = text === undefined ? { ms, nanos: (((ms % 1000) + 1000) % 1000) * 1e6 } : parseTime(text, now, zone)
  if (!time) throw new Failure(`invalid date '${text}'`)
  return report.result(shown(time))
}

function formatOf(given: Given): string {
  if (given.has('R')) return '%a, %d %b %Y %H:%M:%S %z'
  if (given.has('I')) return named(given.value('I') ?? 'date', '--iso-8601')
  const rfc = given.value('rfc-3339')
  if (rfc !== undefined && /^[hm]/.test(rfc)) throw new Failure(`invalid argument '${rfc}' for '--rfc-3339'`)
  if (rfc !== undefined) return named(rfc, '--rfc-3339').replace('T', ' ').replace(',', '.')
  return '%a %b %e %H:%M:%S %Z %Y'
}

function named(text: string, option: string): string {
  const format = Object.entries(ISO).find(([name]) => name.startsWith(text))?.[1]
  if (format === undefined || text === '') throw new Failure(`invalid argument '${text}' for '${option}'`)
  return format
}

async function timeOfFile(context: CommandContext, name: string): Promise<number> {
  const stat = await context.fs.stat(pathOf(context, name)).catch((error: unknown) => {
    throw new Failure(`${name}: ${errorWords(error)}`)
  })
  return stat.mtime.getTime()
}
