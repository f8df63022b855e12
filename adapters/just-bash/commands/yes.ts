import { packed } from './shared/bytes.js'
import { failed, type OwnCommand, printedBytes } from './shared/command.js'
import { command, TooLarge } from './shared/failure.js'
import { parseOptions } from './shared/options.js'

/**
 * Prefix of an argument that the shell inserts if another command reads the output (syntax/endless.ts). The demand follows: `lines:5`,
 * `bytes:5`, `some` or `all`.
 */
export const YES_WANTED = '--wanted-by-the-pipe='
/** Number of bytes to print if there is no reader, or if the demand of the reader is unknown. */
const SOME_BYTES = 1024 * 1024
const BROKEN_PIPE = 141

export const yesCommand: OwnCommand = command('yes', { usage: 'yes [STRING]...' }, async (all, { limits }) => {
  const wanted = all[0]?.startsWith(YES_WANTED) ? all[0].slice(YES_WANTED.length) : undefined
  const { operands } = parseOptions('yes', wanted === undefined ? all : all.slice(1), 'version')
  const line = `${packed(operands.length === 0 ? 'y' : operands.join(' '))}\n`
  const most = limits.maxStringLength ?? SOME_BYTES
  if (wanted === 'all') throw new TooLarge('this pipe would never end, because its readers never stop: put head -n NUMBER after yes')
  const [unit, count] = wanted?.split(':') ?? []
  const bytes = count === undefined ? SOME_BYTES : unit === 'lines' ? Number(count) * line.length : Number(count)
  if (bytes > most) return failed(`yes: ${bytes} bytes are more than the limit of ${most} for one command\n`)
  const text = repeated(line, bytes)
  if (wanted !== undefined) return { ...printedBytes(text), exitCode: BROKEN_PIPE }
  return {
    ...printedBytes(text),
    stderr: `yes: stopped after ${text.length} bytes: it has no end of its own, pipe it into head\n`,
    exitCode: 1,
  }
})

/** Repeats whole lines up to at least `bytes` bytes. */
const repeated = (line: string, bytes: number): string => line.repeat(Math.max(1, Math.ceil(bytes / line.length)))
