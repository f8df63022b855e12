import { notify } from '../../../ops/notify.js'
import type { ToolRuntime } from '../../../runtime/tool-runtime.js'
import type { JsonValue } from '../../../types/tool.js'
import { checkTools } from '../../check-tools.js'
import { Calls } from '../shared/calls.js'
import { commandInput, type RanCommand, TIMED_OUT, withTimeout } from '../shared/command.js'
import type { MastraCommandOptions, MastraCommandResult, MastraSandbox } from './types.js'

/**
 * Adapts a runtime to the sandbox of a workspace of `@mastra/core`: `new Workspace({ sandbox: mastraSandbox(runtime) })`. Every command is a
 * call of `bash`, so policy, approval, checkpoints, events and limits apply. Each command runs in a fresh shell.
 *
 * @throws TypeError if the runtime has no `bash`
 */
export function mastraSandbox(runtime: ToolRuntime): MastraSandbox {
  checkTools(runtime, 'sandbox', ['bash'])
  const { cwd, host } = runtime.workspace
  return {
    id: `toolport-${host.random()}`,
    name: 'Toolport',
    provider: 'toolport',
    status: 'running',
    getInstructions: () => `Commands start in ${cwd}. Every command runs in a fresh shell.`,
    snapshot: async () => undefined,
    executeCommand: (command, args = [], options = {}) => execute(runtime, [command, ...args.map(quoted)].join(' '), options),
  }
}

const quoted = (argument: string): string => `'${argument.replaceAll("'", "'\\''")}'`

/** The exit code that Mastra's own sandbox uses. */
const KILLED = 128

async function execute(runtime: ToolRuntime, command: string, options: MastraCommandOptions): Promise<MastraCommandResult> {
  const { timeout, cwd, onStdout, onStderr, abortSignal } = options
  const { host } = runtime.workspace
  const env = Object.fromEntries(Object.entries(options.env ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined))
  const calls = new Calls(runtime, abortSignal)
  const start = host.now()
  const result = await calls.attempt('bash', commandInput({ command, cwd, env, timeoutMs: timeout || undefined }), (update) => {
    const { stream, text } = update as { readonly [key: string]: JsonValue }
    const listener = stream === 'stdout' ? onStdout : onStderr
    if (typeof text === 'string' && listener) notify(listener, text)
  })
  if (!result.ok) throw calls.failed(result)
  const { stdout, exit_code, timed_out, ...ran } = result.output as unknown as RanCommand
  const stderr = timed_out ? withTimeout(ran.stderr) : ran.stderr
  const exitCode = timed_out ? TIMED_OUT : (exit_code ?? KILLED)
  const killed = !timed_out && exit_code === null
  return { success: exitCode === 0, exitCode, stdout, stderr, executionTimeMs: host.now() - start, timedOut: timed_out, killed }
}
