import { streamProgress } from '../../tools/shell/stream-progress.js'
import { isTimeout, timeLeft } from '../../tools/shell/time-left.js'
import type { ShellAdapter, ShellOutput, ShellResult } from '../../types/shell.js'
import type { ToolContext } from '../../types/tool.js'
import type { Guard } from './guard.js'
import { MAX_OUTPUT_BYTES, OutputHead } from './shell-output.js'
import { ToolFailed } from './tool-failure.js'

export interface ShellInput {
  readonly command: string
  /** The field `approved` of the call's input. */
  readonly approved: boolean
}

/**
 * Runs one command in a new shell. Reserves an action of the rate limit before the start, so that concurrent commands cannot exceed the
 * limit. Releases the action unless the command succeeds.
 *
 * @throws PolicyError; ToolFailed; errors of the shell
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
    // After a commit, this has no effect.
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

/** The shell exists: the runtime does not run a tool without its required ports. */
const shellOf = (context: ToolContext): ShellAdapter => context.shell as ShellAdapter
