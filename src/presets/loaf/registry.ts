import { createToolRegistry } from '../../core/registry.js'
import type { ToolRegistry } from '../../core/tool-registry.js'
import type { AnyTool, Requirement } from '../../types/tool.js'
import { type FindCaller, toOurs } from './documented.js'
import type { LoafToolDefinition, LoafToolRegistry } from './types.js'

const inner = new WeakMap<LoafToolRegistry, ToolRegistry>()

/** Returns the runtime's registry behind a documented registry. @throws TypeError for any other object */
export function registryBehind(registry: LoafToolRegistry): ToolRegistry {
  const found = inner.get(registry)
  if (!found) throw new TypeError('Cannot use this registry: it was not made by createToolRegistry of this instance')
  return found
}

/** Creates an empty registry. `available` lists the ports that the registry's manifest assumes to exist. */
export function createLoafRegistry(available: ReadonlySet<Requirement>, caller: FindCaller): LoafToolRegistry {
  const tools = createToolRegistry({ available })
  const documented = new WeakMap<AnyTool, LoafToolDefinition>()
  const pairOf = (tool: LoafToolDefinition): readonly [AnyTool, LoafToolDefinition] => [toOurs(tool, caller), tool]
  const shown = (tool: AnyTool | undefined): LoafToolDefinition | undefined => tool && documented.get(tool)

  const registry: LoafToolRegistry = {
    register: (tool) => registry.registerMany([tool]),
    registerMany(given) {
      const pairs = Array.from(given, pairOf)
      tools.registerMany(pairs.map(([tool]) => tool))
      for (const [tool, original] of pairs) documented.set(tool, original)
      return registry
    },
    unregister(name) {
      tools.unregister(name)
      return registry
    },
    get: (name) => shown(tools.get(name)),
    has: (name) => tools.has(name),
    list: () => tools.list().flatMap((tool) => shown(tool) ?? []),
    getModelManifest: () =>
      tools.getModelManifest().flatMap(({ name }) => {
        const tool = shown(tools.get(name))
        return tool ? [{ name, description: tool.description, inputSchema: tool.inputSchema }] : []
      }),
  }
  inner.set(registry, tools)
  return registry
}
