import { toModelText } from '../../core/result.js'
import { visibleText } from '../../ops/visible-name.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { ToolCall, ToolResult } from '../../types/tool.js'
import { parseCall } from './calls.js'
import type { ExitCode } from './exit-code.js'
import { parseJson } from './json-syntax.js'
import { type CliOptions, UsageError } from './options.js'
import { readStdin } from './stdin.js'
import { jsonLine } from './terminal.js'

/** One call: what a model would read, or with --json the whole result, as the preset has it. */
export async function call(runtime: ToolRuntime, options: CliOptions, signal: AbortSignal): Promise<ExitCode> {
  const given = await readCall(options.operands, signal)
  if (signal.aborted || !given) return 130
  const result = await runtime.execute(given, { signal })
  if (options.json) process.stdout.write(`${jsonLine(runtime.toWire(result, given))}\n`)
  else print(result)
  return result.ok ? 0 : 1
}

/** `-` for the whole call, or for its input: from stdin. Undefined when the signal aborts first. */
async function readCall([name, json = '{}', extra]: readonly string[], signal: AbortSignal): Promise<ToolCall | undefined> {
  if (name === undefined) throw new UsageError('"call" needs the name of a tool')
  if (extra !== undefined) throw new UsageError(`"call" takes a tool and one JSON object, not "${extra}" too: quote the JSON`)
  const text = name === '-' || json === '-' ? await readStdin(signal) : json
  if (signal.aborted) return undefined
  return name === '-' ? parseWhole(text) : { name, input: parseInput(text) }
}

function parseWhole(json: string): ToolCall {
  const parsed = parseCall(json)
  if ('problem' in parsed) throw new UsageError(`Cannot read the call on stdin: ${parsed.problem}`)
  return parsed.call
}

function parseInput(json: string): unknown {
  const parsed = parseJson(json.replace(/^\ufeff/, ''))
  if ('problem' in parsed) throw new UsageError(`The input is not JSON: ${parsed.problem}`)
  return parsed.value
}

function print(result: ToolResult): void {
  const stream = result.ok ? process.stdout : process.stderr
  // Whoever wrote the files must not control the terminal. `--json` has the text as it is.
  stream.write(`${visibleText(toModelText(result))}\n`)
}
