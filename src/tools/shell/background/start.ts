import { reply } from '../../../core/define-tool.js'
import { shorten } from '../../../core/field-path.js'
import { UnsupportedError } from '../../../errors/index.js'
import { startOrReuse } from '../../../sessions/reuse.js'
import type { Session, SessionStart } from '../../../types/session.js'
import type { ShellAdapter, ShellProcess } from '../../../types/shell.js'
import type { ToolContext, ToolReply } from '../../../types/tool.js'
import type { BashInput } from '../bash-input.js'
import { runInDirectory } from '../directory.js'
import { sessionOf } from '../session.js'
import { BASH } from './family.js'
import { type PlaceFields, placeFields } from './session-fields.js'

const DEFAULT_NAME = 'background-bash'

/** `bash` with `run_in_background`. The command starts with the state of the shell session, and does not change that state. */
export async function startBackground(input: BashInput, context: ToolContext): Promise<ToolReply<BackgroundStart>> {
  const { workspace, sessions } = context
  const shell = spawningShell(context)
  const shellSession = sessionOf(context, input.reset_session)
  const { session_name, terminal, command } = input
  const options = { env: { ...shellSession.env, ...input.env }, state: shellSession.state, terminal }
  const start = async (cwd: string): Promise<{ readonly session: Session; readonly reused: boolean }> => {
    const wish: SessionStart = {
      kind: BASH.kind,
      name: session_name ?? DEFAULT_NAME,
      command,
      cwd,
      terminal,
      spawn: (io) =>
        spawnWithin(context.signal, (signal) => shell.spawn(command, { ...options, cwd, signal, onOutput: io.onOutput }), io.signal),
    }
    if (session_name !== undefined && input.reuse_session) return startOrReuse(sessions, wish)
    return { session: await sessions.start(wish), reused: false }
  }
  const { result, note } = await runInDirectory(workspace, input.cwd, shellSession, start)
  const output = outputOf(result.session, result.reused, note)
  return reply(output, [{ type: 'text', text: renderStart(output, workspace.cwd) }])
}

function outputOf({ info }: Session, reused: boolean, gone: string | undefined): BackgroundStart {
  const { id, name, transport, terminalAsked } = info
  const notes = [
    ...(gone === undefined || reused ? [] : [gone]),
    ...(reused ? [NOT_RUN] : []),
    ...(terminalAsked && transport === 'pipe' ? ['this shell does not support terminals: the session runs on pipes'] : []),
  ]
  return {
    status: reused ? 'reused' : 'started',
    session_id: id,
    session_name: name,
    ...placeFields(info),
    ...(notes.length > 0 && { note: notes.join('; ') }),
  }
}

const NOT_RUN =
  'a session with this name is already running here: the command of this call was NOT run. To run it, stop that session first, or set reuse_session to false'

type SpawningShell = ShellAdapter & Required<Pick<ShellAdapter, 'spawn'>>

/** Returns the shell. The tool requires a shell, but the shell may lack background sessions. */
function spawningShell({ shell }: ToolContext): SpawningShell {
  if (shell?.spawn) return shell as SpawningShell
  const name = shell?.name ?? 'none'
  throw new UnsupportedError(
    'shell.spawn',
    `Cannot run "bash" in the background: the shell adapter "${name}" has no background sessions`,
    name,
  )
}

export interface BackgroundStart extends PlaceFields {
  /** `reused`: the session was already running, and the command of this call was not run. */
  readonly status: 'started' | 'reused'
  readonly session_id: string
  readonly session_name: string
  /** Differences from the request. */
  readonly note?: string
}

const SHOWN_COMMAND = 200

/** Renders the command and its session id, then one line of facts. Does not mention the directory if it is `home`. */
export function renderStart(start: BackgroundStart, home: string): string {
  const { status, session_id, session_name, command, cwd, pid, note } = start
  const as = `${session_id} ("${session_name}")`
  const facts = [terminalOf(start), ...(pid === undefined ? [] : [`pid ${pid}`]), ...(cwd === home ? [] : [`in ${cwd}`])]
  return [
    ...(note === undefined ? [] : [`[${note}]`]),
    status === 'started' ? `Runs in the background as ${as}` : `Goes on running as ${as}: ${shorten(command, SHOWN_COMMAND)}`,
    `[${facts.join(', ')}]`,
  ].join('\n')
}

const terminalOf = ({ transport, terminal }: BackgroundStart): string => {
  if (transport === 'pipe') return 'no terminal'
  return terminal ? `terminal of ${terminal.cols}x${terminal.rows}` : 'terminal'
}

/**
 * Starts a process that outlives the call. An abort of the call stops the start. After the start, this abort has no effect.
 * `session`: the signal that stops the process at any time.
 *
 * @throws the reason of the call's signal; errors of `spawn`
 */
export async function spawnWithin(
  call: AbortSignal,
  spawn: (signal: AbortSignal) => Promise<ShellProcess>,
  session: AbortSignal,
): Promise<ShellProcess> {
  const starting = new AbortController()
  const abort = (): void => starting.abort(call.reason)
  call.addEventListener('abort', abort, { once: true })
  try {
    call.throwIfAborted()
    const process = await spawn(AbortSignal.any([session, starting.signal]))
    if (call.aborted) void process.kill('SIGKILL').catch(() => {})
    call.throwIfAborted()
    return process
  } finally {
    call.removeEventListener('abort', abort)
  }
}
