import { createNodeFs } from '../../adapters/node/index.js'
import { standard } from '../presets/standard.js'
import { type CreateRuntimeOptions, createRuntime } from '../runtime/create-runtime.js'
import type { ToolRuntime } from '../runtime/tool-runtime.js'

export interface NodeRuntimeOptions extends Omit<CreateRuntimeOptions, 'fs' | 'workspace' | 'root'> {
  /** The directory to work in. */
  readonly root: string
  /** What that directory is called in paths; default its own real path. */
  readonly virtualRoot?: string
}

/** The standard tools (or `tools`, or `preset`) on a directory of this machine. */
export function createNodeRuntime({ root, virtualRoot, ...options }: NodeRuntimeOptions): ToolRuntime {
  const chosen = options.tools || options.preset ? {} : { preset: standard() }
  return createRuntime({ ...chosen, ...options, fs: createNodeFs({ root }), ...(virtualRoot !== undefined && { root: virtualRoot }) })
}
