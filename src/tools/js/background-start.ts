import { reply } from '../../core/define-tool.js'
import { shorten } from '../../core/field-path.js'
import { InputError } from '../../errors/index.js'
import { startOrReuse } from '../../sessions/reuse.js'
import type { JsAdapter, JsProgram } from '../../types/js.js'
import type { Session, SessionStart } from '../../types/session.js'
import type { ToolContext, ToolReply } from '../../types/tool.js'
import { placeFields } from '../shell/background/session-fields.js'
import { type BackgroundStart, renderStart, spawnWithin } from '../shell/background/start.js'
import { JS } from './family.js'
import { grantsOf, jsOf } from './grants.js'
import { entryOf } from './module-entry.js'
import type { JsSettings } from './options.js'
import { placeOf } from './run.js'

const DEFAULT_NAME = 'background-js'

/** Maximum length of a program's command in lists of sessions. */
const LONGEST_COMMAND = 1000

const NOT_RUN =
  'a session with this name is already running here: the program of this call was NOT run. To run it, stop that session first, or set reuse_session to false'

export interface StartJsInput {
  readonly code?: string | undefined
  readonly format?: 'module' | 'commonjs' | undefined
  readonly module?: string | undefined
  readonly args: readonly string[]
  readonly cwd?: string | undefined
  readonly session_name?: string | undefined
  readonly reuse_session: boolean
}

/** The body of `start_background_js`. */
export async function startJs(settings: JsSettings, input: StartJsInput, context: ToolContext): Promise<ToolReply<BackgroundStart>> {
  checkTogether(input)
  const { workspace, sessions } = context
  const { session_name, args, reuse_session } = input
  const grants = grantsOf(context, settings, true)
  const cwd = await placeOf(input.cwd, context)
  const program = await programOf(input, cwd, context)
  const start: SessionStart = {
    kind: JS.kind,
    name: session_name ?? DEFAULT_NAME,
    command: shorten(input.code ?? [input.module, ...args].join(' '), LONGEST_COMMAND),
    cwd,
    spawn: spawnerOf(context, { ...program, cwd, args, grants }),
  }
  const { session, reused } =
    session_name !== undefined && reuse_session
      ? await startOrReuse(sessions, start)
      : { session: await sessions.start(start), reused: false }
  const output = outputOf(session, reused)
  return reply(output, [{ type: 'text', text: renderStart(output, workspace.cwd) }])
}

type SpawningJs = JsAdapter & Required<Pick<JsAdapter, 'spawn'>>

/**
 * Returns the function that starts the program in the background. The tool requires `js.spawn`, so the runtime does not run the tool
 * without it.
 */
export function spawnerOf(context: ToolContext, program: JsProgram): SessionStart['spawn'] {
  const js = jsOf(context) as SpawningJs
  return ({ signal: session, onOutput }) => spawnWithin(context.signal, (signal) => js.spawn({ ...program, signal, onOutput }), session)
}

/** @throws {InputError} for fields that cannot be combined */
function checkTogether({ code, module, format }: StartJsInput): void {
  if ((code === undefined) === (module === undefined)) throw refusal('code', 'pass either code or module')
  if (module !== undefined && format !== undefined)
    throw refusal('format', 'applies to code only: the file name decides the format of a module')
}

function refusal(path: string, message: string): InputError {
  return new InputError('invalid_input', `Cannot call "start_background_js": ${path}: ${message}`, { issues: [{ path, message }] })
}

async function programOf({ code, format, module = '' }: StartJsInput, cwd: string, { workspace }: ToolContext): Promise<JsProgram> {
  return code === undefined ? { entry: await entryOf(workspace, module, cwd) } : { code, ...(format && { format }) }
}

function outputOf({ info }: Session, reused: boolean): BackgroundStart {
  return {
    status: reused ? 'reused' : 'started',
    session_id: info.id,
    session_name: info.name,
    ...placeFields(info),
    ...(reused && { note: NOT_RUN }),
  }
}
