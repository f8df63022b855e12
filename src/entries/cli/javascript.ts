import { createFetch } from '../../../adapters/fetch/index.js'
import { createJsWorker, createNodeJs } from '../../../adapters/node/index.js'
import type { CreateRuntimeOptions, PortOption } from '../../runtime/create-runtime.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import { loadCustomTools } from '../../tools/custom/index.js'
import { checkJsOptions, type JsToolsOptions } from '../../tools/js/options.js'
import type { JsAdapter } from '../../types/js.js'
import { sharedPort } from '../shared/own-port.js'
import { lazyQuickJs } from '../shared/quickjs.js'
import { type CliOptions, type EngineName, UsageError } from './options.js'

const MIB = 1024 * 1024

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

/** The registry of packages for the tools, and the way to it. @throws {UsageError} for an address that is none */
export function registryOf({ registry }: Pick<CliOptions, 'registry'>): Pick<CreateRuntimeOptions, 'fetch'> & { jsTools?: JsToolsOptions } {
  if (registry === undefined) return {}
  try {
    checkJsOptions({ registry })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
  return { jsTools: { registry }, fetch: createFetch({ origins: [new URL(registry).origin], maxBytes: 64 * MIB }) }
}

/** The tools that earlier calls have made. What gives none is told on stderr, a line each, and stops nothing. */
export async function loadTools(runtime: ToolRuntime, signal: AbortSignal): Promise<void> {
  const problems = await problemsOf(runtime, signal)
  if (signal.aborted) return
  for (const problem of problems) process.stderr.write(`toolport: ${lineOf(problem)}\n`)
}

/** A file says what its errors are called: nothing of it is for the terminal to obey. */
const lineOf = (text: string): string => text.replaceAll(/\p{Cc}[\s\p{Cc}]*/gu, ' ')

async function problemsOf(runtime: ToolRuntime, signal: AbortSignal): Promise<readonly string[]> {
  try {
    return (await loadCustomTools(runtime, { signal })).errors
  } catch (error) {
    return [`the tools of the workspace were not loaded: ${error instanceof Error ? error.message : error}`]
  }
}
