import { defineTool } from '../../core/define-tool.js'
import { InputError, ignoreCodes } from '../../errors/index.js'
import { streamProgress } from '../../tools/shell/stream-progress.js'
import { isTimeout, timeLeft } from '../../tools/shell/time-left.js'
import type { ShellAdapter, ShellOutput } from '../../types/shell.js'
import type { AnyTool, ToolContext } from '../../types/tool.js'
import type { Workspace } from '../../types/workspace.js'
import { StreamHead } from '../shared/stream-head.js'
import { locate } from './locate.js'
import { optional, serdeSchema, text, unsigned } from './serde.js'

const DEFAULT_SECS = 60
const MOST_SECS = 300

export interface BashOutput {
  /** null if the command was stopped. */
  readonly exit_code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly timed_out: boolean
  /** Whether either stream was truncated. */
  readonly truncated: boolean
}

const schema = {
  type: 'object',
  properties: {
    command: { type: 'string', description: 'Shell command to execute' },
    cwd: { type: 'string', description: 'Working directory (relative to workspace, default: workspace root)' },
    timeout_secs: { type: 'integer', minimum: 0, maximum: MOST_SECS, description: 'Timeout in seconds (default: 60, max: 300)' },
  },
  required: ['command'],
}

export const bash: AnyTool = defineTool({
  name: 'bash',
  description: 'Execute shell commands in the workspace.',
  inputSchema: serdeSchema(schema, { command: text, cwd: optional(text), timeout_secs: optional(unsigned, DEFAULT_SECS) }),
  annotations: { title: 'Run a command', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  requires: ['shell'],
  async run({ command, cwd, timeout_secs }, context) {
    if (command.includes('\0')) throw new InputError('invalid_input', 'command contains a NUL character')
    return exec({ command, cwd: await directory(cwd, context.workspace), seconds: Math.min(timeout_secs, MOST_SECS) }, context)
  },
})

interface Command {
  readonly command: string
  readonly cwd: string
  readonly seconds: number
}

/** Runs each command in a new shell. Keeps output from before a timeout, and the beginning of a stream that is too long. */
async function exec({ command, cwd, seconds }: Command, context: ToolContext): Promise<BashOutput> {
  const { signal, progress, limits } = context
  const maxBytes = limits.shellStreamBytes
  const heads = { stdout: new StreamHead(maxBytes), stderr: new StreamHead(maxBytes) }
  const tell = streamProgress(progress, maxBytes)
  const onOutput = (output: ShellOutput): void => {
    heads[output.stream].push(output.text)
    tell(output)
  }
  // At least 1 ms, because 0 would mean no limit.
  const timeoutMs = Math.max(1, Math.min(seconds * 1000, timeLeft(context)))
  const result = await shellOf(context).exec(command, { cwd, timeoutMs, signal, onOutput, maxBytes })
  return {
    exit_code: result.exitCode,
    stdout: heads.stdout.text,
    stderr: heads.stderr.text,
    timed_out: result.timedOut || (result.aborted && isTimeout(signal.reason)),
    truncated: heads.stdout.truncated || heads.stderr.truncated,
  }
}

/** Returns the directory to run in. @throws {InputError} with the message of the original agent; WorkspaceError */
async function directory(given: string | undefined, workspace: Workspace): Promise<string> {
  if (given === undefined) return workspace.cwd
  const input = locate(workspace, given)
  const path = workspace.resolve(input)
  const stat = await workspace.stat(input, 'run in').catch(ignoreCodes('ENOENT', 'ENOTDIR', 'ELOOP'))
  if (!stat) throw new InputError('invalid_input', `working directory does not exist: ${path}`)
  if (stat.kind !== 'dir') throw new InputError('invalid_input', `working directory is not a directory: ${path}`)
  return path
}

/** The shell exists: the runtime does not run a tool without its required ports. */
const shellOf = (context: ToolContext): ShellAdapter => context.shell as ShellAdapter
