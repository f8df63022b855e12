import { toModelText } from '../../core/result.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { ToolResult } from '../../types/tool.js'
import type { ExitCode } from './exit-code.js'
import { type CliOptions, UsageError } from './options.js'
import { readStdin } from './stdin.js'

/** One call: what a model would read, or with --json the whole result, as the preset has it. */
export async function call(runtime: ToolRuntime, options: CliOptions, signal: AbortSignal): Promise<ExitCode> {
  const [name, json = '{}', extra] = options.operands
  if (name === undefined) throw new UsageError('"call" needs the name of a tool')
  if (extra !== undefined) throw new UsageError(`"call" takes a tool and one JSON object, not "${extra}" too: quote the JSON`)
  const text = json === '-' ? await readStdin(signal) : json
  if (signal.aborted) return 130
  const given = { name, input: parseInput(text) }
  const result = await runtime.execute(given, { signal })
  if (options.json) process.stdout.write(`${JSON.stringify(runtime.toWire(result, given))}\n`)
  else print(result)
  return result.ok ? 0 : 1
}

function parseInput(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new UsageError(`The input is not JSON: ${error instanceof Error ? error.message : error}`)
  }
}

function print(result: ToolResult): void {
  const stream = result.ok ? process.stdout : process.stderr
  stream.write(`${toModelText(result)}\n`)
}
