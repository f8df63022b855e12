import type { CommandContext, OwnCommand, OwnResult } from '../command.js'
import { command, Failure } from '../failure.js'
import { told } from '../files.js'
import { checkOperands, parseOptions } from '../options.js'
import { bytesNamed, Report } from './text-io.js'

export const base64Command: OwnCommand = command('base64', { usage: 'base64 [OPTION]... [FILE]' }, run)

/** Bytes that `btoa` is given at once: a multiple of 3. */
const GROUP = 3 * 8192

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('base64', args, 'd|decode i|ignore-garbage w|wrap=')
  checkOperands('base64', given.operands, 0, 1)
  const columns = given.value('w') ?? '76'
  if (!/^\d+$/.test(columns)) throw new Failure(`invalid wrap size: '${columns}'`)
  const name = given.operands[0] ?? '-'
  const data = await told(name, () => bytesNamed(context, name))
  const report = new Report('base64')
  if (!given.has('d')) return report.result(wrapped(encoded(data), Number(columns)))
  const { bytes, valid } = decoded(given.has('i') ? data.replace(/[^A-Za-z0-9+/=]/g, '') : data.replaceAll('\n', ''))
  if (!valid) report.fail('invalid input')
  return report.result(bytes)
}

function encoded(data: string): string {
  const parts: string[] = []
  for (let at = 0; at < data.length; at += GROUP) parts.push(btoa(data.slice(at, at + GROUP)))
  return parts.join('')
}

function wrapped(text: string, columns: number): string {
  if (columns === 0 || text === '') return text
  const lines: string[] = []
  for (let at = 0; at < text.length; at += columns) lines.push(`${text.slice(at, at + columns)}\n`)
  return lines.join('')
}

/** What comes before the first thing that is none, as GNU's prints it. Several texts may follow one another, each with its `=`. */
function decoded(text: string): { readonly bytes: string; readonly valid: boolean } {
  const parts: string[] = []
  for (let at = 0; at < text.length; at += 4) {
    const group = text.slice(at, at + 4)
    const sound = /^(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/.test(group)
    const letters = /^[A-Za-z0-9+/]*/.exec(group)?.[0] ?? ''
    if (sound) parts.push(atob(group))
    else {
      if (letters.length > 1) parts.push(atob(letters.padEnd(4, '=')))
      return { bytes: parts.join(''), valid: false }
    }
  }
  return { bytes: parts.join(''), valid: true }
}
