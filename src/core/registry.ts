import { everySchema } from './every-schema.js'
import { type ToolRegistry, type ToolRegistryOptions, toolRegistry } from './tool-registry.js'

/** An empty registry. `available`: the ports that its manifest counts on. */
export const createToolRegistry = (options: ToolRegistryOptions = {}): ToolRegistry => toolRegistry(options, everySchema)
