import { bytesOf } from '../bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from '../command.js'
import { command, Failure } from '../failure.js'
import { pathOf, told } from '../files.js'
import { checkOperands, type Given, parseOptions } from '../options.js'
import { bytesNamed, linesOf, Report } from './text-io.js'

const OPTIONS =
  'c|count d|repeated D all-repeated=? u|unique i|ignore-case f|skip-fields= s|skip-chars= w|check-chars= z|zero-terminated group=?'

export const uniqCommand: OwnCommand = command('uniq', { usage: 'uniq [OPTION]... [INPUT [OUTPUT]]' }, run)

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('uniq', args, OPTIONS)
  if (given.has('D') || given.has('all-repeated') || given.has('group')) {
    if (given.has('c')) throw new Failure('printing all duplicated lines and repeat counts is meaningless')
  }
  const method = methodOf(given)
  checkOperands('uniq', given.operands, 0, 2)
  const [input = '-', output] = given.operands
  const data = await told(input, () => bytesNamed(context, input))
  const end = given.has('z') ? '\0' : '\n'
  const key = keyOf(given)
  const groups: { key: string; lines: string[] }[] = []
  for (const line of linesOf(data, end)) {
    const own = key(line)
    const last = groups.at(-1)
    if (last && last.key === own) last.lines.push(line)
    else groups.push({ key: own, lines: [line] })
  }
  const parts = groups.map(({ lines }) => shown(lines, given).map((line) => line + end)).filter((lines) => lines.length > 0)
  const bytes = separated(parts, method, end)
  if (output === undefined || output === '-') return new Report('uniq').result(bytes)
  await told(output, () => context.fs.writeFile(pathOf(context, output), bytesOf(bytes)))
  return new Report('uniq').result('')
}

const METHODS: readonly string[] = ['none', 'prepend', 'separate']
const GROUPINGS: readonly string[] = ['prepend', 'append', 'separate', 'both']

/** Where empty lines stand between groups. */
function methodOf(given: Given): string {
  const [id, usual, methods] = given.has('group') ? ['group', 'separate', GROUPINGS] : ['all-repeated', 'none', METHODS]
  const text = given.value(id as string) ?? (usual as string)
  const found = (methods as readonly string[]).filter((method) => text !== '' && method.startsWith(text))
  if (found.length !== 1)
    throw new Failure(`invalid argument '${text}' for '--${id}'\nValid arguments are: ${(methods as readonly string[]).join(', ')}`)
  return found[0] as string
}

function separated(groups: readonly (readonly string[])[], method: string, end: string): string {
  const between = method === 'none' ? '' : end
  const body = groups.map((lines) => lines.join('')).join(between)
  if (groups.length === 0) return ''
  return (method === 'prepend' || method === 'both' ? end : '') + body + (method === 'append' || method === 'both' ? end : '')
}

function shown(lines: readonly string[], given: Given): readonly string[] {
  const repeated = lines.length > 1
  if (given.has('group')) return lines
  if (given.has('D') || given.has('all-repeated')) return repeated ? lines : []
  if (given.has('d') && !repeated) return []
  if (given.has('u') && repeated) return []
  const [first = ''] = lines
  return [given.has('c') ? `${String(lines.length).padStart(7)} ${first}` : first]
}

function keyOf(given: Given): (line: string) => string {
  const number = (id: string, words: string): number | undefined => {
    const value = given.value(id)
    if (value !== undefined && !/^\d+$/.test(value)) throw new Failure(`${value}: invalid number of ${words}`)
    return value === undefined ? undefined : Number(value)
  }
  const fields = number('f', 'fields to skip') ?? 0
  const chars = number('s', 'bytes to skip') ?? 0
  const width = number('w', 'bytes to compare')
  const skipped = new RegExp(`^(?:[ \\t]*[^ \\t]*){${fields}}`)
  return (line) => {
    const rest = (fields > 0 ? line.replace(skipped, '') : line).slice(chars)
    const part = width === undefined ? rest : rest.slice(0, width)
    return given.has('i') ? part.toLowerCase() : part
  }
}
