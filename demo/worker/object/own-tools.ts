import { type JsAdapter, loadCustomTools, type ToolRuntime } from 'toolport'
import { createQuickJs } from 'toolport/adapters/quickjs'
import wasm from 'toolport/adapters/quickjs/wasm'
import type { Env } from '../env.js'
import type { Settings } from '../settings.js'
import type { ProgramTurns } from './turns.js'

const MOST_FILES = 64
/** Maximum number of files that may time out. After that the remaining files are skipped. */
const MOST_ENDLESS = 2
/** Limits per file. The clock may stand still while a file runs, so its steps are limited too: 20 million jumps and calls. */
const FILE_MS = 2000
const FILE_FUEL = 2000
const MEMORY_BYTES = 32 * 1024 * 1024
/** Limits of the report on files that could not be loaded: number of files, and characters per file. */
const MOST_PROBLEMS = 20
const LONGEST_PROBLEM = 300

/** Result of loading the files in `.toolport/tools`. */
export interface OwnTools {
  readonly loaded: number
  /** Why some files could not be loaded. */
  readonly problems: readonly string[]
}

export interface Loading {
  readonly runtime: ToolRuntime
  readonly env: Env
  readonly settings: Settings
  readonly closing: AbortSignal
  /** Creates the scheduler of one file. */
  readonly turns: () => ProgramTurns
}

/** Registers the tools that `create_persistent_tool` has saved, within a deadline. Tools that fail to load are listed in the report. */
export async function loadOwnTools({ runtime, env, settings, closing, turns }: Loading): Promise<OwnTools> {
  const options = { wasm, worker: false, memoryBytes: MEMORY_BYTES, fuel: FILE_FUEL, turns }
  const js = env.LOADER ? runtime.js : createQuickJs(options)(runtime.workspace)
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), settings.OWN_TOOLS_MS)
  const signal = AbortSignal.any([closing, late.signal])
  try {
    const { workspace, registry } = runtime
    const bounded = js && withinBounds(js, signal)
    const { loaded, errors } = await loadCustomTools({ workspace, registry, js: bounded }, { signal })
    const problems = shortened(errors)
    if (problems.length > 0) console.warn(`Tools of the workspace that were not loaded:\n${problems.join('\n')}`)
    return { loaded: loaded.length, problems }
  } finally {
    clearTimeout(timer)
    if (js !== runtime.js) await js?.close?.()
  }
}

/** Wraps the engine with the limits for programs that run before the workspace is open. */
function withinBounds(js: JsAdapter, signal: AbortSignal): JsAdapter {
  let files = 0
  let endless = 0
  return {
    name: js.name,
    can: js.can,
    async run(program) {
      if (++files > MOST_FILES) throw new Error(`left out: at most ${MOST_FILES} files are loaded`)
      if (endless >= MOST_ENDLESS) throw new Error('left out: files before it did not end when they were loaded')
      // Lets other requests run between files, such as the deletion of the workspace.
      await new Promise((resolve) => setTimeout(resolve, 0))
      if (signal.aborted) throw new Error('left out: loading all of them took too long')
      const result = await js.run({ ...program, timeoutMs: FILE_MS })
      if (!result.timedOut) return result
      endless++
      throw new Error('it did not end when it was loaded')
    },
  }
}

function shortened(errors: readonly string[]): readonly string[] {
  const told = errors
    .slice(0, MOST_PROBLEMS)
    .map((error) => (error.length > LONGEST_PROBLEM ? `${error.slice(0, LONGEST_PROBLEM)}...` : error))
  return errors.length > MOST_PROBLEMS ? [...told, `and ${errors.length - MOST_PROBLEMS} more`] : told
}
