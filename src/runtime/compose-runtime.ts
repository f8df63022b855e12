import type { ToolRegistry, ToolRegistryOptions } from '../core/tool-registry.js'
import type { FsAdapter } from '../types/fs.js'
import type { Host } from '../types/host.js'
import type { JsAdapter } from '../types/js.js'
import type { FetchAdapter, MemoryAdapter, ModelAdapter } from '../types/ports.js'
import type { Preset } from '../types/preset.js'
import type { Bundler, PreviewAdapter } from '../types/preview.js'
import type { RuntimeCheckpoints, RuntimeHooks, RuntimePolicy } from '../types/runtime.js'
import type { Sessions, SessionsOptions } from '../types/session.js'
import type { ShellAdapter } from '../types/shell.js'
import type { AnyTool, Limits, Ports } from '../types/tool.js'
import type { Mounts, Quotas, Workspace, WorkspacePolicy } from '../types/workspace.js'
import { createWorkspace } from '../workspace/create-workspace.js'
import { availableOf, PORTS } from './ports.js'
import { ToolRuntime } from './tool-runtime.js'

/** An adapter, or a function that creates the adapter for the runtime's workspace, so that both use the same tree. */
export type PortOption<Port> = Port | ((workspace: Workspace) => Port)

/** Options of `createRuntime`. Pass exactly one of `fs` and `workspace`. */
export interface CreateRuntimeOptions {
  /** The storage of a new workspace. Pass either `fs` or `workspace`. */
  readonly fs?: FsAdapter
  /**
   * An existing workspace, which the runtime closes when it is disposed. The workspace decides `root`, `cwd`, `quotas`, `mounts`,
   * `policy.paths` and `policy.readOnly`, and passing these throws a TypeError.
   */
  readonly workspace?: Workspace
  /** Virtual root. Default: `fs.suggestedRoot`, otherwise `/workspace`. */
  readonly root?: string
  /** Directory for relative paths. Default: the root. */
  readonly cwd?: string
  readonly quotas?: Quotas
  /** Other storages below the root. */
  readonly mounts?: Mounts
  readonly tools?: Iterable<AnyTool>
  /** A set of tools with its own wording of failures. Its tools come before `tools`. */
  readonly preset?: Preset
  /** Runs commands. As for every port, the manifest omits the tools that require a missing one. */
  readonly shell?: PortOption<ShellAdapter>
  /** Runs JavaScript programs. */
  readonly js?: PortOption<JsAdapter>
  /** Reaches the network. */
  readonly fetch?: PortOption<FetchAdapter>
  readonly model?: PortOption<ModelAdapter>
  readonly memory?: PortOption<MemoryAdapter>
  /** Shows the app of the workspace, for example the `Preview` of `createPreview`. */
  readonly preview?: PortOption<PreviewAdapter>
  /** Builds the app of the workspace, for example the result of `createBundler`. */
  readonly bundler?: PortOption<Bundler>
  /** Clock, randomness and timers. Default: those of the system. */
  readonly host?: Host
  readonly policy?: RuntimePolicy & WorkspacePolicy
  readonly limits?: Partial<Limits>
  readonly hooks?: RuntimeHooks
  /** Checkpoint settings. `keep` and `bytes` belong to the workspace if you pass one. */
  readonly checkpoints?: RuntimeCheckpoints
  /**
   * Limits of the background sessions (default: none), or a session table that several runtimes share. The first runtime that is disposed
   * disposes the table.
   */
  readonly sessions?: Sessions | SessionsOptions
  /** Whether to save the full text of truncated outputs in `.toolport/outputs/`. Default false. */
  readonly spill?: boolean
  /**
   * Whether the results of all tools begin with a line that marks them as data, not instructions. Default false. Helps against prompt
   * injection: files and web pages may contain text that misleads a model. The line is in `content` only. It does not change `output`,
   * failures, or results of calls that tools make.
   */
  readonly markData?: boolean
}

/** Builds the parts of a runtime. `registryOf` creates an empty registry, which decides which schemas it accepts. */
export function composeRuntime(options: CreateRuntimeOptions, registryOf: (options: ToolRegistryOptions) => ToolRegistry): ToolRuntime {
  const { host, policy, limits, hooks, checkpoints, sessions, spill, markData, preset, tools = [] } = options
  const workspace = workspaceOf(options)
  const ports = portsOf(options, workspace)
  const registry = registryOf({ available: availableOf(ports) }).registerMany([...(preset?.tools ?? []), ...tools])
  const pathsAsk = options.workspace !== undefined || (policy?.paths ?? []).some(({ action }) => action === 'ask')
  const settings = { host, policy, limits, hooks, checkpoints, sessions, spill, markData, preset, pathsAsk }
  return new ToolRuntime(registry, { workspace, ...ports, ...settings })
}

/** @throws TypeError for contradicting options */
export function workspaceOf(options: CreateRuntimeOptions): Workspace {
  const { fs, workspace, root, cwd, quotas, mounts, checkpoints: { keep, bytes } = {}, host, policy = {} } = options
  if ((fs === undefined) === (workspace === undefined)) {
    throw new TypeError(`Cannot create a runtime: pass "fs" or "workspace", ${fs === undefined ? 'one of them is needed' : 'not both'}`)
  }
  const { readOnly, paths } = policy
  if (fs !== undefined)
    return createWorkspace({ fs, root, cwd, quotas, mounts, checkpoints: { keep, bytes }, host, policy: { readOnly, paths } })
  const own = { root, cwd, quotas, mounts, 'checkpoints.keep': keep, 'checkpoints.bytes': bytes }
  const ignored = Object.entries({ ...own, 'policy.readOnly': readOnly, 'policy.paths': paths }).find(([, value]) => value !== undefined)
  if (ignored)
    throw new TypeError(
      `Cannot create a runtime: "${ignored[0]}" cannot be combined with "workspace". Set the option when creating the workspace`,
    )
  return workspace as Workspace
}

export function portsOf(options: CreateRuntimeOptions, workspace: Workspace): Ports {
  const make = (option: unknown): unknown => (typeof option === 'function' ? option(workspace) : option)
  return Object.fromEntries(PORTS.map((name) => [name, make(options[name])]))
}
