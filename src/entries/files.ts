// The core with the file tools, for the smallest possible bundle.
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
 * Like `createRuntime` of `toolport`, but accepts only tools whose schemas provide their JSON Schema themselves: those of this package, of
 * zod 4 and of other libraries with Standard JSON Schema. Rejects plain JSON Schema and `zod/mini`, because code for them would double the
 * size of the bundle.
 */
export const createRuntime = (options: CreateRuntimeOptions = {}): ToolRuntime => composeRuntime(options, (own) => toolRegistry(own))
