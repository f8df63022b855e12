import type { MemoryFsOptions } from '../../adapters/memory/index.js'
import { type CreateRuntimeOptions, createRuntime } from '../runtime/create-runtime.js'
import type { ToolRuntime } from '../runtime/tool-runtime.js'
import type { FsAdapter } from '../types/fs.js'
import type { Quotas } from '../types/workspace.js'
import { type DefaultToolsOptions, defaultTools } from './shared/default-tools.js'
import { memoryQuotas, memoryStorage } from './shared/memory-storage.js'
import { type ShellOption, shellOf } from './shared/shell-option.js'
import { type VirtualShellOptions, virtualShell } from './shared/virtual-shell.js'

export type { ShellOption } from './shared/shell-option.js'
export type { VirtualShellOptions } from './shared/virtual-shell.js'

export interface BrowserRuntimeOptions
  extends Omit<CreateRuntimeOptions, 'fs' | 'workspace' | 'shell'>,
    Pick<DefaultToolsOptions, 'webSearch'> {
  /** `memory` keeps nothing; or a storage of your own. */
  readonly storage: 'memory' | FsAdapter
  /** Under which a durable storage keeps the workspace. Without meaning for `memory` and for a storage of your own. */
  readonly name?: string
  /** The first content of `memory`: path -> text or bytes. */
  readonly files?: MemoryFsOptions['files']
  /** Default for `memory` 256 MiB and 100,000 entries, for a storage of your own none. */
  readonly quotas?: Quotas
  /** `true`: the virtual bash, loaded with the first command; or its options; or another shell; `false`: none. Default `true`. */
  readonly shell?: ShellOption<VirtualShellOptions>
}

/**
 * The standard tools (or `tools`, or `preset`) in a page or a web worker, with a virtual bash. The workspace is `/workspace`, unless
 * `root` or the storage says otherwise.
 *
 * @throws TypeError for a storage that does not exist, and for `files` beside a storage of your own
 */
export function createBrowserRuntime({ storage, name: _, files, shell = true, webSearch, ...options }: BrowserRuntimeOptions): ToolRuntime {
  const inMemory = storage === 'memory'
  return createRuntime({
    ...options,
    ...defaultTools({ ...options, webSearch }),
    fs: inMemory ? memoryStorage(files, options.host) : ownStorage(storage, files),
    quotas: options.quotas ?? (inMemory ? memoryQuotas : undefined),
    shell: shellOf(shell, virtualShell),
  })
}

function ownStorage(storage: FsAdapter, files: BrowserRuntimeOptions['files']): FsAdapter {
  if (typeof storage !== 'object' || storage === null) {
    throw new TypeError(`Cannot create a runtime: there is no storage "${storage}". Pass "memory" or an FsAdapter`)
  }
  if (files !== undefined) throw new TypeError('Cannot create a runtime: "files" is for the storage "memory"; write them to your own')
  return storage
}
