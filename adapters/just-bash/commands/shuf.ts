import { batches, Printout, pacedLines } from './shared/bulk.js'
import { bytesOf, packed } from './shared/bytes.js'
import type { CommandContext, OwnCommand } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { pathOf, told } from './shared/files.js'
import { checkOperands, type Given, parseOptions } from './shared/options.js'
import { hostOf, Pace } from './shared/pace.js'
import { bytesNamed } from './shared/text-io.js'

const HINT = "Try 'shuf --help' for more information."
/** Maximum number of lines that one call prints. */
const MAX_DRAWN = 10_000_000
const TURN = 4096

export const shufCommand: OwnCommand = command('shuf', { usage: 'shuf [OPTION]... [FILE]' }, async (args, context) => {
  const given = parseOptions('shuf', args, 'e|echo i|input-range= n|head-count= o|output= random-source=! r|repeat z|zero-terminated')
  if (given.has('random-source')) throw new Failure('--random-source is not supported here: leave it out')
  const end = given.has('z') ? '\0' : '\n'
  const source = await sourceOf(given, context, end)
  const limit = headCount(given)
  if (given.has('r') && limit === undefined) throw new Failure('--repeat without --head-count (-n) would never end: give a count')
  if (source.size === 0 && given.has('r') && limit !== 0) throw new Failure('no lines to repeat')
  const drawn = await draw(source.size, limit, given.has('r'), context)
  const out = new Printout(context)
  for await (const batch of batches(context, drawn)) for (const at of batch) out.put(source.at(at) + end)
  const output = out.text()
  const to = given.value('o')
  if (to === undefined) return { stdout: output, stderr: '', exitCode: 0, stdoutKind: 'bytes' }
  await told(to, () => context.fs.writeFile(pathOf(context, to), bytesOf(output)))
  return { stdout: '', stderr: '', exitCode: 0 }
})

interface Source {
  readonly size: number
  /** Returns the line, one character per byte. */
  at(index: number): string
}

async function sourceOf(given: Given, context: CommandContext, end: string): Promise<Source> {
  const { operands } = given
  const range = given.value('i')
  if (range !== undefined && given.has('e')) throw new Failure(`cannot combine -e and -i options\n${HINT}`)
  if (range !== undefined) {
    checkOperands('shuf', operands, 0, 0)
    return rangeOf(range)
  }
  if (given.has('e')) return { size: operands.length, at: (index) => packed(operands[index] as string) }
  checkOperands('shuf', operands, 0, 1)
  const [name = '-'] = operands
  const lines = await pacedLines(context, await told(name, () => bytesNamed(context, name)), end)
  return { size: lines.length, at: (index) => lines[index] as string }
}

function rangeOf(text: string): Source {
  const found = /^(\d+)-(\d+)$/.exec(text)
  const [low, high] = [Number(found?.[1]), Number(found?.[2])]
  if (!found || high < low - 1 || !Number.isSafeInteger(high)) throw new Failure(`invalid input range: '${text}'`)
  return { size: high - low + 1, at: (index) => String(low + index) }
}

/** Returns the maximum number of lines to print: the smallest value of `-n`, or undefined without `-n`. */
function headCount(given: Given): number | undefined {
  const counts = given.values('n').map((text) => {
    if (!/^\d+$/.test(text)) throw new Failure(`invalid line count: '${text}'`)
    return Number(text)
  })
  return counts.length === 0 ? undefined : Math.min(...counts)
}

/** Draws positions, each once unless `repeat`. Stores only swapped positions, because a range may be long. */
async function draw(size: number, limit: number | undefined, repeat: boolean, context: CommandContext): Promise<number[]> {
  const { random } = hostOf(context)
  const count = repeat ? (limit ?? 0) : Math.min(size, limit ?? size)
  if (count > MAX_DRAWN) throw new Failure(`more than ${MAX_DRAWN} lines are not supported in this shell: use a lower --head-count (-n)`)
  const pace = new Pace(context)
  const moved = new Map<number, number>()
  const drawn: number[] = []
  for (let i = 0; i < count; i++) {
    if (i % TURN === 0) await pace.turn(TURN / 4)
    if (repeat) {
      drawn.push(Math.floor(random() * size))
      continue
    }
    const at = i + Math.floor(random() * (size - i))
    drawn.push(moved.get(at) ?? at)
    moved.set(at, moved.get(i) ?? i)
    moved.delete(i)
  }
  return drawn
}
