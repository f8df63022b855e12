import type { Preset } from '../types/preset.js'
import type { LoafOptions } from './loaf/options.js'
import { families, manners } from './loaf/preset.js'

export type { LoadedCustomTools } from '../tools/custom/load.js'
export type { CreateLoafOptions, Loaf } from './loaf/create-loaf.js'
export { createLoaf } from './loaf/create-loaf.js'
export type { LoafExaOptions, LoafOptions } from './loaf/options.js'
export type { PersistentToolOptions } from './loaf/persistent-tool.js'
export type {
  LoafInputSchema,
  LoafManifestEntry,
  LoafToolCall,
  LoafToolContext,
  LoafToolDefinition,
  LoafToolInput,
  LoafToolRegistry,
  LoafToolResult,
  LoafToolRuntime,
} from './loaf/types.js'

/**
 * Creates the preset with `bash`, `read_file`, `list_dir`, `grep_files`, `apply_patch`, `run_js` and related tools, and with the option
 * `exa` also `search_web`. `toWire` returns `{ok, output, error?}`. `createLoaf` offers the same tools through the documented registry and
 * runtime.
 *
 * @throws {TypeError} for an invalid Exa URL, and for invalid options of JavaScript
 */
export function loaf(options: LoafOptions = {}): Preset {
  const { bash, files, js, exa } = families(options)
  return { ...manners, tools: [...bash, ...files, ...js, ...exa] }
}
