import { lazy } from '../../core/lazy.js'
import { required } from '../../errors/required.js'
import type { JsAdapter } from '../../types/js.js'
import type { AnyTool, ToolTable } from '../../types/tool.js'
import type { Workspace } from '../../types/workspace.js'
import { createPersistentTool } from './create-persistent-tool.js'
import type { LoadedCustomTools } from './load.js'
import { type CustomToolsOptions, checkCustomOptions, TOOLS_DIRECTORY } from './options.js'

export type { LoadedCustomTools } from './load.js'
export type { CustomToolsOptions } from './options.js'

const bodies = lazy(() => import('./bodies.js'))

/** A runtime, or its parts. */
export interface CustomToolsHost {
  readonly workspace: Workspace
  readonly registry: ToolTable
  readonly js?: JsAdapter | undefined
}

export interface LoadCustomToolsOptions extends CustomToolsOptions {
  /** Paths in the workspace, looked through in this order with everything below them. Default `.toolport/tools`. */
  readonly directories?: readonly string[]
  readonly signal?: AbortSignal
}

/**
 * Looks for tool files and registers what they export: `await loadCustomTools(runtime)`. Files are loaded in the sandbox of the runtime's
 * JavaScript adapter, and so is every call of their tools; with `trusted` both happen in this process. What is registered already wins.
 * Called again, it loads files anew.
 *
 * @throws {TypeError} for options that make no sense, {WorkspaceError} for a directory outside the workspace, {UnsupportedError} for storage
 * that `trusted` cannot load from; files are in the report
 */
export async function loadCustomTools(
  runtime: CustomToolsHost,
  { directories = [TOOLS_DIRECTORY], signal, ...options }: LoadCustomToolsOptions = {},
): Promise<LoadedCustomTools> {
  const { workspace, registry, js } = required('loadCustomTools', 'a ToolRuntime', runtime, 'registry')
  const settings = checkCustomOptions(options)
  const { customTool, loadInto, placeIn } = await bodies()
  return loadInto({
    workspace,
    js,
    trusted: settings.trusted?.(workspace),
    place: placeIn(registry),
    settings,
    directories: directories.map((directory) => workspace.resolve(directory)),
    make: (facts) => customTool(facts, settings),
    signal,
  })
}

export interface CustomToolMakerOptions extends CustomToolsOptions {
  /** Where tools are written: a path in the workspace. Default `.toolport/tools`. */
  readonly directory?: string
}

/**
 * `create_persistent_tool`.
 *
 * @throws {TypeError} for options that make no sense
 */
export function customTools({ directory = TOOLS_DIRECTORY, ...options }: CustomToolMakerOptions = {}): AnyTool[] {
  return [createPersistentTool(directory, checkCustomOptions(options))]
}
