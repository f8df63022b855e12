import { reply } from '../../core/define-tool.js'
import { hasCode } from '../../errors/index.js'
import type { ShellAdapter, ShellExecOptions, ShellResult } from '../../types/shell.js'
import type { ToolContext, ToolReply } from '../../types/tool.js'
import { type BashOutput, renderBash } from './bash-output.js'
import { directoryOf } from './directory.js'
import { type ShellSession, sessionOf } from './session.js'
import { streamProgress } from './stream-progress.js'
import { deadlineOf, isTimeout, timeLeft } from './time-left.js'

/** What `bash` is asked, defaults filled in. */
export interface BashInput {
  readonly command: string
  readonly cwd?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly stdin?: string | undefined
  readonly timeout_ms: number
  readonly reset_session: boolean
}

/** The body of `bash`: one command in the session of the runtime. */
export async function runBash(input: BashInput, context: ToolContext): Promise<ToolReply<BashOutput>> {
  const { workspace, host, signal, limits } = context
  const session = sessionOf(context, input.reset_session)
  const command = session.begin()
  const started = host.now()
  const isShort = timeLeft(context) < input.timeout_ms
  const { result, note } = await runInSession(input, context, session)
  session.keep(command, result)
  // The deadline of the call, when it comes first, ends a command through its signal: a timeout too.
  const late = result.aborted && isTimeout(signal.reason)
  const isCut = isShort && (result.timedOut || (late && host.now() >= deadlineOf(context)))
  const notes = [
    ...(note === undefined ? [] : [note]),
    ...(isCut ? [`the call's deadline of ${limits.deadlineMs} ms came before timeout_ms`] : []),
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

interface Ended {
  readonly result: ShellResult
  readonly note?: string
}

async function runInSession(input: BashInput, context: ToolContext, session: ShellSession): Promise<Ended> {
  const { workspace, limits, progress } = context
  const onOutput = streamProgress(progress, limits.shellStreamBytes)
  const run = (cwd: string): Promise<ShellResult> =>
    shellOf(context).exec(input.command, { ...execOptions(input, context, session), cwd, onOutput })
  if (input.cwd !== undefined) return { result: await run(await directoryOf(workspace, input.cwd, session.cwd)) }
  const cwd = session.cwd ?? workspace.cwd
  try {
    return { result: await run(cwd) }
  } catch (error) {
    if (cwd === workspace.cwd || !hasCode(error, 'ENOENT', 'ENOTDIR')) throw error
    // The shell says so before it runs anything.
    return { result: await run(workspace.cwd), note: `"${cwd}" is not there any more: the command ran in "${workspace.cwd}"` }
  }
}

function execOptions({ env, stdin, timeout_ms }: BashInput, context: ToolContext, session: ShellSession): ShellExecOptions {
  return {
    env: { ...session.env, ...env },
    stdin,
    timeoutMs: Math.min(timeout_ms, timeLeft(context)),
    signal: context.signal,
    maxBytes: context.limits.shellStreamBytes,
  }
}

/** The tool requires the port, so the runtime does not run it without. */
const shellOf = (context: ToolContext): ShellAdapter => context.shell as ShellAdapter
