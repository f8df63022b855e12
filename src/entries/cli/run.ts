import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { ToolCall, ToolError, ToolResult } from '../../types/tool.js'
import { parseCall } from './calls.js'
import type { ExitCode } from './exit-code.js'
import { type CliOptions, soleOperand } from './options.js'
import { readLines } from './stdin.js'
import { jsonLine, print } from './terminal.js'

/**
 * Calls from a file, one a line; a result a line, as the preset has it, also for a line that is no call. In order; with --parallel calls
 * that only read run side by side, and their results stay in order.
 */
export async function run(runtime: ToolRuntime, options: CliOptions, signal: AbortSignal): Promise<ExitCode> {
  const lines = await readLines(soleOperand(options, 'a .jsonl file, or "-" for stdin'))
  // Nothing more is read: a line that never comes must not hold up an interrupt.
  signal.addEventListener('abort', () => lines.close(), { once: true })
  const calls = new SideBySide(options.parallel ?? 1)
  let printed: Promise<void> = Promise.resolve()
  let failed = false
  const isOver = (): boolean => signal.aborted || (options.bail && failed)
  const settle = async (call: ToolCall, refused: ToolError | undefined): Promise<ToolResult> => {
    const result = refused ?? (await runtime.execute(call, { signal }))
    if (!result.ok) failed = true
    return result
  }
  const execute = (call: ToolCall, refused: ToolError | undefined): Promise<void> => {
    // What it waited for may have failed, or taken until an interrupt.
    if (isOver()) return Promise.resolve()
    const result = settle(call, refused)
    printed = printed.then(async () => print(`${jsonLine(runtime.toWire(await result, call))}\n`))
    return printed
  }
  let number = 0
  for await (const line of lines) {
    number++
    if (line.trim() === '') continue
    const parsed = parseCall(line)
    const call = 'call' in parsed ? parsed.call : { name: '' }
    const refused = 'problem' in parsed ? refuse(number, parsed.problem) : undefined
    await calls.start(!refused && !onlyReads(runtime, call), () => execute(call, refused))
    if (isOver()) break
  }
  lines.close()
  await calls.idle()
  return failed ? 1 : 0
}

/** An unknown name runs nothing. */
function onlyReads({ registry }: ToolRuntime, { name }: ToolCall): boolean {
  const entry = registry.find(name)
  return entry === undefined || entry.tool.annotations?.readOnlyHint === true
}

function refuse(number: number, why: string): ToolError {
  const error = `Cannot read the call in line ${number}: ${why}`
  return { ok: false, output: { status: 'invalid_input', code: 'invalid_input', callId: null, tool: '', recoverable: true }, error }
}

/** Runs work in the order it comes: at most `width` at once, and alone what has to be alone. */
class SideBySide {
  readonly #width: number
  readonly #running = new Set<Promise<void>>()

  constructor(width: number) {
    this.#width = width
  }

  /** Resolves when the next may come. `work` must not reject. */
  async start(alone: boolean, work: () => Promise<void>): Promise<void> {
    if (alone) await this.idle()
    const running = work().then(() => void this.#running.delete(running))
    this.#running.add(running)
    if (alone) await running
    while (this.#running.size >= this.#width) await Promise.race(this.#running)
  }

  async idle(): Promise<void> {
    await Promise.all(this.#running)
  }
}
