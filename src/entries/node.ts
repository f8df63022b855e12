import { createNodeFs, createNodeShell, type NodeShellOptions } from '../../adapters/node/index.js'
import { type CreateRuntimeOptions, createRuntime } from '../runtime/create-runtime.js'
import type { ToolRuntime } from '../runtime/tool-runtime.js'
import { type DefaultToolsOptions, defaultTools } from './shared/default-tools.js'
import { type ShellOption, shellOf } from './shared/shell-option.js'

export interface NodeRuntimeOptions
  extends Omit<CreateRuntimeOptions, 'fs' | 'workspace' | 'root' | 'shell'>,
    Pick<DefaultToolsOptions, 'webSearch' | 'jsTools'> {
  /** The directory to work in. */
  readonly root: string
  /** What that directory is called in paths; default its own real path. */
  readonly virtualRoot?: string
  /** `true`: a real shell of this machine, which neither rules nor quotas bind (docs/security.md); or its options; or another shell. Default none. */
  readonly shell?: ShellOption<NodeShellOptions>
}

/** The standard tools (or `tools`, or `preset`) on a directory of this machine. */
export function createNodeRuntime({ root, virtualRoot, shell = false, webSearch, jsTools, ...options }: NodeRuntimeOptions): ToolRuntime {
  return createRuntime({
    ...options,
    ...defaultTools({ ...options, webSearch, jsTools }),
    fs: createNodeFs({ root }),
    shell: shellOf(shell, createNodeShell),
    ...(virtualRoot !== undefined && { root: virtualRoot }),
  })
}
