import { toJsonSchema } from '../../core/json-schema.js'
import { lazy } from '../../core/lazy.js'
import { fromZod } from '../../core/zod-schema.js'
import { type CreateRuntimeOptions, portsOf, workspaceOf } from '../../runtime/compose-runtime.js'
import { availableOf } from '../../runtime/ports.js'
import { createSessions } from '../../sessions/index.js'
import type { ToolPlace } from '../../tools/custom/custom-registry.js'
import type { CustomToolFacts } from '../../tools/custom/describe.js'
import type { LoadedCustomTools } from '../../tools/custom/load.js'
import { CUSTOM_TOOL_NAME_PATTERN } from '../../tools/custom/names.js'
import { checkCustomOptions } from '../../tools/custom/options.js'
import { ShellSession } from '../../tools/shell/session.js'
import type { Sessions, SessionsOptions } from '../../types/session.js'
import type { AnyTool } from '../../types/tool.js'
import type { TrustedTools } from '../../types/trusted-tools.js'
import type { Workspace } from '../../types/workspace.js'
import { type FindCaller, toDocumented } from './documented.js'
import { checkExa, type LoafApiKey, type LoafOptions } from './options.js'
import { type PersistentToolOptions, persistentTool } from './persistent-tool.js'
import { families, manners, settingsOf, sharedSession } from './preset.js'
import { createLoafRegistry } from './registry.js'
import { Running } from './running.js'
import { searchWeb } from './search-web.js'
import type { LoafInputSchema, LoafToolDefinition, LoafToolRegistry, LoafToolRuntime } from './types.js'

/** Options of `createLoaf`. */
export interface CreateLoafOptions extends LoafOptions, Omit<CreateRuntimeOptions, 'tools' | 'preset' | 'model' | 'memory'> {
  /** Workspace path of the directory for custom tools. Default: `.loaf/tools` below the root. */
  readonly toolsDirectory?: string
  /** Loads custom tools into the host's own process, without any sandbox. Default: tools run in the sandbox. */
  readonly trustedTools?: TrustedTools
}

const bodies = lazy(() => import('./custom-bodies.js'))

/** The documented modules of the original agent as one object. It has the documented names and its own state. */
export interface Loaf {
  /** The built-in tools. */
  readonly defaultToolRegistry: LoafToolRegistry
  readonly ToolRuntime: new (registry: LoafToolRegistry) => LoafToolRuntime
  readonly createToolRegistry: () => LoafToolRegistry
  readonly BASH_BUILTIN_TOOLS: readonly LoafToolDefinition[]
  readonly FILE_OPS_BUILTIN_TOOLS: readonly LoafToolDefinition[]
  readonly JAVASCRIPT_BUILTIN_TOOLS: readonly LoafToolDefinition[]
  /** The tools that need `exa.url`; empty without it. */
  readonly EXA_BUILTIN_TOOLS: readonly LoafToolDefinition[]
  /**
   * Creates `search_web` with its own API key. It sends requests to `exa.url`; without `exa.url` the tool answers that it is unavailable.
   */
  readonly createExaBuiltinTools: (options: { readonly getApiKey: () => LoafApiKey }) => LoafToolDefinition[]
  /** Sets the API key of `search_web`. With an empty key, the key of the option `exa` applies. */
  readonly configureBuiltinTools: (config: { readonly exaApiKey?: string }) => void
  readonly CUSTOM_TOOL_NAME_PATTERN: RegExp
  /** Names that custom tools cannot use. */
  readonly builtinToolNames: ReadonlySet<string>
  /**
   * Loads custom tools into `defaultToolRegistry`. They run in the sandbox. Loads once; later calls return the same report. Never rejects.
   */
  readonly loadCustomTools: () => Promise<LoadedCustomTools>
  readonly createPersistentToolTool: (options: PersistentToolOptions) => LoafToolDefinition
  readonly workspace: Workspace
  /** Aborts running calls, ends background sessions, and closes shell, JavaScript engine and workspace. */
  readonly dispose: () => Promise<void>
}

/**
 * Creates the documented objects and functions for one workspace.
 *
 * @throws TypeError for contradictory options; WorkspaceError for a tools directory outside the workspace; UnsupportedError for a storage
 * that `trustedTools` cannot load from
 */
export function createLoaf(options: CreateLoafOptions): Loaf {
  const { exa: given, host, policy, limits, hooks, spill, markData, toolsDirectory = '.loaf/tools', trustedTools: trusted } = { ...options }
  const exa = given && checkExa(given)
  const workspace = workspaceOf({ ...options })
  const toolsPath = workspace.resolve(toolsDirectory)
  const ports = portsOf(options, workspace)
  const available = availableOf(ports)
  // Share one table, so that every registry's runtime finds the sessions of the others.
  const sessions = isTable(options.sessions) ? options.sessions : createSessions(host ?? workspace.host, options.sessions)
  const running = new Running({ workspace, ...ports, sessions, host, policy, limits, hooks, spill, markData, preset: manners })
  const createToolRegistry = (): LoafToolRegistry => createLoafRegistry(available, (id) => running.caller(id))

  const documented = (tool: AnyTool): LoafToolDefinition => {
    let own: LoafToolRegistry | undefined
    const result = toDocumented(tool, toJsonSchema(tool.inputSchema, 'input', fromZod) as unknown as LoafInputSchema, (input, context) => {
      own ??= createToolRegistry().register(result)
      return running.execute(own, { name: tool.name, input }, context)
    })
    return result
  }

  let configuredKey = ''
  const optionKey = exa ? settingsOf(exa).getApiKey : () => undefined
  const createExaBuiltinTools: Loaf['createExaBuiltinTools'] = ({ getApiKey }) => [documented(searchWeb({ exa, getApiKey }))]
  const { bash, files, js } = families(
    { atomic: options.atomic, jsTools: options.jsTools },
    sharedSession(() => new ShellSession()),
  )
  const BASH_BUILTIN_TOOLS = bash.map(documented)
  const FILE_OPS_BUILTIN_TOOLS = files.map(documented)
  const JAVASCRIPT_BUILTIN_TOOLS = js.map(documented)
  const EXA_BUILTIN_TOOLS = exa ? createExaBuiltinTools({ getApiKey: () => configuredKey || optionKey() }) : []
  const settings = checkCustomOptions(trusted ? { trusted } : { grants: options.jsTools?.grants })
  const loader = trusted?.(workspace)
  const caller: FindCaller = (id) => running.caller(id)
  const placeOf = async (registry: LoafToolRegistry, isBuiltin: (name: string) => boolean): Promise<ToolPlace> => {
    const { placeIn, tableOf } = await bodies()
    return placeIn(tableOf(registry, documented, caller), isBuiltin, registry)
  }
  const createPersistentToolTool: Loaf['createPersistentToolTool'] = ({ registry, isBuiltinToolName }) =>
    documented(persistentTool({ directory: toolsPath, settings, caller, placeFor: () => placeOf(registry, isBuiltinToolName) }))
  const isBuiltinToolName = (name: string): boolean => BUILTIN_NAMES.has(name)
  const load = async (): Promise<LoadedCustomTools> => {
    const { loadInto, makeCustomTool } = await bodies()
    const place = await placeOf(defaultToolRegistry, isBuiltinToolName)
    const make = (facts: CustomToolFacts): AnyTool => makeCustomTool(facts, settings, caller)
    return loadInto({ workspace, js: ports.js, trusted: loader, place, settings, directories: [toolsPath], make })
  }
  let custom: Promise<LoadedCustomTools> | undefined

  const defaultToolRegistry = createToolRegistry().registerMany([
    ...BASH_BUILTIN_TOOLS,
    ...FILE_OPS_BUILTIN_TOOLS,
    ...JAVASCRIPT_BUILTIN_TOOLS,
    ...EXA_BUILTIN_TOOLS,
  ])
  if (ports.js || trusted) defaultToolRegistry.register(createPersistentToolTool({ registry: defaultToolRegistry, isBuiltinToolName }))
  running.runtimeOf(defaultToolRegistry)

  return {
    defaultToolRegistry,
    ToolRuntime: class implements LoafToolRuntime {
      readonly #registry: LoafToolRegistry
      constructor(registry: LoafToolRegistry) {
        running.runtimeOf(registry)
        this.#registry = registry
      }
      execute: LoafToolRuntime['execute'] = (call, context) => running.execute(this.#registry, call, context)
    },
    createToolRegistry,
    BASH_BUILTIN_TOOLS,
    FILE_OPS_BUILTIN_TOOLS,
    JAVASCRIPT_BUILTIN_TOOLS,
    EXA_BUILTIN_TOOLS,
    createExaBuiltinTools,
    configureBuiltinTools: ({ exaApiKey }) => {
      configuredKey = typeof exaApiKey === 'string' ? exaApiKey.trim() : ''
    },
    CUSTOM_TOOL_NAME_PATTERN,
    builtinToolNames: BUILTIN_NAMES,
    loadCustomTools: () => {
      custom ??= load()
      return custom
    },
    createPersistentToolTool,
    workspace,
    dispose: () => running.dispose(),
  }
}

const isTable = (option: Sessions | SessionsOptions | undefined): option is Sessions => option !== undefined && 'start' in option

/**
 * All documented names, including those of tools that need an adapter: a custom tool must not take a name that may become available later.
 */
const BUILTIN_NAMES: ReadonlySet<string> = new Set([
  'bash',
  'read_background_bash',
  'write_background_bash',
  'stop_background_bash',
  'list_background_bash',
  'resize_background_bash',
  'read_file',
  'list_dir',
  'grep_files',
  'apply_patch',
  'install_js_packages',
  'run_js',
  'run_js_module',
  'start_background_js',
  'read_background_js',
  'write_background_js',
  'stop_background_js',
  'list_background_js',
  'search_web',
  'create_persistent_tool',
])
