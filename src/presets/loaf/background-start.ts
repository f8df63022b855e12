import { startOrReuse } from '../../sessions/reuse.js'
import { spawnWithin } from '../../tools/shell/background/start.js'
import type { Session, SessionStart } from '../../types/session.js'
import type { ShellAdapter } from '../../types/shell.js'
import type { JsonValue, ToolContext } from '../../types/tool.js'
import { BASH } from './background-family.js'
import type { BackgroundStart } from './background-inputs.js'
import { isShellError, rememberSize, shellFields, terminalFields, timeOf } from './background-sessions.js'
import { ReportedFailure } from './reported-failure.js'

const DEFAULT_NAME = 'background-bash'

export interface StartJob {
  readonly command: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>> | undefined
  readonly asked: BackgroundStart
}

/** A shell that supports background commands. */
export type SpawningShell = ShellAdapter & Required<Pick<ShellAdapter, 'spawn'>>

/**
 * Starts a background command. If a session with this name already runs, returns that session with its own command, and does not run the
 * new command.
 */
export async function startBackground(job: StartJob, context: ToolContext, shell: SpawningShell): Promise<JsonValue> {
  const { asked, cwd } = job
  const { session, reused } = await start(job, context, shell)
  if (reused) return { ...head('reused', session, shell), ...terminalFields(session) }
  rememberSize(session, asked.terminal)
  return { ...head('started', session, shell), session_updated: true, cwd_before: cwd, cwd_after: cwd, ...terminalFields(session) }
}

async function start(
  { command, cwd, env, asked }: StartJob,
  { sessions, signal: call }: ToolContext,
  shell: SpawningShell,
): Promise<{ readonly session: Session; readonly reused: boolean }> {
  const terminal = asked.fullTerminal ? asked.terminal : undefined
  const options = { cwd, ...(env && { env }), ...(terminal && { terminal }) }
  const given: SessionStart = {
    kind: BASH.kind,
    name: asked.name ?? DEFAULT_NAME,
    command,
    cwd,
    terminal,
    spawn: (io) => spawnWithin(call, (signal) => shell.spawn(command, { ...options, onOutput: io.onOutput, signal }), io.signal),
  }
  try {
    if (asked.reuse && asked.name !== undefined) return await startOrReuse(sessions, given)
    return { session: await sessions.start(given), reused: false }
  } catch (error) {
    if (!(terminal && shell.can.pty && isShellError(error, 'spawn_failed'))) throw error
    const output = { status: 'error', mode: BASH.kind, command, cwd_before: cwd, cwd_after: cwd, session_updated: true }
    throw new ReportedFailure({ output, error: `failed to start full_terminal session: ${error.message}` }, 'spawn_failed')
  }
}

function head(status: string, { info }: Session, shell: ShellAdapter): { readonly [field: string]: JsonValue } {
  return {
    status,
    mode: BASH.kind,
    session_id: info.id,
    session_name: info.name,
    ...shellFields(shell),
    command: info.command,
    pid: info.pid ?? null,
    cwd: info.cwd,
    created_at: timeOf(info.createdMs),
    updated_at: timeOf(info.updatedMs),
  }
}
