import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { ToolCall, ToolError, ToolResult } from '../../types/tool.js'
import { parseCall } from './calls.js'
import type { ExitCode } from './exit-code.js'
import { type CliOptions, soleOperand } from './options.js'
import { readLines } from './stdin.js'
import { jsonLine, print } from './terminal.js'

/**
 * Runs the calls of a file, one per line, in order. Prints one result per line in the preset's wire format, also for invalid lines. With
 * --parallel, runs read-only calls concurrently, but prints results in order.
 */
export async function run(runtime: ToolRuntime, options: CliOptions, signal: AbortSignal): Promise<ExitCode> {
  const lines = await readLines(soleOperand(options, 'a .jsonl file, or "-" for stdin'))
  // Stop reading, so that an interrupt does not wait for further input.
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
    // An earlier call may have failed with --bail, or an interrupt may have come.
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

/** Whether a call is read-only. A call of an unknown tool counts as read-only, because it runs nothing. */
function onlyReads({ registry }: ToolRuntime, { name }: ToolCall): boolean {
  const entry = registry.find(name)
  return entry === undefined || entry.tool.annotations?.readOnlyHint === true
}

function refuse(number: number, why: string): ToolError {
  const error = `Cannot read the call in line ${number}: ${why}`
  return { ok: false, output: { status: 'invalid_input', code: 'invalid_input', callId: null, tool: '', recoverable: true }, error }
}

/** Starts tasks in order. At most `width` tasks run at once. A task with `alone` runs by itself. */
class SideBySide {
  readonly #width: number
  readonly #running = new Set<Promise<void>>()

  constructor(width: number) {
    this.#width = width
  }

  /** Resolves when the next task may start. `work` must not reject. */
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
