import { Printout } from './shared/bulk.js'
import type { CommandContext, OwnCommand } from './shared/command.js'
import { command } from './shared/failure.js'
import { parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { eachSource, Report, type Source } from './shared/text-io.js'

export const catCommand: OwnCommand = command('cat', { usage: 'cat [OPTION]... [FILE]...' }, async (args, context) => {
  const given = parseOptions(
    'cat',
    args,
    'A|show-all b|number-nonblank e E|show-ends n|number s|squeeze-blank t T|show-tabs u v|show-nonprinting',
  )
  const out = new Printout(context)
  const report = new Report('cat', out)
  const sources = eachSource(context, given.operands, report)
  const has = (...ids: readonly string[]): boolean => given.last(...ids) !== undefined
  const shown = {
    ends: has('A', 'e', 'E'),
    tabs: has('A', 't', 'T'),
    controls: has('A', 'e', 't', 'v'),
    numbers: given.has('b') ? 'filled' : given.has('n') ? 'all' : undefined,
    squeezes: given.has('s'),
  } as const
  if (given.options.every(({ id }) => id === 'u')) for await (const { data } of sources) out.put(data)
  else await show(sources, shown, out, context)
  return report.result(out.text())
})

interface Showing {
  readonly ends: boolean
  readonly tabs: boolean
  readonly controls: boolean
  readonly numbers: 'all' | 'filled' | undefined
  readonly squeezes: boolean
}

/** Number of characters per chunk. */
const PIECE = 32 * 1024

/** Returns what `cat` prints for each of the 256 bytes, for example `^I` for a tab with `-T`. */
function namesOf({ tabs, controls }: Showing): readonly string[] {
  return Array.from({ length: 256 }, (_, byte) => {
    if (byte === 9) return tabs ? '^I' : '\t'
    if (byte === 10 || !controls) return String.fromCharCode(byte)
    const low = byte & 0x7f
    const name = low === 127 ? '^?' : low < 32 ? `^${String.fromCharCode(low + 64)}` : String.fromCharCode(low)
    return byte < 128 ? name : `M-${name}`
  })
}

async function show(sources: AsyncIterable<Source>, showing: Showing, out: Printout, context: CommandContext): Promise<void> {
  const { ends, numbers, squeezes, tabs, controls } = showing
  const names = tabs || controls ? namesOf(showing) : undefined
  const pace = new Pace(context)
  let [number, blanks, starts] = [0, 0, true]
  for await (const { data } of sources) {
    let found = starts ? -1 : data.indexOf('\n')
    for (let at = 0; at < data.length; ) {
      const stop = Math.min(data.length, at + PIECE)
      for (; at < stop; ) {
        // Search a long line only once.
        if (starts) found = data.indexOf('\n', at)
        const isBlank = starts && found === at
        blanks = isBlank ? blanks + 1 : 0
        if (!(squeezes && blanks > 1)) {
          if (starts && (numbers === 'all' || (numbers === 'filled' && !isBlank))) out.put(`${String(++number).padStart(6)}\t`)
          // Show a long line in parts.
          const end = Math.min(found < 0 ? data.length : found, at + PIECE)
          // Like GNU, marks the CR of a CRLF line break, and no other CR.
          const isWindows = ends && !controls && end === found && end > at && data[end - 1] === '\r'
          const text = isWindows ? `${data.slice(at, end - 1)}^M` : data.slice(at, end)
          out.put(names ? named(text, names) : text)
          starts = end === found
          if (starts) out.put(ends ? '$\n' : '\n')
          at = starts ? end + 1 : end
        } else at++
      }
      await pace.turn(PIECE >> 3)
    }
  }
}

function named(text: string, names: readonly string[]): string {
  let out = ''
  for (let at = 0; at < text.length; at++) out += names[text.charCodeAt(at) & 0xff]
  return out
}
