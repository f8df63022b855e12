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

/** The tools that earlier calls have made. What gives none is told on stderr, a line each, and stops nothing. */
export async function loadTools(runtime: ToolRuntime, signal: AbortSignal): Promise<void> {
  const problems = await problemsOf(runtime, signal)
  if (signal.aborted) return
  for (const problem of problems) process.stderr.write(`toolport: ${plainLine(problem)}\n`)
}

async function problemsOf(runtime: ToolRuntime, signal: AbortSignal): Promise<readonly string[]> {
  try {
    return (await loadCustomTools(runtime, { signal })).errors
  } catch (error) {
    return [`the tools of the workspace were not loaded: ${error instanceof Error ? error.message : error}`]
  }
}
