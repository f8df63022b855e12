import { ShellError } from '../../../errors/index.js'
import type { Calls } from '../shared/calls.js'
import { commandInput, type RanCommand } from '../shared/command.js'
import type { AiSdkRunOptions, AiSdkRunResult } from './types.js'

/** What the `timeout` of a shell ends with. */
const TIMED_OUT = 124

/** @throws the reason of the signal; ToolCallError for a command that is refused */
export async function runCommand(calls: Calls, { command, workingDirectory, env }: AiSdkRunOptions): Promise<AiSdkRunResult> {
  const output = await calls.run<RanCommand>('bash', commandInput({ command, cwd: workingDirectory, env }))
  const { exit_code, stdout, stderr, timed_out, aborted } = output
  if (timed_out) return { exitCode: TIMED_OUT, stdout, stderr: withLine(stderr, '[timed out: the runtime ended the command]') }
  if (aborted && calls.signal?.aborted) throw calls.signal.reason
  if (exit_code === null) throw new ShellError('not_running', 'Cannot tell how the command ended: it was stopped')
  return { exitCode: exit_code, stdout, stderr }
}

const withLine = (text: string, line: string): string => (text === '' || text.endsWith('\n') ? `${text}${line}\n` : `${text}\n${line}\n`)
