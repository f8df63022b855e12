import { Printout } from './shared/bulk.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { told } from './shared/files.js'
import { checkOperands, parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { bytesNamed, Report } from './shared/text-io.js'

export const base64Command: OwnCommand = command('base64', { usage: 'base64 [OPTION]... [FILE]' }, run)

/** Chunk size: bytes per call of `btoa` (must be a multiple of 3), and characters per call of `atob` (must be a multiple of 4). */
const GROUP = 3 * 8192

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('base64', args, 'd|decode i|ignore-garbage w|wrap=')
  checkOperands('base64', given.operands, 0, 1)
  const columns = given.value('w') ?? '76'
  if (!/^\d+$/.test(columns)) throw new Failure(`invalid wrap size: '${columns}'`)
  const name = given.operands[0] ?? '-'
  const data = await told(name, () => bytesNamed(context, name))
  const report = new Report('base64')
  const out = new Printout(context)
  const pace = new Pace(context)
  if (!given.has('d')) {
    await encode(data, Number(columns), out, pace)
    return report.result(out.text())
  }
  const valid = await decode(given.has('i') ? data.replace(/[^A-Za-z0-9+/=]/g, '') : data.replaceAll('\n', ''), out, pace)
  if (!valid) report.fail('invalid input')
  return report.result(out.text())
}

async function encode(data: string, columns: number, out: Printout, pace: Pace): Promise<void> {
  let rest = ''
  for (let at = 0; at < data.length; at += GROUP) {
    const text = rest + btoa(data.slice(at, at + GROUP))
    const whole = columns === 0 ? text.length : text.length - (text.length % columns)
    if (columns === 0) out.put(text)
    else for (let from = 0; from < whole; from += columns) out.put(`${text.slice(from, from + columns)}\n`)
    rest = text.slice(whole)
    await pace.turn(GROUP >> 4)
  }
  if (rest !== '') out.put(`${rest}\n`)
}

const SOUND = /^(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/

/**
 * Decodes a text. Like GNU, prints everything before the first invalid character. Accepts several concatenated texts, each with its own
 * `=`.
 */
async function decode(text: string, out: Printout, pace: Pace): Promise<boolean> {
  for (let from = 0; from < text.length; from += GROUP) {
    const part = text.slice(from, from + GROUP)
    if (/^[A-Za-z0-9+/]*$/.test(part) && part.length % 4 === 0) out.put(atob(part))
    else
      for (let at = 0; at < part.length; at += 4) {
        const group = part.slice(at, at + 4)
        const letters = /^[A-Za-z0-9+/]*/.exec(group)?.[0] ?? ''
        const sound = SOUND.test(group)
        if (sound) out.put(atob(group))
        else if (letters.length > 1) out.put(atob(letters.padEnd(4, '=')))
        if (!sound) return false
      }
    await pace.turn(GROUP >> 3)
  }
  return true
}
