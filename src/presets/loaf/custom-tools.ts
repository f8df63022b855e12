import { type CustomToolManners, customTool } from '../../tools/custom/custom-tool.js'
import type { CustomToolFacts } from '../../tools/custom/describe.js'
import type { CustomToolsSettings } from '../../tools/custom/options.js'
import type { AnyTool, ToolTable } from '../../types/tool.js'
import { type FindCaller, toOurs } from './documented.js'
import type { LoafToolDefinition, LoafToolRegistry } from './types.js'

/** Creates a custom tool. As documented, such a tool does not validate its input, and values that JSON cannot represent become text. */
export function makeCustomTool(facts: CustomToolFacts, settings: CustomToolsSettings, caller?: FindCaller): AnyTool {
  const manners: CustomToolManners = { check: false, lossy: true, ...(caller && { caller }) }
  return customTool(facts, settings, manners)
}

/** Presents a documented registry to the code that creates tools. */
export function tableOf(registry: LoafToolRegistry, documented: (tool: AnyTool) => LoafToolDefinition, caller: FindCaller): ToolTable {
  const given = new WeakMap<AnyTool, LoafToolDefinition>()
  return {
    has: (name) => registry.has(name),
    get(name) {
      const definition = registry.get(name)
      if (!definition) return undefined
      const tool = toOurs(definition, caller)
      given.set(tool, definition)
      return tool
    },
    register: (tool) => registry.register(given.get(tool) ?? documented(tool)),
    unregister: (name) => registry.unregister(name),
  }
}
