import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { ToolCall, ToolResult } from '../../types/tool.js'
import type { ExitCode } from './exit-code.js'
import { type CliOptions, soleOperand } from './options.js'
import { readLines } from './stdin.js'

/** Calls from a file, one a line, in order; a result a line, as the preset has it, also for a line that is no call. */
export async function run(runtime: ToolRuntime, options: CliOptions, signal: AbortSignal): Promise<ExitCode> {
  const lines = await readLines(soleOperand(options, 'a .jsonl file, or "-" for stdin'))
  // Nothing more is read: a line that never comes must not hold up an interrupt.
  signal.addEventListener('abort', () => lines.close(), { once: true })
  let code: ExitCode = 0
  let number = 0
  for await (const line of lines) {
    number++
    if (line.trim() === '') continue
    const parsed = parseCall(line.replace(/^\ufeff/, ''), number)
    const result = 'ok' in parsed ? parsed : await runtime.execute(parsed, { signal })
    if (!result.ok) code = 1
    process.stdout.write(`${JSON.stringify(runtime.toWire(result, 'ok' in parsed ? { name: '' } : parsed))}\n`)
    if (signal.aborted) break
  }
  lines.close()
  return code
}

function parseCall(line: string, number: number): ToolCall | ToolResult {
  try {
    const call = JSON.parse(line) as ToolCall
    if (typeof call === 'object' && call !== null && typeof call.name === 'string') return call
    return refuse(number, 'it must be an object with a "name"')
  } catch {
    return refuse(number, 'it is not JSON')
  }
}

function refuse(number: number, why: string): ToolResult {
  const error = `Cannot read the call in line ${number}: ${why}`
  return { ok: false, output: { status: 'invalid_input', code: 'invalid_input', callId: null, tool: '', recoverable: true }, error }
}
