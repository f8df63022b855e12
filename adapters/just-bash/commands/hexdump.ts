import { Printout } from './shared/bulk.js'
import type { OwnCommand } from './shared/command.js'
import { deviceBytes } from './shared/devices.js'
import { command, Failure } from './shared/failure.js'
import { parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { pacedBinary, Report, readSources } from './shared/text-io.js'

const ROW = 16

/** Supports only `-C`, because the output of the other forms depends on the byte order of the machine. */
export const hexdumpCommand: OwnCommand = command(
  'hexdump',
  { usage: 'hexdump -C [-v] [-n LENGTH] [-s OFFSET] [FILE]...' },
  async (args, context) => {
    const given = parseOptions('hexdump', args, 'C|canonical v|no-squeezing n|length= s|skip=')
    if (!given.has('C')) throw new Failure('only -C is supported in this shell: use od for other forms')
    const [skip, length] = ['s', 'n'].map((id) => numberOf(given.value(id)))
    const report = new Report('hexdump')
    const start = skip ?? 0
    const device = await deviceBytes(context, given.operands[0], length === undefined ? undefined : start + length, '-n')
    const sources = device ? [{ data: await pacedBinary(context, device) }] : await readSources(context, given.operands, report)
    const data = sources
      .map((source) => source.data)
      .join('')
      .slice(start, length === undefined ? undefined : start + length)
    const out = new Printout(context)
    const pace = new Pace(context)
    let before: string | undefined
    let starred = false
    for (let at = 0; at < data.length; at += ROW) {
      if (at % (ROW * 128) === 0) await pace.turn(1000)
      const row = data.slice(at, at + ROW)
      if (row === before && !given.has('v')) {
        if (!starred) out.put('*\n')
        starred = true
        continue
      }
      before = row
      starred = false
      const bytes = Array.from({ length: ROW }, (_, i) => row.charCodeAt(i)).map((code) =>
        Number.isNaN(code) ? '  ' : code.toString(16).padStart(2, '0'),
      )
      out.put(`${place(start + at)}  ${bytes.slice(0, 8).join(' ')}  ${bytes.slice(8).join(' ')}  |${row.replace(/[^ -~]/g, '.')}|\n`)
    }
    if (data.length > 0) out.put(`${place(start + data.length)}\n`)
    return report.result(out.text())
  },
)

const place = (at: number): string => at.toString(16).padStart(8, '0')

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^(?:\d+|0x[\da-f]+)$/i.test(text)) throw new Failure(`${text}: bad length value`)
  return Number(text)
}
