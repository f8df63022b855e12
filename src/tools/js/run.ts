// The bodies of these tools are in one file, so that a bundle has one chunk for them. `install.ts` is a separate chunk.
import { reply } from '../../core/define-tool.js'
import { headTail, streamNote } from '../../ops/truncate.js'
import type { JsProgram } from '../../types/js.js'
import type { ToolContext, ToolReply } from '../../types/tool.js'
import { type BashOutput, renderBash } from '../shell/bash-output.js'
import { directoryOf } from '../shell/directory.js'
import { streamProgress } from '../shell/stream-progress.js'
import { grantsOf, jsOf } from './grants.js'
import { entryOf } from './module-entry.js'
import type { JsSettings } from './options.js'
import { stopwatch } from './time-limit.js'

interface Common {
  readonly args: readonly string[]
  readonly stdin?: string | undefined
  readonly cwd?: string | undefined
  readonly timeout_ms: number
}

interface RunJsInput extends Common {
  readonly code: string
  readonly format?: 'module' | 'commonjs' | undefined
}

interface RunModuleInput extends Common {
  readonly module: string
}

/** `cwd`: the directory in which the program ran. */
interface JsOutput extends BashOutput {
  /** The default export of the program as JSON. */
  readonly result?: unknown
}

/** The body of `run_js`. */
export async function runJs(
  settings: JsSettings,
  { code, format, ...input }: RunJsInput,
  context: ToolContext,
): Promise<ToolReply<JsOutput>> {
  const grants = grantsOf(context, settings)
  const cwd = await placeOf(input.cwd, context)
  return run({ code, cwd, grants, ...(format && { format }) }, input, context)
}

/** The body of `run_js_module`. */
export async function runModule(
  settings: JsSettings,
  { module, ...input }: RunModuleInput,
  context: ToolContext,
): Promise<ToolReply<JsOutput>> {
  const grants = grantsOf(context, settings)
  const cwd = await placeOf(input.cwd, context)
  return run({ entry: await entryOf(context.workspace, module, cwd), cwd, grants }, input, context)
}

/** @throws WorkspaceError, FsError ENOENT, ENOTDIR, EACCES */
export async function placeOf(cwd: string | undefined, { workspace }: ToolContext): Promise<string> {
  return cwd === undefined ? workspace.cwd : directoryOf(workspace, cwd, undefined)
}

async function run(
  program: JsProgram & { readonly cwd: string },
  { args, stdin, timeout_ms }: Common,
  context: ToolContext,
): Promise<ToolReply<JsOutput>> {
  const { workspace, limits, signal, progress } = context
  const watch = stopwatch(context, timeout_ms)
  const result = await jsOf(context).run({
    ...program,
    args,
    signal,
    timeoutMs: watch.timeoutMs,
    maxBytes: limits.shellStreamBytes,
    onOutput: streamProgress(progress, limits.shellStreamBytes),
    ...(stdin !== undefined && { stdin }),
  })
  const { timedOut, aborted, durationMs, cut } = watch.settle(result)
  const output: JsOutput = {
    exit_code: result.exitCode,
    stdout: result.stdout,
    stderr: result.stderr,
    ...(result.result !== undefined && { result: result.result }),
    timed_out: timedOut,
    aborted,
    truncated: result.truncated,
    cwd: program.cwd,
    duration_ms: durationMs,
    ...(cut && { note: `the deadline of the call (${limits.deadlineMs} ms) passed before timeout_ms` }),
  }
  return reply(output, [{ type: 'text', text: render(output, workspace.cwd, limits.outputBytes) }])
}

/** Renders the output as `bash` does, then the result. Half of the room is for the result. */
function render({ result, ...output }: JsOutput, home: string, maxBytes: number): string {
  // Programs do not change their directory, and the call already names it.
  const shown = { ...output, cwd: home }
  if (result === undefined) return renderBash(shown, home, maxBytes)
  const text = typeof result === 'string' ? result : (JSON.stringify(result, null, 2) ?? 'null')
  return renderBash({ ...shown, shown: headTail(text, maxBytes >> 1, streamNote).text }, home, maxBytes)
}
