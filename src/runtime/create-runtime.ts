import { createToolRegistry } from '../core/registry.js'
import { type CreateRuntimeOptions, composeRuntime } from './compose-runtime.js'
import type { ToolRuntime } from './tool-runtime.js'

/**
 * Creates a runtime with its own workspace, ports and tools. Opens nothing before the first call.
 * @throws TypeError for contradicting options; RegistryError for tools that cannot be registered
 */
export const createRuntime = (options: CreateRuntimeOptions = {}): ToolRuntime => composeRuntime(options, createToolRegistry)
