import { createIndexedDbFs } from '../../adapters/indexeddb/index.js'
import type { MemoryFsOptions } from '../../adapters/memory/index.js'
import { createOpfs } from '../../adapters/opfs/index.js'
import type { QuickJsOptions } from '../../adapters/quickjs/index.js'
import type { CreateRuntimeOptions } from '../runtime/compose-runtime.js'
import { createRuntime } from '../runtime/create-runtime.js'
import type { ToolRuntime } from '../runtime/tool-runtime.js'
import type { FsAdapter } from '../types/fs.js'
import type { Quotas } from '../types/workspace.js'
import { type DefaultToolsOptions, defaultTools } from './shared/default-tools.js'
import { type JsOption, jsOf } from './shared/js-option.js'
import { memoryQuotas, memoryStorage } from './shared/memory-storage.js'
import { lazyQuickJs } from './shared/quickjs.js'
import { shellJs } from './shared/shell-js.js'
import { type ShellOption, shellOf } from './shared/shell-option.js'
import { type VirtualShellOptions, virtualShell } from './shared/virtual-shell.js'

export type { JsOption } from './shared/js-option.js'
export type { ShellOption } from './shared/shell-option.js'
export type { VirtualShellOptions } from './shared/virtual-shell.js'

/** Options of `createBrowserRuntime`. */
export interface BrowserRuntimeOptions
  extends Omit<CreateRuntimeOptions, 'fs' | 'workspace' | 'shell' | 'js'>,
    Pick<DefaultToolsOptions, 'webSearch' | 'jsTools' | 'customTools'> {
  /**
   * Where the files are. `memory` is lost on reload. `indexeddb` and `opfs` (one file each in the browser's own file system) survive a
   * reload; only one tab at a time can open them. Or pass your own storage.
   */
  readonly storage: 'memory' | 'indexeddb' | 'opfs' | FsAdapter
  /** The name of the workspace; required for `indexeddb` and `opfs`. All pages of the site share the workspace of this name. */
  readonly name?: string
  /** The initial files: maps paths to text or bytes. `indexeddb` and `opfs` write them when they open empty. */
  readonly files?: MemoryFsOptions['files']
  /**
   * Limits of the workspace. Default for `memory`: 256 MiB and 100,000 entries. For `indexeddb` and `opfs`: 1 GiB and 100,000 entries. For
   * your own storage: none.
   */
  readonly quotas?: Quotas
  /**
   * `true`: the virtual bash, which loads with the first command. `false`: no shell. Or pass options of the virtual bash, or another shell.
   * Default `true`. Commands of the virtual bash run in web workers, which never block the page. With `{ worker: false }`, or if no worker
   * can start, the commands run in the page.
   */
  readonly shell?: ShellOption<VirtualShellOptions>
  /**
   * Runs JavaScript. `true`: QuickJS, a sandbox (optional peers: docs/javascript.md), in web workers. `{ wasm }` sets the URL of the
   * engine's WebAssembly, which a page cannot find by itself. Or pass another adapter. QuickJS loads with the first program. With
   * JavaScript, the virtual bash has the commands `node` and `js`. Default: no JavaScript.
   */
  readonly js?: JsOption<QuickJsOptions>
}

/**
 * Creates a runtime with the standard tools (or `tools`, or `preset`) and a virtual bash in a page or a web worker. The workspace is
 * `/workspace`, unless `root` or the storage says otherwise.
 *
 * @throws TypeError for an unknown storage, a missing `name`, invalid `files`, and `files` with your own storage
 */
export function createBrowserRuntime(options: BrowserRuntimeOptions): ToolRuntime {
  const { storage: _, name: __, files: ___, shell = true, js: engine = false, ...others } = { ...options }
  const js = jsOf(engine, lazyQuickJs)
  return createRuntime({
    ...others,
    ...defaultTools(others),
    ...storageOf({ ...options }),
    js,
    shell: shellOf(shell, (own?: VirtualShellOptions) =>
      virtualShell({ worker: 'auto', ...own }, { commands: shellJs(js, others.jsTools) }),
    ),
  })
}

const GIB = 1024 ** 3

function storageOf({ storage, name, files, host, quotas }: BrowserRuntimeOptions): { fs: FsAdapter; quotas: Quotas | undefined } {
  if (storage === 'memory') return { fs: memoryStorage(files, host), quotas: quotas ?? memoryQuotas }
  if (storage === 'indexeddb' || storage === 'opfs') {
    if (!name) throw new TypeError(`Cannot create a runtime: "${storage}" needs a "name", under which it keeps the workspace`)
    const fs = storage === 'opfs' ? createOpfs({ name, ...(files && { files }) }) : indexedDbStorage(name, files, host)
    return { fs, quotas: quotas ?? { ...memoryQuotas, bytes: GIB } }
  }
  if (typeof storage === 'object' && storage !== null) {
    if (files !== undefined) throw new TypeError('Cannot create a runtime: "files" is not for a storage of your own; write them to it')
    return { fs: storage, quotas }
  }
  throw new TypeError(`Cannot create a runtime: there is no storage "${storage}". Pass "memory", "indexeddb", "opfs" or an FsAdapter`)
}

function indexedDbStorage(name: string, files: BrowserRuntimeOptions['files'], host: BrowserRuntimeOptions['host']): FsAdapter {
  return createIndexedDbFs({ name, ...(files && { files }), ...(host && { now: () => host.now() }) })
}
