import { shorten } from '../../core/field-path.js'
import { startOrReuse } from '../../sessions/reuse.js'
import { spawnerOf } from '../../tools/js/background-start.js'
import { jsOf } from '../../tools/js/grants.js'
import type { JsSettings } from '../../tools/js/options.js'
import type { Session, SessionStart } from '../../types/session.js'
import type { JsonValue, ToolContext } from '../../types/tool.js'
import { JS } from './background-family.js'
import { timeOf } from './background-sessions.js'
import type { StartJsInput } from './js-inputs.js'
import { scriptFields, scriptOf } from './js-script.js'

const TOOL = 'start_background_js'
const DEFAULT_NAME = 'background-js'

/** What a session was started with: the table knows it as one line. */
const started = new WeakMap<Session, { readonly [field: string]: JsonValue }>()

/** The body of `start_background_js`: starts a program, or finds the session that runs already; then the new one is not run. */
export async function startJs(settings: JsSettings, input: StartJsInput, context: ToolContext): Promise<JsonValue> {
  const { sessions } = context
  const script = await scriptOf(TOOL, input, settings, context, true)
  const { cwd } = script.program
  const command = jsOf(context).name
  const spawn = spawnerOf(context, { ...script.program, args: input.args })
  const start: SessionStart = {
    kind: JS.kind,
    name: input.name ?? DEFAULT_NAME,
    command: [command, shorten(script.path, 200), ...input.args].join(' '),
    cwd,
    spawn: async (io) => {
      await script.save()
      return spawn(io)
    },
  }
  const isNamed = input.name !== undefined && input.reuse
  const { session, reused } = isNamed ? await startOrReuse(sessions, start) : { session: await sessions.start(start), reused: false }
  if (!reused) started.set(session, { command, args: [script.path, ...input.args], ...scriptFields(script, input, context) })
  return outputOf(session, reused)
}

function outputOf(session: Session, reused: boolean): JsonValue {
  const { info } = session
  return {
    status: reused ? 'reused' : 'started',
    mode: TOOL,
    session_id: info.id,
    session_name: info.name,
    pid: info.pid ?? null,
    command: info.command,
    args: [],
    ...started.get(session),
    cwd: info.cwd,
    created_at: timeOf(info.createdMs),
    updated_at: timeOf(info.updatedMs),
  }
}
