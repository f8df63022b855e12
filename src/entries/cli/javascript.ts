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
  // An interrupt ends whatever a program is doing: this thread is never busy with it.
  sandbox: () => lazyQuickJs({ worker: () => createJsWorker() }),
  node: createNodeJs,
  none: () => undefined,
}

/** What runs JavaScript; the same for the tools and for the commands of the shell. */
export function engineOf({ js }: Pick<CliOptions, 'js'>): PortOption<JsAdapter> | undefined {
  const engine = ENGINES[js]()
  return engine && sharedPort(engine)
}

/**
 * The tools that earlier calls have made. What gives none is told on stderr, a line each, and stops nothing. `mcp`, which offers them to a
 * model, names them there too: a clone may bring them.
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
