import { createJsWorker, createNodeJs } from '../../../adapters/node/index.js'
import type { PortOption } from '../../runtime/compose-runtime.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import { loadCustomTools } from '../../tools/custom/index.js'
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
 * Loads the tools that earlier calls have created. Reports files that contain no valid tool on stderr and continues. For `mcp`, also lists
 * the loaded tools on stderr, because a cloned repository may contain tools.
 */
export async function loadTools(runtime: ToolRuntime, { command }: Pick<CliOptions, 'command'>, signal: AbortSignal): Promise<void> {
  const lines = await linesOf(runtime, command === 'mcp', signal)
  if (signal.aborted) return
  for (const line of lines) process.stderr.write(`toolport: ${plainLine(line)}\n`)
}

async function linesOf(runtime: ToolRuntime, named: boolean, signal: AbortSignal): Promise<readonly string[]> {
  try {
    const { loaded, errors } = await loadCustomTools(runtime, { signal })
    const brought = loaded.map(({ name, sourcePath }) => `${name} (${sourcePath})`).join(', ')
    return named && loaded.length > 0 ? [`the workspace brings the tools ${brought}`, ...errors] : errors
  } catch (error) {
    return [`the tools of the workspace were not loaded: ${error instanceof Error ? error.message : error}`]
  }
}
