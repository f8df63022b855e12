import { defineTool } from '../../core/define-tool.js'
import { anything, object, optional, record, text } from '../../core/fields.js'
import { lazy } from '../../core/lazy.js'
import { UnsupportedError } from '../../errors/index.js'
import { required } from '../../errors/required.js'
import type { JsAdapter } from '../../types/js.js'
import type { AnyTool, ToolContext, ToolTable } from '../../types/tool.js'
import type { Workspace } from '../../types/workspace.js'
import { outputOf } from '../outputs/load.js'
import { flag } from '../schema.js'
import type { CustomToolFacts } from './describe.js'
import type { LoadedCustomTools } from './load.js'
import { type CustomToolsOptions, type CustomToolsSettings, checkCustomOptions, TOOLS_DIRECTORY } from './options.js'
import { originNote } from './origin-note.js'
import type { PersistentInput, PersistentOutput } from './persistent.js'

export type { LoadedCustomTools } from './load.js'
export type { CustomToolsOptions } from './options.js'

const bodies = lazy(() => import('./bodies.js'))

/** The parts of a runtime that custom tools need. A `ToolRuntime` has all of them. */
export interface CustomToolsHost {
  readonly workspace: Workspace
  readonly registry: ToolTable
  readonly js?: JsAdapter | undefined
}

/** Options of `loadCustomTools`. */
export interface LoadCustomToolsOptions extends CustomToolsOptions {
  /** Paths in the workspace, searched recursively in this order. Default `.toolport/tools`. */
  readonly directories?: readonly string[]
  readonly signal?: AbortSignal
}

/**
 * Finds tool files and registers their exports: `await loadCustomTools(runtime)`. The runtime's JavaScript adapter loads the files and runs
 * their tools in its sandbox; with `trusted` both happen in this process. Already registered tools take precedence. A repeated call reloads
 * the files.
 *
 * @throws {TypeError} for invalid options, {WorkspaceError} for a directory outside the workspace, {UnsupportedError} for a storage that
 * `trusted` cannot load from. Failures of single files are in the report.
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
    make: (facts) => customTool(withOrigin(facts), settings),
    signal,
  })
}

/** Adds the tool's file to its description, because the workspace may be a clone of someone else's repository. */
const withOrigin = (facts: CustomToolFacts): CustomToolFacts => ({
  ...facts,
  description: `${facts.description}${originNote(facts.path)}`,
})

/** Options of `customTools`. */
export interface CustomToolMakerOptions extends CustomToolsOptions {
  /** Directory in the workspace in which the tool writes new tools. Default `.toolport/tools`. */
  readonly directory?: string
}

/**
 * Creates the tool `create_persistent_tool`, which lets an agent write its own tools.
 *
 * @throws {TypeError} for invalid options
 */
export function customTools({ directory = TOOLS_DIRECTORY, ...options }: CustomToolMakerOptions = {}): AnyTool[] {
  return [createPersistentTool(directory, checkCustomOptions(options))]
}

const PERSISTENT_TOOL = 'create_persistent_tool'

const inputSchema = object({
  name: text('Name of the tool: letters, numbers, _ . : -'),
  description: text('What the tool does.'),
  handler_code: text(
    'JavaScript body of "async function run(input, context)". Return JSON; throw an Error on failure. Load modules with await import("...").',
  ),
  args_schema: optional(record(text(), anything(), 'JSON Schema of the input, with "type": "object" and "properties". Default: any.')),
  filename: optional(text('File name ending in .js, .mjs or .cjs. Default: from name.')),
  overwrite: flag('Replace your tool or file of this name.', false),
})

/** `create_persistent_tool`: adds tools to the runtime that runs the call, and stores the tools in `directory`. */
function createPersistentTool(directory: string, settings: CustomToolsSettings): AnyTool {
  return defineTool({
    name: PERSISTENT_TOOL,
    description: `Create a tool. It is stored as a file and available from the next call on. Its code runs ${settings.trusted ? "in the host's own process" : 'in a sandbox, like run_js'}. If creation fails, nothing changes.`,
    inputSchema,
    outputSchema: outputOf('create_persistent_tool'),
    annotations: { title: 'Make a tool', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    requires: settings.trusted ? [] : ['js'],
    run: (input, context) => make(directory, settings, input, context),
  })
}

async function make(
  directory: string,
  settings: CustomToolsSettings,
  input: PersistentInput,
  context: ToolContext,
): Promise<PersistentOutput> {
  const { workspace, host, tools, signal } = context
  if (!tools) throw new UnsupportedError('tools', `Cannot run "${PERSISTENT_TOOL}": this runtime's tools cannot be changed`)
  const { customTool, makeTool, placeIn } = await bodies()
  return makeTool(
    {
      workspace,
      js: context.js,
      trusted: settings.trusted?.(workspace),
      host,
      place: placeIn(tools),
      settings,
      directory: workspace.resolve(directory),
      make: (facts) => customTool(withOrigin(facts), settings),
      signal,
    },
    input,
  )
}
