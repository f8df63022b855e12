import { createJsWorker, createNodeFs, createNodeShell, type NodeShellOptions } from '../../adapters/node/index.js'
import type { QuickJsOptions } from '../../adapters/quickjs/index.js'
import type { CreateRuntimeOptions } from '../runtime/compose-runtime.js'
import { createRuntime } from '../runtime/create-runtime.js'
import type { ToolRuntime } from '../runtime/tool-runtime.js'
import { type DefaultToolsOptions, defaultTools } from './shared/default-tools.js'
import { type JsOption, jsOf } from './shared/js-option.js'
import { lazyQuickJs } from './shared/quickjs.js'
import { type ShellOption, shellOf } from './shared/shell-option.js'

export type { PreviewServer, ServePreviewOptions } from './preview/serve-preview.js'
export { servePreview } from './preview/serve-preview.js'
export type { JsOption } from './shared/js-option.js'

/** Options of `createNodeRuntime`. Only `root` is required. */
export interface NodeRuntimeOptions
  extends Omit<CreateRuntimeOptions, 'fs' | 'workspace' | 'root' | 'shell' | 'js'>,
    Pick<DefaultToolsOptions, 'webSearch' | 'jsTools' | 'customTools'> {
  /** The directory on this machine that the tools work in. */
  readonly root: string
  /** The name of the root directory in virtual paths. Default: the real path of the directory. */
  readonly virtualRoot?: string
  /**
   * `true`: a real shell of this machine, which path rules and quotas do not restrict (docs/security.md). Or pass options of the real
   * shell, or another shell. Default: no shell.
   */
  readonly shell?: ShellOption<NodeShellOptions>
  /**
   * Runs JavaScript. `true`: QuickJS, a sandbox (optional peers: docs/javascript.md), in worker threads, which never block the thread of
   * the runtime. Or pass options of QuickJS, or another adapter, such as `createNodeJs()` for trusted code. Default: no JavaScript.
   */
  readonly js?: JsOption<QuickJsOptions>
}

/** Creates a runtime with the standard tools (or `tools`, or `preset`) over a directory of this machine. */
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
