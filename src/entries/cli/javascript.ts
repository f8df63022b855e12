import { createJsWorker, createNodeJs } from '../../../adapters/node/index.js'
import type { PortOption } from '../../runtime/compose-runtime.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import { loadCustomTools } from '../../tools/custom/index.js'
import { TOOLS_DIRECTORY } from '../../tools/custom/options.js'
import type { JsAdapter } from '../../types/js.js'
import { sharedPort } from '../shared/own-port.js'
import { lazyQuickJs } from '../shared/quickjs.js'
import type { EngineName } from './names.js'
import type { CliOptions } from './options.js'
import { plainLine } from './plain-line.js'

const ENGINES: Readonly<Record<EngineName, () => PortOption<JsAdapter> | undefined>> = {
  // Runs QuickJS in a worker, so that an interrupt can always stop a program.
  sandbox: () => lazyQuickJs({ worker: () => createJsWorker() }),
  node: createNodeJs,
  none: () => undefined,
}

/** Returns the JavaScript engine that the tools and the shell's commands share; undefined for `none`. */
export function engineOf({ js }: Pick<CliOptions, 'js'>): PortOption<JsAdapter> | undefined {
  const engine = ENGINES[js]()
  return engine && sharedPort(engine)
}

/**
 * Loads the custom tools of the workspace, which earlier calls have created or a cloned repository contains. On stderr, reports files that
 * contain no valid tool, and lists the loaded tools; for `call` only the called tool. With `--js node`, tools run with the user's rights,
 * so this loads them only if the user trusts their content.
 */
export async function loadTools(runtime: ToolRuntime, options: Loading, signal: AbortSignal): Promise<void> {
  const lines = await linesOf(runtime, options, signal)
  if (signal.aborted) return
  for (const line of lines) process.stderr.write(`toolport: ${plainLine(line)}\n`)
}

type Loading = Pick<CliOptions, 'command' | 'operands' | 'js' | 'trust'>

async function linesOf(runtime: ToolRuntime, options: Loading, signal: AbortSignal): Promise<readonly string[]> {
  try {
    if (options.js === 'node' && !(await (await import('./config/trust.js')).trustsFolder(runtime.workspace, TOOLS_DIRECTORY, options)))
      return [
        `Cannot load the tools in ${TOOLS_DIRECTORY}: with --js node they run with your rights, and they are new or have changed. Read them, then pass --trust once`,
      ]
    const { loaded, errors } = await loadCustomTools(runtime, { signal })
    const told = loaded.filter(({ name }) => isUsed(name, runtime, options)).map(({ name, sourcePath }) => `${name} (${sourcePath})`)
    return told.length > 0 ? [`the workspace contains the tools ${told.join(', ')}`, ...errors] : errors
  } catch (error) {
    return [`Cannot load the tools of the workspace: ${error instanceof Error ? error.message : error}`]
  }
}

/** Whether the command may use the tool. `call` uses only the called tool. */
function isUsed(tool: string, { registry }: ToolRuntime, { command, operands: [called = '-'] }: Loading): boolean {
  return command !== 'call' || called === '-' || registry.find(called)?.name === tool
}
