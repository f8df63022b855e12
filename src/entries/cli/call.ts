import { toModelText } from '../../core/result.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { ToolResult } from '../../types/tool.js'
import type { ExitCode } from './exit-code.js'
import { type CliOptions, UsageError } from './options.js'
import { readStdin } from './stdin.js'

/** One call: what a model would read, or with --json the whole result. */
export async function call(runtime: ToolRuntime, options: CliOptions, signal: AbortSignal): Promise<ExitCode> {
  const [name, json = '{}', extra] = options.operands
  if (name === undefined) throw new UsageError('"call" needs the name of a tool')
  if (extra !== undefined) throw new UsageError(`"call" takes a tool and one JSON object, not "${extra}" too: quote the JSON`)
  const text = json === '-' ? await readStdin(signal) : json
  if (signal.aborted) return 130
  const input = parseInput(text)
  const result = await runtime.execute({ name, input }, { signal })
  print(result, options.json)
  return result.ok ? 0 : 1
}

function parseInput(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new UsageError(`The input is not JSON: ${error instanceof Error ? error.message : error}`)
  }
}

function print(result: ToolResult, json: boolean): void {
  if (json) process.stdout.write(`${JSON.stringify(result)}\n`)
  else if (result.ok) process.stdout.write(`${toModelText(result)}\n`)
  else process.stderr.write(`${toModelText(result)}\n`)
}
