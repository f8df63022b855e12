import { createJsWorker, createNodeFs, createNodeShell, type NodeShellOptions } from '../../adapters/node/index.js'
import type { QuickJsOptions } from '../../adapters/quickjs/index.js'
import type { CreateRuntimeOptions } from '../runtime/compose-runtime.js'
import { createRuntime } from '../runtime/create-runtime.js'
import type { ToolRuntime } from '../runtime/tool-runtime.js'
import { type DefaultToolsOptions, defaultTools } from './shared/default-tools.js'
import { type JsOption, jsOf } from './shared/js-option.js'
import { lazyQuickJs } from './shared/quickjs.js'
import { type ShellOption, shellOf } from './shared/shell-option.js'

export type { JsOption } from './shared/js-option.js'

export interface NodeRuntimeOptions
  extends Omit<CreateRuntimeOptions, 'fs' | 'workspace' | 'root' | 'shell' | 'js'>,
    Pick<DefaultToolsOptions, 'webSearch' | 'jsTools' | 'customTools'> {
  /** The directory to work in. */
  readonly root: string
  /** What that directory is called in paths; default its own real path. */
  readonly virtualRoot?: string
  /** `true`: a real shell of this machine, which neither rules nor quotas bind (docs/security.md); or its options; or another shell. Default none. */
  readonly shell?: ShellOption<NodeShellOptions>
  /**
   * What runs JavaScript. `true`: QuickJS, a sandbox (optional peers: docs/javascript.md), in worker threads, which never block this one;
   * or its options; or another adapter, such as `createNodeJs()` for code that is trusted. Default none.
   */
  readonly js?: JsOption<QuickJsOptions>
}

/** The standard tools (or `tools`, or `preset`) on a directory of this machine. */
export function createNodeRuntime(given: NodeRuntimeOptions): ToolRuntime {
  const { root, virtualRoot, shell = false, js = false, ...options } = { ...given }
  return createRuntime({
    ...options,
    ...defaultTools(options),
    fs: createNodeFs({ root }),
    shell: shellOf(shell, createNodeShell),
    js: jsOf(js, nodeQuickJs),
    ...(virtualRoot !== undefined && { root: virtualRoot }),
  })
}

const nodeQuickJs = (options: QuickJsOptions = {}): ReturnType<typeof lazyQuickJs> =>
  lazyQuickJs({ worker: () => createJsWorker(), ...options })
