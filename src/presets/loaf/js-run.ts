import { shorten } from '../../core/field-path.js'
import { startOrReuse } from '../../sessions/reuse.js'
import { spawnerOf } from '../../tools/js/background-start.js'
import { grantsOf, jsOf } from '../../tools/js/grants.js'
import { entryOf } from '../../tools/js/module-entry.js'
import type { JsSettings } from '../../tools/js/options.js'
import { placeOf } from '../../tools/js/run.js'
import { stopwatch } from '../../tools/js/time-limit.js'
import { streamProgress } from '../../tools/shell/stream-progress.js'
import type { JsProgram } from '../../types/js.js'
import type { Session, SessionStart } from '../../types/session.js'
import type { ShellOutput } from '../../types/shell.js'
import type { JsonValue, ToolContext } from '../../types/tool.js'
import { StreamHead } from '../shared/stream-head.js'
import { JS } from './background-family.js'
import { timeOf } from './background-sessions.js'
import type { JsFormat, RunJsInput, RunModuleInput, StartJsInput } from './js-inputs.js'
import { type JsProcessOutput, LONGEST_STREAM } from './js-process.js'
import { scriptFields, scriptOf } from './js-script.js'

export type RunJsOutput = JsProcessOutput & { readonly scriptPath: string; readonly runtime: string; readonly format: JsFormat }
export type RunModuleOutput = JsProcessOutput & { readonly module: string }

/** Implements `run_js`. */
export async function runJs(settings: JsSettings, input: RunJsInput, context: ToolContext): Promise<RunJsOutput> {
  const script = await scriptOf('run_js', input, settings, context)
  await script.save()
  const output = await run('run_js', { ...script.program, args: input.args }, script.path, input.timeoutMs, context)
  return { ...output, ...scriptFields(script, input, context) }
}

/** Implements `run_js_module`. Toolport has no external module fetcher, so it ignores which one the call requests. */
export async function runModule(settings: JsSettings, input: RunModuleInput, context: ToolContext): Promise<RunModuleOutput> {
  const { module, args, timeoutMs } = input
  const grants = grantsOf(context, settings)
  const cwd = await placeOf(input.cwd, context)
  const entry = await entryOf(context.workspace, module, cwd)
  return { ...(await run('run_js_module', { entry, cwd, args, grants }, entry, timeoutMs, context)), module }
}

async function run(
  mode: string,
  program: JsProgram & { readonly cwd: string; readonly args: readonly string[] },
  file: string,
  timeoutMs: number,
  context: ToolContext,
): Promise<JsProcessOutput> {
  const { signal, limits, progress } = context
  const js = jsOf(context)
  const stdout = new StreamHead(LONGEST_STREAM, 'characters')
  const stderr = new StreamHead(LONGEST_STREAM, 'characters')
  const tell = streamProgress(progress, limits.shellStreamBytes)
  const onOutput = (output: ShellOutput): void => {
    ;(output.stream === 'stdout' ? stdout : stderr).push(output.text)
    tell(output)
  }
  const watch = stopwatch(context, timeoutMs)
  const result = await js.run({ ...program, signal, onOutput, timeoutMs: watch.timeoutMs, maxBytes: limits.shellStreamBytes })
  const { timedOut, aborted, durationMs } = watch.settle(result)
  return {
    status: result.exitCode === 0 && !timedOut && !aborted ? 'ok' : 'error',
    mode,
    cwd: program.cwd,
    command: js.name,
    args: [file, ...program.args],
    exit_code: result.exitCode,
    signal: result.signal ?? null,
    timed_out: timedOut,
    aborted,
    duration_ms: durationMs,
    stdout: stdout.text,
    stderr: stderr.text,
    truncated_stdout: stdout.truncated,
    truncated_stderr: stderr.truncated,
  }
}

const TOOL = 'start_background_js'
const DEFAULT_NAME = 'background-js'

/**
 * The fields that describe the start of each session. They are kept here because the session table stores only one line about a session.
 */
const started = new WeakMap<Session, { readonly [field: string]: JsonValue }>()

/**
 * Implements `start_background_js`. Starts a program. If a session with this name already runs, returns that session and does not run the
 * new program.
 */
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
