import { toModelText } from '../../../core/result.js'
import { headTail, streamNote } from '../../../ops/truncate.js'
import { utf8Length } from '../../../ops/utf8.js'
import type { ToolRuntime } from '../../../runtime/tool-runtime.js'
import { checkTools } from '../../check-tools.js'
import { Calls } from '../shared/calls.js'
import { commandInput, type RanCommand } from '../shared/command.js'
import type { OpenAiShell, OpenAiShellAction, OpenAiShellOutput } from './types.js'

/** Options of `openAiShell`. */
export interface OpenAiShellOptions {
  /** Stops running commands. The SDK passes no signal. */
  readonly signal?: AbortSignal
  /** Working directory of every command; default the cwd of the workspace. */
  readonly cwd?: string
  /** Overrides variables of the shell's environment for every command. */
  readonly env?: Readonly<Record<string, string>>
}

const TIMEOUT: OpenAiShellOutput['outcome'] = { type: 'timeout' }
const NOT_RUN: OpenAiShellOutput = { stdout: '', stderr: 'Not run: earlier commands used up the time.', outcome: TIMEOUT }

/**
 * Adapts the runtime's shell to the `Shell` of `@openai/agents`: `shellTool({ shell: openAiShell(runtime) })`. Each command calls `bash` in
 * a fresh shell, so policy, approval, events and limits apply. For a denied command, `stderr` contains the reason.
 *
 * @throws TypeError if the runtime has no `bash`
 */
export function openAiShell(runtime: ToolRuntime, { signal, cwd, env }: OpenAiShellOptions = {}): OpenAiShell {
  checkTools(runtime, 'shell', ['bash'])
  const { host } = runtime.workspace
  return {
    async run({ commands, timeoutMs, maxOutputLength }: OpenAiShellAction) {
      const calls = new Calls(runtime, signal)
      const end = timeoutMs === undefined ? undefined : host.now() + timeoutMs
      const asked = Number.isFinite(maxOutputLength) ? (maxOutputLength as number) : Number.POSITIVE_INFINITY
      const output: OpenAiShellOutput[] = []
      for (const command of commands) {
        const timeout = end === undefined ? undefined : end - host.now()
        const isLate = timeout !== undefined && timeout <= 0 && output.length > 0
        output.push(isLate ? NOT_RUN : await runOne(calls, commandInput({ command, cwd, env, timeoutMs: timeout })))
      }
      return {
        output: shareOutput(output, Math.min(asked, runtime.limits.outputBytes)),
        ...(maxOutputLength !== undefined && { maxOutputLength }),
      }
    },
  }
}

/** @throws the reason of the signal */
async function runOne(calls: Calls, input: Readonly<Record<string, unknown>>): Promise<OpenAiShellOutput> {
  const result = await calls.attempt('bash', input)
  if (calls.signal?.aborted) throw calls.signal.reason
  if (!result.ok) {
    const isTimeout = result.output.code === 'timeout'
    return { stdout: '', stderr: toModelText(result), outcome: isTimeout ? TIMEOUT : { type: 'exit', exitCode: null } }
  }
  const { stdout, stderr, exit_code, timed_out } = result.output as unknown as RanCommand
  return { stdout, stderr, outcome: timed_out ? TIMEOUT : { type: 'exit', exitCode: exit_code } }
}

/** Minimum length of a stream with a note about omitted output. */
const MIN_NOTE = 64

/**
 * Truncates the streams to `room` bytes together (and therefore at most as many characters). Short streams stay complete. All other
 * streams lose their middle, and end up with the same length.
 */
function shareOutput(outputs: readonly OpenAiShellOutput[], room: number): OpenAiShellOutput[] {
  const lengths = outputs.flatMap(({ stdout, stderr }) => [utf8Length(stdout), utf8Length(stderr)])
  const most = longest(lengths, Math.max(0, room))
  const cut = (text: string): string => headTail(text, most, most < MIN_NOTE ? () => '' : streamNote).text
  return outputs.map(({ stdout, stderr, outcome }) => ({ stdout: cut(stdout), stderr: cut(stderr), outcome }))
}

/** Returns the maximum length per stream with which all streams fit into `room`. */
function longest(lengths: readonly number[], room: number): number {
  let left = room
  const ascending = [...lengths].sort((a, b) => a - b)
  for (const [i, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - i))
    if (length > share) return share
    left -= length
  }
  return Number.POSITIVE_INFINITY
}
