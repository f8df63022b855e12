import { reply } from '../../../core/define-tool.js'
import { UnsupportedError } from '../../../errors/index.js'
import { startOrReuse } from '../../../sessions/reuse.js'
import type { Session, SessionStart } from '../../../types/session.js'
import type { ShellAdapter } from '../../../types/shell.js'
import type { ToolContext, ToolReply } from '../../../types/tool.js'
import type { BashInput } from '../bash-input.js'
import { runInDirectory } from '../directory.js'
import { sessionOf } from '../session.js'
import { BASH } from './family.js'
import { placeFields } from './session-fields.js'
import { spawnWithin } from './spawn-within.js'
import { type BackgroundStart, renderStart } from './start-output.js'

const DEFAULT_NAME = 'background-bash'

/** `bash` with `run_in_background`: begins as the next command would, and leaves what that begins with as it is. */
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
    ...(terminalAsked && transport === 'pipe' ? ['this shell has no terminals: it runs without one, on pipes'] : []),
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
  'a session with this name runs here already: the command of this call was NOT run. Stop that session first, or set reuse_session to false, to run it'

type SpawningShell = ShellAdapter & Required<Pick<ShellAdapter, 'spawn'>>

/** The tool requires a shell, but not one that can do this. */
function spawningShell({ shell }: ToolContext): SpawningShell {
  if (shell?.spawn) return shell as SpawningShell
  const name = shell?.name ?? 'none'
  throw new UnsupportedError(
    'shell.spawn',
    `Cannot run "bash" in the background: the shell adapter "${name}" has no background sessions`,
    name,
  )
}
