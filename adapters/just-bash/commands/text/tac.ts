import { Printout } from '../bulk.js'
import { packed } from '../bytes.js'
import type { CommandContext, OwnCommand } from '../command.js'
import { command, Failure } from '../failure.js'
import { parseOptions } from '../options.js'
import { Pace } from '../pace.js'
import { Report, readSources } from '../repaired/text-io.js'

export const tacCommand: OwnCommand = command('tac', { usage: 'tac [OPTION]... [FILE]...' }, run)

async function run(args: readonly string[], context: CommandContext) {
  const given = parseOptions('tac', args, 'b|before r|regex s|separator=')
  if (given.has('r')) throw new Failure('-r is not supported in this shell: use -s with a text, or awk')
  const separator = packed(given.value('s') ?? '\n') || '\0'
  const report = new Report('tac')
  const tell = (name: string, words: string): string => `failed to open '${name}' for reading: ${words}`
  const sources = await readSources(context, given.operands, report, { tell })
  const out = new Printout(context)
  for (const { data } of sources) await putReversed(out, data, { separator, before: given.has('b'), pace: new Pace(context) })
  return report.result(out.text())
}

interface Reversing {
  readonly separator: string
  readonly before: boolean
  readonly pace: Pace
}

async function putReversed(out: Printout, data: string, { separator, before, pace }: Reversing): Promise<void> {
  const { length } = separator
  let end = data.length
  let from = end - length
  for (let parts = 1; ; parts++) {
    const found = from < 0 ? -1 : data.lastIndexOf(separator, from)
    const start = found < 0 ? 0 : before ? found : found + length
    out.put(data.slice(start, end))
    if (start === 0) return
    end = start
    from = end - (before ? length : 2 * length)
    if (parts % 1024 === 0) await pace.turn(300)
  }
}
