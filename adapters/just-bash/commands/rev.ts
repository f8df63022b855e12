import { lineBatches, Printout } from './shared/bulk.js'
import type { OwnCommand } from './shared/command.js'
import { command } from './shared/failure.js'
import { parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { codingOf, eachSource, Report } from './shared/text-io.js'

/** Number of characters per chunk. */
const PIECE = 32 * 1024

export const revCommand: OwnCommand = command('rev', { usage: 'rev [OPTION]... [FILE]...' }, async (args, context) => {
  const given = parseOptions('rev', args, '')
  const out = new Printout(context)
  const report = new Report('rev')
  const sources = eachSource(context, given.operands, report, { tell: (name, words) => `cannot open ${name}: ${words}` })
  const pace = new Pace(context)
  for await (const { data } of sources) {
    const { decode, encode } = codingOf([data], context.env)
    let rest = data.length
    for await (const lines of lineBatches(context, decode(data)))
      for (const line of lines) {
        const reversed = line.length > PIECE ? await reversedLong(line, pace) : reversedText(line)
        const text = encode(reversed)
        rest -= text.length
        // A last line without a line break is printed without one.
        out.put(rest > 0 ? `${text}\n` : text)
        rest--
      }
  }
  return report.result(out.text())
})

function reversedText(text: string): string {
  let out = ''
  for (const char of text) out = char + out
  return out
}

async function reversedLong(line: string, pace: Pace): Promise<string> {
  const parts: string[] = []
  for (let end = line.length; end > 0; ) {
    let start = Math.max(0, end - PIECE)
    if (start > 0 && isTrail(line.charCodeAt(start))) start--
    parts.push(reversedText(line.slice(start, end)))
    end = start
    await pace.turn(PIECE >> 4)
  }
  return parts.join('')
}

const isTrail = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000
