import { lineBatches, Printout } from './shared/bulk.js'
import { bytesOf } from './shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { pathOf, told } from './shared/files.js'
import { checkOperands, type Given, parseOptions } from './shared/options.js'
import { bytesNamed, Report } from './shared/text-io.js'

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
  const out = new Printout(context)
  const shown = shownOf(given)
  let group: Group | undefined
  let any = false
  const put = (): void => {
    const lines = group ? shown(group) : []
    if (lines.length === 0) return
    if (any ? method !== 'none' : method === 'prepend' || method === 'both') out.put(end)
    any = true
    for (const line of lines) out.put(line + end)
  }
  const keeps = given.has('D') || given.has('all-repeated') || given.has('group')
  for await (const lines of lineBatches(context, data, end))
    for (const line of lines) {
      const own = key(line)
      if (group && group.key === own) {
        group.count++
        if (keeps) group.lines.push(line)
      } else {
        put()
        group = { key: own, count: 1, lines: [line] }
      }
    }
  put()
  if (any && (method === 'append' || method === 'both')) out.put(end)
  const bytes = out.text()
  if (output === undefined || output === '-') return new Report('uniq').result(bytes)
  await told(output, () => context.fs.writeFile(pathOf(context, output), bytesOf(bytes)))
  return new Report('uniq').result('')
}

const METHODS: readonly string[] = ['none', 'prepend', 'separate']
const GROUPINGS: readonly string[] = ['prepend', 'append', 'separate', 'both']

/** Returns where to print empty lines between groups: the method of `--group` or `--all-repeated`, which may be abbreviated. */
function methodOf(given: Given): string {
  const [id, usual, methods] = given.has('group') ? ['group', 'separate', GROUPINGS] : ['all-repeated', 'none', METHODS]
  const text = given.value(id as string) ?? (usual as string)
  const found = (methods as readonly string[]).filter((method) => text !== '' && method.startsWith(text))
  if (found.length !== 1)
    throw new Failure(`invalid argument '${text}' for '--${id}'\nValid arguments are: ${(methods as readonly string[]).join(', ')}`)
  return found[0] as string
}

/** A group of equal adjacent lines. `lines` holds the first line, or all lines if all are printed. */
interface Group {
  readonly key: string
  readonly lines: string[]
  count: number
}

function shownOf(given: Given): (group: Group) => readonly string[] {
  const [grouped, all, repeated, unique, counted] = [
    given.has('group'),
    given.has('D') || given.has('all-repeated'),
    given.has('d'),
    given.has('u'),
    given.has('c'),
  ]
  return ({ lines, count }) => {
    if (grouped) return lines
    if (all) return count > 1 ? lines : []
    if ((repeated && count === 1) || (unique && count > 1)) return []
    return counted ? [`${String(count).padStart(7)} ${lines[0]}`] : lines
  }
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
  const fold = given.has('i')
  const skipped = new RegExp(`^(?:[ \\t]*[^ \\t]*){${fields}}`)
  return (line) => {
    const rest = (fields > 0 ? line.replace(skipped, '') : line).slice(chars)
    const part = width === undefined ? rest : rest.slice(0, width)
    return fold ? part.toLowerCase() : part
  }
}
