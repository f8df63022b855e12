import { hasCode, UnsupportedError } from '../../errors/index.js'
import { directoryOf } from '../../tools/shell/directory.js'
import { streamProgress } from '../../tools/shell/stream-progress.js'
import { isTimeout, timeLeft } from '../../tools/shell/time-left.js'
import type { ShellAdapter, ShellOutput, ShellResult } from '../../types/shell.js'
import type { JsonValue, ToolContext } from '../../types/tool.js'
import { StreamHead } from '../shared/stream-head.js'
import { type SpawningShell, startBackground } from './background-start.js'
import type { BashInput, FindSession } from './inputs.js'

/** Maximum characters of each stream. */
const LONGEST_STREAM = 300_000

/** The output of `bash`, with the fields in the documented order. */
export type BashOutput = {
  readonly status: 'ok' | 'error'
  readonly mode: 'bash'
  /** The shell language. */
  readonly shell: string
  /** Name of the shell adapter, because there is no executable. */
  readonly shell_command: string
  readonly shell_args: readonly string[]
  readonly command: string
  /** null if the command was stopped. */
  readonly exit_code: number | null
  /** Always null: a command that a signal ended has the exit code 128 + the signal's number. */
  readonly signal: null
  readonly timed_out: boolean
  readonly aborted: boolean
  readonly duration_ms: number
  readonly stdout: string
  readonly stderr: string
  readonly truncated_stdout: boolean
  readonly truncated_stderr: boolean
  /** The initial directory of the command, after `reset_session` and `cwd`. */
  readonly cwd_before: string
  readonly cwd_after: string
  /** Whether the directory and the variables after the command are known, so that the session keeps them. */
  readonly state_captured: boolean
  readonly session_updated: true
}

/** Implements `bash`: one command in the session, or in the background. */
export async function runBash(input: BashInput, context: ToolContext, sessionOf: FindSession): Promise<BashOutput | JsonValue> {
  const { workspace, host, signal } = context
  const spawning = input.background && spawningOf(context)
  const session = sessionOf(context, input.reset)
  if (input.cwd !== undefined) session.cwd = await directoryOf(workspace, input.cwd, session.cwd)
  session.env = { ...session.env, ...input.env }
  if (input.background && spawning) {
    const job = { command: input.command, env: session.env, asked: input.background }
    return whereItIs(session.cwd ?? workspace.cwd, workspace.cwd, (cwd) => startBackground({ ...job, cwd }, context, spawning))
  }
  const number = session.begin()
  const started = host.now()
  const streams = { stdout: new StreamHead(LONGEST_STREAM, 'characters'), stderr: new StreamHead(LONGEST_STREAM, 'characters') }
  const { result, began } = await execute(input, context, session, streams)
  const late = result.aborted && isTimeout(signal.reason)
  const captured = result.exitCode !== null && !result.timedOut && !result.aborted
  if (captured) session.keep(number, result)
  const { stdout, stderr } = streams
  return {
    status: captured && result.exitCode === 0 ? 'ok' : 'error',
    mode: 'bash',
    shell: shellOf(context).can.dialect,
    shell_command: shellOf(context).name,
    shell_args: [],
    command: input.command,
    exit_code: result.exitCode,
    signal: null,
    timed_out: result.timedOut || late,
    aborted: result.aborted && !late,
    duration_ms: host.now() - started,
    stdout: captured ? withoutLineEnds(stdout.text) : stdout.text,
    stderr: stderr.text,
    truncated_stdout: stdout.truncated,
    truncated_stderr: stderr.truncated,
    cwd_before: began,
    cwd_after: captured ? result.cwd : began,
    state_captured: captured,
    session_updated: true,
  }
}

async function execute(
  { command, timeoutMs }: BashInput,
  context: ToolContext,
  { cwd, env = {} }: { readonly cwd: string | undefined; readonly env: Readonly<Record<string, string>> | undefined },
  streams: Readonly<Record<'stdout' | 'stderr', StreamHead>>,
): Promise<{ readonly result: ShellResult; readonly began: string }> {
  const { workspace, signal, limits, progress } = context
  const tell = streamProgress(progress, limits.shellStreamBytes)
  const onOutput = (output: ShellOutput): void => {
    streams[output.stream].push(output.text)
    tell(output)
  }
  const run = async (began: string): Promise<{ readonly result: ShellResult; readonly began: string }> => {
    const options = { cwd: began, env, timeoutMs: Math.min(timeoutMs, timeLeft(context)), signal, maxBytes: limits.shellStreamBytes }
    const result = await shellOf(context).exec(command, { ...options, onOutput })
    return { result, began }
  }
  return whereItIs(cwd ?? workspace.cwd, workspace.cwd, run)
}

/**
 * Runs the command in the directory of the session, or in `home` if that directory is gone. The shell reports a missing directory before it
 * runs anything.
 */
async function whereItIs<T>(began: string, home: string, run: (cwd: string) => Promise<T>): Promise<T> {
  try {
    return await run(began)
  } catch (error) {
    if (began === home || !hasCode(error, 'ENOENT', 'ENOTDIR')) throw error
    return run(home)
  }
}

/** Removes line breaks at the end. Uses a loop, because a regular expression would take quadratic time on texts with many line breaks. */
function withoutLineEnds(text: string): string {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 10) end -= text.charCodeAt(end - 2) === 13 ? 2 : 1
  return text.slice(0, end)
}

/** @throws UnsupportedError for a shell without background commands */
function spawningOf(context: ToolContext): SpawningShell {
  const shell = shellOf(context)
  if (shell.spawn) return shell as SpawningShell
  const problem = 'bash `run_in_background` is not available: the shell of this runtime has no background sessions'
  throw new UnsupportedError('shell.spawn', problem, shell.name)
}

/** The shell exists: the runtime does not run a tool without its required ports. */
const shellOf = (context: ToolContext): ShellAdapter => context.shell as ShellAdapter
