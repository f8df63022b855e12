import { packed } from '../bytes.js'
import type { CommandContext, OwnCommand } from '../command.js'
import { command, Failure } from '../failure.js'
import { parseOptions } from '../options.js'
import { Report, readSources } from '../repaired/text-io.js'

export const tacCommand: OwnCommand = command('tac', { usage: 'tac [OPTION]... [FILE]...' }, run)

async function run(args: readonly string[], context: CommandContext) {
  const given = parseOptions('tac', args, 'b|before r|regex s|separator=')
  if (given.has('r')) throw new Failure('-r is not supported in this shell: use -s with a text, or awk')
  const separator = packed(given.value('s') ?? '\n') || '\0'
  const report = new Report('tac')
  const tell = (name: string, words: string): string => `failed to open '${name}' for reading: ${words}`
  const sources = await readSources(context, given.operands, report, { tell })
  const reversed = sources.map(({ data }) => {
    const parts = data.split(separator)
    if (given.has('b'))
      return [
        ...parts
          .slice(1)
          .map((part) => separator + part)
          .reverse(),
        parts[0] ?? '',
      ].join('')
    const last = parts.pop() ?? ''
    return [last, ...parts.map((part) => part + separator).reverse()].join('')
  })
  return report.result(reversed.join(''))
}
