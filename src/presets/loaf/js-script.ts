import { grantsOf, jsOf } from '../../tools/js/grants.js'
import type { JsSettings } from '../../tools/js/options.js'
import { placeOf } from '../../tools/js/run.js'
import type { JsProgram } from '../../types/js.js'
import type { ToolContext } from '../../types/tool.js'
import { joinPath } from '../../workspace/paths.js'
import type { JsFormat, JsRuntime, JsSource } from './js-inputs.js'
import { ReportedFailure } from './reported-failure.js'

/** A program as source text, ready to run. */
export interface Script {
  readonly program: JsProgram & { readonly cwd: string }
  /** The virtual path under which the program runs, and to which it is saved. */
  readonly path: string
  /** Saves the program before it runs, if requested. */
  readonly save: () => Promise<unknown>
}

/** The output fields that describe the script. */
export const scriptFields = (
  { path }: Script,
  { format }: JsSource,
  context: ToolContext,
): { readonly scriptPath: string; readonly runtime: string; readonly format: JsFormat } => ({
  scriptPath: path,
  runtime: jsOf(context).name,
  format,
})

/**
 * Prepares a program. It gets a unique name in its directory, so that its imports resolve as from a file there. Writes the file only if the
 * call requests it.
 *
 * @throws {ReportedFailure} for an unavailable runtime; errors of `grantsOf` and `placeOf`
 */
export async function scriptOf(
  tool: string,
  source: JsSource & { readonly cwd: string | undefined },
  settings: JsSettings,
  context: ToolContext,
  lasting = false,
): Promise<Script> {
  checkRuntime(tool, source.runtime)
  const grants = grantsOf(context, settings, lasting)
  const cwd = await placeOf(source.cwd, context)
  const path = joinPath(cwd, nameOf(context, source.format))
  const { code, format } = source
  if (!source.keepScript) return { program: { code, format, filename: path, cwd, grants }, path, save: async () => {} }
  return { program: { entry: path, cwd, grants }, path, save: () => context.workspace.writeText(path, code) }
}

/** Rejects the runtime `bun`. The engine provides Node's language and modules, so it accepts `node` and `auto`. */
function checkRuntime(tool: string, runtime: JsRuntime): void {
  if (runtime !== 'bun') return
  const error = `${tool} could not resolve runtime "${runtime}".`
  throw new ReportedFailure({ output: { status: 'error', message: error }, error }, 'unavailable')
}

function nameOf({ host }: ToolContext, format: JsFormat): string {
  const digits = Math.floor(host.random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0')
  return `.loaf-script-${Math.floor(host.now())}-${digits}.${format === 'module' ? 'mjs' : 'cjs'}`
}
