import { resolve } from 'node:path'
import { isRecord } from '../../ops/is-record.js'
import { visibleText } from '../../ops/visible-text.js'
import { evaluate } from '../testing/evaluation/evaluate.js'
import { evaluationTable } from '../testing/evaluation/table.js'
import type { EvaluateOptions, EvaluationCase, EvaluationResult } from '../testing/evaluation/types.js'
import { ConfigError, type ConfigFile, currentDirectory } from './config/file.js'
import { importDefault } from './config/load.js'
import type { ExitCode } from './exit-code.js'
import { type CommandLine, soleOperand } from './options.js'
import { jsonLine } from './terminal.js'

/** Runs the evaluation cases of a module. Prints each result to stderr as it arrives, and the table to stdout. */
export async function evaluateFile(line: CommandLine, signal: AbortSignal): Promise<ExitCode> {
  const name = soleOperand(line, 'a module that exports the options of "evaluate"')
  const file = { path: resolve(currentDirectory(), name), name }
  const options = chosen(optionsOf(await importDefault(file, 'the options of "evaluate"'), file), line, file)
  const { onResult } = options
  const told: EvaluateOptions['onResult'] = async (result, run) => {
    if (!line.json) process.stderr.write(visibleText(`${progressOf(result)}\n`))
    await onResult?.(result, run)
  }
  const own = { ...options, onResult: told, signal, ...(line.parallel !== undefined && { concurrency: line.parallel }) }
  const report = await evaluate(own).catch((error: unknown) => {
    if (error instanceof TypeError || error instanceof RangeError) throw new ConfigError(file, error.message)
    throw error
  })
  process.stdout.write(line.json ? `${jsonLine(report)}\n` : visibleText(evaluationTable(report)))
  return report.passed === report.total ? 0 : 1
}

function optionsOf(value: unknown, file: ConfigFile): EvaluateOptions {
  if (isRecord(value) && Array.isArray(value.cases)) return value as unknown as EvaluateOptions
  throw new ConfigError(file, 'its default export needs "cases", a list of cases')
}

/** Returns the options with only the cases that match `--filter`. */
function chosen(options: EvaluateOptions, { filter }: CommandLine, file: ConfigFile): EvaluateOptions {
  if (filter === undefined) return options
  const nameOf = (task: EvaluationCase | undefined): string => String(task?.name)
  const cases = options.cases.filter((task) => nameOf(task).includes(filter))
  if (cases.length > 0) return { ...options, cases }
  throw new ConfigError(file, `no case has "${filter}" in its name. The cases are: ${options.cases.map(nameOf).join(', ')}`)
}

const progressOf = ({ case: name, model, status, ms }: EvaluationResult): string =>
  `${status.padEnd(7)} ${name} (${model}), ${(ms / 1000).toFixed(1)} s`
