import { readFile } from 'node:fs/promises'
import { visibleText } from '../../ops/visible-text.js'
import { CassetteError } from '../testing/cassette/difference.js'
import { replayCassette } from '../testing/cassette/replay.js'
import { transcriptOf } from '../testing/cassette/transcript.js'
import type { ExitCode } from './exit-code.js'
import { type CliOptions, soleOperand, UsageError } from './options.js'
import { toolsOf } from './runtime.js'
import { jsonLine } from './terminal.js'

/** Prints a cassette and replays its calls in memory, without model, network or shell. */
export async function replay(options: CliOptions): Promise<ExitCode> {
  const file = soleOperand(options, 'the file of a cassette')
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`Cannot read "${file}": ${error.code ?? error.message}`)
  })
  const { shown, calls, difference } = await replayed(text, options).catch((error: unknown) => {
    if (error instanceof CassetteError) throw new UsageError(error.message)
    throw error
  })
  if (options.json) {
    process.stdout.write(`${jsonLine({ calls, difference: difference && { line: difference.line, message: difference.message } })}\n`)
  } else {
    process.stdout.write(visibleText(shown))
    if (difference) process.stderr.write(`${visibleText(difference.message)}\n`)
    else process.stdout.write(`Replayed ${calls} ${calls === 1 ? 'call' : 'calls'}: all answers are as recorded.\n`)
  }
  return difference ? 1 : 0
}

async function replayed(
  text: string,
  options: CliOptions,
): Promise<{ readonly shown: string; readonly calls: number; readonly difference: CassetteError | undefined }> {
  const shown = transcriptOf(text)
  const { calls, difference } = await replayCassette(text, await toolsOf(options))
  return { shown, calls, difference }
}
