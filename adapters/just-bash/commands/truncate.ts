import type { CommandContext, OwnCommand } from './shared/command.js'
import { errorWords } from './shared/errno.js'
import { command, Failure } from './shared/failure.js'
import { pathOf, statOf, told } from './shared/files.js'
import { type Given, parseOptions } from './shared/options.js'
import { quantity } from './shared/quantity.js'

const HINT = "Try 'truncate --help' for more information."

export const truncateCommand: OwnCommand = command('truncate', { usage: 'truncate OPTION... FILE...' }, async (args, context) => {
  const given = parseOptions('truncate', args, 'c|no-create o|io-blocks! r|reference= s|size=')
  if (given.has('o')) throw new Failure('-o is not supported in this shell: give the size in bytes')
  const size = sizeOf(given)
  const base = await referenceSize(given, context)
  if (given.operands.length === 0) throw new Failure(`missing file operand\n${HINT}`)
  let stderr = ''
  for (const name of given.operands) {
    try {
      await truncate(context, name, { given, size, base })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      stderr += `truncate: ${error.message}\n`
    }
  }
  return { stdout: '', stderr, exitCode: stderr === '' ? 0 : 1 }
})

interface Size {
  readonly mode: string
  readonly bytes: number
}

function sizeOf(given: Given): Size | undefined {
  const text = given.value('s')
  if (text === undefined) {
    if (!given.has('r')) throw new Failure(`you must specify either '--size' or '--reference'\n${HINT}`)
    return undefined
  }
  const [, mode = '', digits = ''] = /^\s*([+<>/%-]?)\s*(.*)$/.exec(text) ?? []
  const bytes = quantity(digits)
  if (bytes === undefined) throw new Failure(`Invalid number: '${text}'`)
  if (bytes === 0 && (mode === '/' || mode === '%')) throw new Failure('division by zero')
  if (given.has('r') && mode === '') throw new Failure(`you must specify a relative '--size' with '--reference'\n${HINT}`)
  return { mode, bytes }
}

async function referenceSize(given: Given, context: CommandContext): Promise<number | undefined> {
  const name = given.value('r')
  if (name === undefined) return undefined
  try {
    return (await context.fs.stat(pathOf(context, name))).size
  } catch (error) {
    throw new Failure(`cannot stat '${name}': ${errorWords(error)}`)
  }
}

interface Wanted {
  readonly given: Given
  readonly size: Size | undefined
  readonly base: number | undefined
}

async function truncate(context: CommandContext, name: string, { given, size, base }: Wanted): Promise<void> {
  const path = pathOf(context, name)
  const stat = await statOf(context, name)
  if (!stat && given.has('c')) return
  if (stat?.isDirectory) throw new Failure(`cannot open '${name}' for writing: Is a directory`)
  const old = stat ? await told(`cannot open '${name}' for writing`, () => context.fs.readFileBuffer(path)) : new Uint8Array()
  const length = lengthOf(base ?? old.length, size)
  if (length > (context.limits.maxOutputSize ?? Number.POSITIVE_INFINITY)) {
    throw new Failure(`failed to truncate '${name}' at ${length} bytes: File too large`)
  }
  if (stat && length === old.length) return
  const bytes = new Uint8Array(length)
  bytes.set(old.subarray(0, length))
  await told(`cannot open '${name}' for writing`, () => context.fs.writeFile(path, bytes))
}

function lengthOf(old: number, size: Size | undefined): number {
  if (!size) return old
  const { mode, bytes } = size
  switch (mode) {
    case '+':
      return old + bytes
    case '-':
      return Math.max(0, old - bytes)
    case '<':
      return Math.min(old, bytes)
    case '>':
      return Math.max(old, bytes)
    case '/':
      return Math.floor(old / bytes) * bytes
    case '%':
      return Math.ceil(old / bytes) * bytes
    default:
      return bytes
  }
}
