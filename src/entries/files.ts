// The core with the file tools: what starts in a bundle is as little as goes.
import { toolRegistry } from '../core/tool-registry.js'
import { type CreateRuntimeOptions, composeRuntime } from '../runtime/compose-runtime.js'
import type { ToolRuntime } from '../runtime/tool-runtime.js'

export { defineTool, reply } from '../core/define-tool.js'
export { toModelText } from '../core/result.js'
export { applyPatch } from '../tools/files/apply-patch.js'
export { deleteFile } from '../tools/files/delete-file.js'
export { editFile } from '../tools/files/edit-file.js'
export { fileTools } from '../tools/files/index.js'
export { moveFile } from '../tools/files/move-file.js'
export { readFile } from '../tools/files/read-file.js'
export { writeFile } from '../tools/files/write-file.js'

/**
 * As `createRuntime` of `toolport`, for tools whose schemas tell their JSON Schema themselves: those of this package, of zod 4 and of other
 * libraries with Standard JSON Schema. Plain JSON Schema and schemas of `zod/mini` are refused: what reads them would be half of the bundle.
 */
export const createRuntime = (options: CreateRuntimeOptions = {}): ToolRuntime => composeRuntime(options, (own) => toolRegistry(own))
