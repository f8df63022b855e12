import { createToolRegistry } from '../core/registry.js'
import { type CreateRuntimeOptions, composeRuntime } from './compose-runtime.js'
import type { ToolRuntime } from './tool-runtime.js'

/**
 * A runtime with a workspace, ports and tools of its own. Nothing is opened before the first call.
 * @throws TypeError for options that contradict each other; RegistryError for tools that cannot be registered
 */
export const createRuntime = (options: CreateRuntimeOptions = {}): ToolRuntime => composeRuntime(options, createToolRegistry)
