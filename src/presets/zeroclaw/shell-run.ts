import { streamProgress } from '../../tools/shell/stream-progress.js'
import { isTimeout, timeLeft } from '../../tools/shell/time-left.js'
import type { ShellAdapter, ShellOutput, ShellResult } from '../../types/shell.js'
import type { ToolContext } from '../../types/tool.js'
import type { Guard } from './guard.js'
import { MAX_OUTPUT_BYTES, OutputHead } from './shell-output.js'
import { ToolFailed } from './tool-failure.js'

export interface ShellInput {
  readonly command: string
  /** What the call says itself. */
  readonly approved: boolean
}

/**
 * One command, in a shell of its own. An action of the hour is taken before it starts and given back unless it succeeds, so that commands
 * at the same time cannot take more than there are.
 *
 * @throws PolicyError; ToolFailed; what the shell throws
 */
export async function runShell(input: ShellInput, context: ToolContext, guard: Guard): Promise<string> {
  const { command, approved } = input
  const asked = { tool: 'shell', input }
  await guard.admitTool(asked, context)
  await guard.admitCommand(command, approved, asked, context)
  const action = guard.reserve(context)
  try {
    const seconds = guard.policy(context.workspace.root).settings.shellTimeoutSecs
    const output = await exec(command, seconds, context)
    action.commit()
    return output
  } finally {
    // Nothing happens after a commit.
    action.cancel()
  }
}

async function exec(command: string, seconds: number, context: ToolContext): Promise<string> {
  const { workspace, signal, progress, limits } = context
  const head = new OutputHead()
  const tell = streamProgress(progress, limits.shellStreamBytes)
  const onOutput = (output: ShellOutput): void => {
    head.push(output)
    tell(output)
  }
  const timeoutMs = Math.min(seconds * 1000, timeLeft(context))
  const options = { cwd: workspace.cwd, timeoutMs, signal, onOutput, maxBytes: MAX_OUTPUT_BYTES }
  return outputOf(await shellOf(context).exec(command, options), head, signal)
}

function outputOf(result: ShellResult, head: OutputHead, signal: AbortSignal): string {
  if (result.timedOut || (result.aborted && isTimeout(signal.reason))) throw new ToolFailed('Command timed out', { code: 'timeout' })
  signal.throwIfAborted()
  const printed = head.finish(result)
  if (result.exitCode === 0) return printed
  const how = result.exitCode === null ? 'no exit code' : `exit code ${result.exitCode}`
  throw new ToolFailed(`Execution failed: ${how}`, { printed })
}

/** The tool requires the port, so the runtime does not run it without. */
const shellOf = (context: ToolContext): ShellAdapter => context.shell as ShellAdapter
