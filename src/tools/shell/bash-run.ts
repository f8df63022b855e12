import { reply } from '../../core/define-tool.js'
import { InputError } from '../../errors/index.js'
import type { ShellAdapter, ShellExecOptions, ShellResult } from '../../types/shell.js'
import type { ToolContext, ToolReply } from '../../types/tool.js'
import { type BackgroundStart, startBackground } from './background/start.js'
import { TIMEOUT_MS } from './bash-defaults.js'
import type { BashInput } from './bash-input.js'
import { type BashOutput, renderBash } from './bash-output.js'
import { runInDirectory } from './directory.js'
import { type ShellSession, sessionOf } from './session.js'
import { streamProgress } from './stream-progress.js'
import { deadlineOf, isTimeout, timeLeft } from './time-left.js'

/** The body of `bash`. */
export async function runBash(input: BashInput, context: ToolContext): Promise<ToolReply<BashOutput | BackgroundStart>> {
  checkTogether(input)
  return input.run_in_background ? startBackground(input, context) : runForeground(input, context)
}

/** Runs one command in the shell session of the runtime. */
async function runForeground(input: BashInput, context: ToolContext): Promise<ToolReply<BashOutput>> {
  const { workspace, host, signal, limits } = context
  const session = sessionOf(context, input.reset_session)
  const command = session.begin()
  const started = host.now()
  const isShort = timeLeft(context) < input.timeout_ms
  const options = { ...execOptions(input, context, session), onOutput: streamProgress(context.progress, limits.shellStreamBytes) }
  const run = (cwd: string): Promise<ShellResult> => shellOf(context).exec(input.command, { ...options, cwd })
  const { result, note } = await runInDirectory(workspace, input.cwd, session, run)
  session.keep(command, result)
  // If the deadline of the call comes first, the call's signal ends the command. That is a timeout too.
  const late = result.aborted && isTimeout(signal.reason)
  const isCut = isShort && (result.timedOut || (late && host.now() >= deadlineOf(context)))
  const notes = [
    ...(note === undefined ? [] : [note]),
    ...(isCut ? [`the deadline of the call (${limits.deadlineMs} ms) passed before timeout_ms`] : []),
  ]
  const output: BashOutput = {
    exit_code: result.exitCode,
    stdout: result.stdout,
    stderr: result.stderr,
    timed_out: result.timedOut || late,
    aborted: result.aborted && !late,
    truncated: result.truncated,
    cwd: result.cwd,
    duration_ms: host.now() - started,
    ...(notes.length > 0 && { note: notes.join('; ') }),
  }
  return reply(output, [{ type: 'text', text: renderBash(output, workspace.cwd, limits.outputBytes) }])
}

function execOptions({ env, stdin, timeout_ms }: BashInput, context: ToolContext, session: ShellSession): ShellExecOptions {
  return {
    env: { ...session.env, ...env },
    state: session.state,
    stdin,
    timeoutMs: Math.min(timeout_ms, timeLeft(context)),
    signal: context.signal,
    maxBytes: context.limits.shellStreamBytes,
  }
}

/** The tool requires the port, so the runtime does not run the tool without it. */
const shellOf = (context: ToolContext): ShellAdapter => context.shell as ShellAdapter

type Issue = InputError['issues'][number]

/** Rejects fields that cannot be combined, because a model that sets them expects an effect. @throws {InputError} */
function checkTogether(input: BashInput): void {
  const issues = input.run_in_background ? issuesInBackground(input) : issuesInForeground(input)
  if (issues.length === 0) return
  const said = issues.map(({ path, message }) => `${path} ${message}`).join('; ')
  throw new InputError('invalid_input', `Cannot call "bash": ${said}`, { issues })
}

function issuesInBackground({ stdin, timeout_ms }: BashInput): readonly Issue[] {
  return [
    ...(stdin === undefined
      ? []
      : [{ path: 'stdin', message: 'cannot be given with run_in_background: send it with write_background_bash' }]),
    ...(timeout_ms === TIMEOUT_MS
      ? []
      : [{ path: 'timeout_ms', message: 'cannot be given with run_in_background: the command runs until it ends or is stopped' }]),
  ]
}

function issuesInForeground({ session_name, terminal }: BashInput): readonly Issue[] {
  const message = 'applies to background sessions only: also set run_in_background'
  return [
    ...(session_name === undefined ? [] : [{ path: 'session_name', message }]),
    ...(terminal === undefined ? [] : [{ path: 'terminal', message }]),
  ]
}
