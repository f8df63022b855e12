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

export interface BrowserRuntimeOptions
  extends Omit<CreateRuntimeOptions, 'fs' | 'workspace' | 'shell' | 'js'>,
    Pick<DefaultToolsOptions, 'webSearch' | 'jsTools' | 'customTools'> {
  /**
   * `memory` keeps nothing; `indexeddb` and `opfs` (the browser's own file system, one file for each) are there again after a reload, and
   * open in one tab at a time; or a storage of your own.
   */
  readonly storage: 'memory' | 'indexeddb' | 'opfs' | FsAdapter
  /** Under which `indexeddb` and `opfs` keep the workspace, for all pages of the site. They need one. */
  readonly name?: string
  /** The first content: path -> text or bytes. Into `indexeddb` and `opfs` it is written when they are opened and hold nothing. */
  readonly files?: MemoryFsOptions['files']
  /** Default for `memory` 256 MiB and 100,000 entries, for `indexeddb` and `opfs` 1 GiB and as many, for a storage of your own none. */
  readonly quotas?: Quotas
  /**
   * `true`: the virtual bash, loaded with the first command; or its options; or another shell; `false`: none. Default `true`. Its commands
   * run in web workers, which never block the page; in the page where none can be started, or with `{ worker: false }`.
   */
  readonly shell?: ShellOption<VirtualShellOptions>
  /**
   * What runs JavaScript: QuickJS, a sandbox (optional peers: docs/javascript.md), in web workers. `{ wasm }` says where the engine's
   * WebAssembly is, which a page does not know by itself; or another adapter. It loads with the first program. Default none. The virtual bash has the commands `node` and `js` then.
   */
  readonly js?: JsOption<QuickJsOptions>
}

/**
 * The standard tools (or `tools`, or `preset`) in a page or a web worker, with a virtual bash. The workspace is `/workspace`, unless
 * `root` or the storage says otherwise.
 *
 * @throws TypeError for a storage that does not exist, one that needs a `name` and has none, `files` that cannot be, and `files` beside a
 * storage of your own
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
