import { toJsonSchema } from '../../core/json-schema.js'
import type { SecurityPolicy } from '../../core/security/index.js'
import { fromZod } from '../../core/zod-schema.js'
import { required } from '../../errors/required.js'
import type { PortOption } from '../../runtime/compose-runtime.js'
import { createRuntime } from '../../runtime/create-runtime.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { Host } from '../../types/host.js'
import type { MemoryAdapter } from '../../types/ports.js'
import type { CallContext } from '../../types/runtime.js'
import type { ShellAdapter } from '../../types/shell.js'
import type { AnyTool, JsonSchema } from '../../types/tool.js'
import type { Workspace } from '../../types/workspace.js'
import { fromZeroclawTool } from './custom.js'
import { fileReadTool } from './file-read.js'
import { Guard } from './guard.js'
import { memoryRecallTool } from './memory-recall.js'
import { renderUnknown, toWire } from './messages.js'
import { mannersOf, workspaceTools } from './preset.js'
import { shellTool } from './shell.js'
import { specOf, Tool, type ZeroclawToolLike } from './tool.js'
import type { ZeroclawOptions, ZeroclawToolResult, ZeroclawToolSpec } from './types.js'

/** Options of `createZeroclaw`. */
export interface CreateZeroclawOptions extends ZeroclawOptions {
  /** The workspace. `dispose` closes it. */
  readonly workspace: Workspace
  /** The shell, which enables the tool `shell`. */
  readonly shell?: PortOption<ShellAdapter>
  /** The memory, which enables the tool `memory_recall`. */
  readonly memory?: PortOption<MemoryAdapter>
  /** Clock, randomness and timers. Default: those of the workspace. */
  readonly host?: Host
}

/** The tool classes and registry from ZeroClaw's documentation, bound to one workspace. Instances share no state. */
export interface Zeroclaw {
  /** The tools by name. `set` adds or replaces a tool. */
  readonly tools: Map<string, ZeroclawToolLike>
  readonly ShellTool: new (security: SecurityPolicy, runtime: ShellAdapter) => Tool
  readonly FileReadTool: new (security: SecurityPolicy) => Tool
  readonly MemoryRecallTool: new (memory: MemoryAdapter) => Tool
  /** Creates the tools for a policy and a shell (the documented runtime adapter), without tools that the policy excludes. */
  createToolRegistry(security: SecurityPolicy, runtime?: ShellAdapter): Map<string, ZeroclawToolLike>
  /** Runs a tool of `tools`. Never rejects. */
  execute(name: string, args?: unknown, context?: CallContext): Promise<ZeroclawToolResult>
  /** The tools as a model sees them, sorted by name. */
  specs(): ZeroclawToolSpec[]
  /** Aborts running calls, and closes shells and workspace. */
  dispose(): Promise<void>
}

/** Creates the documented objects. @throws TypeError or RangeError for invalid security options */
export function createZeroclaw(options: CreateZeroclawOptions): Zeroclaw {
  const workspace = required('createZeroclaw', 'the option "workspace"', options?.workspace, 'resolve')
  const guard = new Guard(options)
  const bench = new Bench(options)
  const shell = portOf(options.shell, workspace)
  const memory = portOf(options.memory, workspace)
  const registry = (by: Guard, runtime: ShellAdapter | undefined): Map<string, ZeroclawToolLike> => {
    const definitions = [
      ...(runtime ? [shellTool(by)] : []),
      ...workspaceTools(by, options),
      ...(memory ? [memoryRecallTool(by)] : []),
    ].filter(({ name }) => by.offers(name))
    const made = bench.objects(by, definitions, { ...(runtime && { shell: runtime }), ...(memory && { memory }) })
    return new Map(made.map((tool) => [tool.name(), tool]))
  }
  const guardOf = (security: SecurityPolicy): Guard => new Guard({ ...options, security })
  const tools = registry(guard, shell)
  return {
    tools,
    ShellTool: class extends ToolObject {
      constructor(security: SecurityPolicy, runtime: ShellAdapter) {
        const by = guardOf(security)
        super(bench.parts(by, shellTool(by), { shell: runtime }))
      }
    },
    FileReadTool: class extends ToolObject {
      constructor(security: SecurityPolicy) {
        const by = guardOf(security)
        super(bench.parts(by, fileReadTool(by)))
      }
    },
    MemoryRecallTool: class extends ToolObject {
      constructor(from: MemoryAdapter) {
        super(bench.parts(guard, memoryRecallTool(guard), { memory: from }))
      }
    },
    createToolRegistry: (security, runtime) => registry(guardOf(security), runtime),
    execute: async (name, args, context) => {
      const tool = tools.get(name)
      if (!tool || !guard.offers(name)) return { success: false, output: '', error: String(renderUnknown(name)) }
      return bench.run(guard, tool, args, context)
    },
    specs: () => [...tools.values()].map(specOf).sort((a, b) => (a.name < b.name ? -1 : 1)),
    dispose: () => bench.dispose(),
  }
}

interface ToolParts {
  readonly definition: AnyTool
  readonly runtime: ToolRuntime
}

/** A built-in tool as an object. Each call has a deadline, a signal and events, like calls through a runtime. */
class ToolObject extends Tool {
  readonly #parts: ToolParts

  constructor(parts: ToolParts) {
    super()
    this.#parts = parts
  }

  name(): string {
    return this.#parts.definition.name
  }

  description(): string {
    return this.#parts.definition.description
  }

  parametersSchema(): JsonSchema {
    return toJsonSchema(this.#parts.definition.inputSchema, 'input', fromZod)
  }

  async execute(args: unknown, context?: CallContext): Promise<ZeroclawToolResult> {
    return toWire(await this.#parts.runtime.execute({ name: this.name(), input: args }, context))
  }
}

interface ToolPorts {
  readonly shell?: ShellAdapter
  readonly memory?: MemoryAdapter
}

/** Creates the runtimes behind the objects, and disposes them. */
class Bench {
  readonly #options: CreateZeroclawOptions
  readonly #runtimes: ToolRuntime[] = []
  readonly #custom = new WeakMap<ZeroclawToolLike, ToolRuntime>()

  constructor(options: CreateZeroclawOptions) {
    this.#options = options
  }

  /** Registers the tools in one runtime, so that they share the recorded versions of files. */
  objects(guard: Guard, definitions: readonly AnyTool[], ports?: ToolPorts): Tool[] {
    const runtime = this.#runtime(guard, definitions, ports)
    return definitions.map((definition) => new ToolObject({ definition, runtime }))
  }

  parts(guard: Guard, definition: AnyTool, ports?: ToolPorts): ToolParts {
    return { definition, runtime: this.#runtime(guard, [definition], ports) }
  }

  /** Runs a custom tool in a runtime. If the tool cannot be registered, returns a failure. */
  async run(guard: Guard, tool: ZeroclawToolLike, args: unknown, context?: CallContext): Promise<ZeroclawToolResult> {
    if (tool instanceof ToolObject) return tool.execute(args, context)
    try {
      const runtime = this.#custom.get(tool) ?? this.parts(guard, fromZeroclawTool(tool, guard)).runtime
      this.#custom.set(tool, runtime)
      return toWire(await runtime.execute({ name: tool.name(), input: args }, context))
    } catch (error) {
      return { success: false, output: '', error: error instanceof Error ? error.message : 'The tool cannot be run' }
    }
  }

  #runtime(guard: Guard, tools: readonly AnyTool[], ports: ToolPorts = {}): ToolRuntime {
    const { workspace, host } = this.#options
    const runtime = createRuntime({ workspace, host, ...ports, preset: { ...mannersOf(guard), tools } })
    this.#runtimes.push(runtime)
    return runtime
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#runtimes.map((runtime) => runtime.dispose()))
  }
}

function portOf<Port>(option: PortOption<Port> | undefined, workspace: Workspace): Port | undefined {
  return typeof option === 'function' ? (option as (workspace: Workspace) => Port)(workspace) : option
}
