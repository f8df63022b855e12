import type { MemoryFsOptions } from '../../adapters/memory/index.js'
import { type CreateRuntimeOptions, createRuntime } from '../runtime/create-runtime.js'
import type { ToolRuntime } from '../runtime/tool-runtime.js'
import type { Quotas } from '../types/workspace.js'
import { type DefaultToolsOptions, defaultTools } from './shared/default-tools.js'
import { memoryStorage } from './shared/memory-storage.js'
import { type ShellOption, shellOf } from './shared/shell-option.js'
import { type VirtualShellOptions, virtualShell } from './shared/virtual-shell.js'

export type { ShellOption } from './shared/shell-option.js'
export type { VirtualShellOptions } from './shared/virtual-shell.js'

/** The `ctx` of a Durable Object, as far as it is asked for. That of a Worker has the same. */
export interface WorkerContext {
  waitUntil(promise: Promise<unknown>): void
}

export interface WorkerRuntimeOptions
  extends Omit<CreateRuntimeOptions, 'fs' | 'workspace' | 'shell'>,
    Pick<DefaultToolsOptions, 'webSearch'> {
  /** The first content: path -> text or bytes. */
  readonly files?: MemoryFsOptions['files']
  /** Default 64 MiB and 100,000 entries: an isolate has 128 MB for everything. */
  readonly quotas?: Quotas
  /** `true`: the virtual bash, loaded with the first command; or its options; or another shell; `false`: none. Default `true`. */
  readonly shell?: ShellOption<VirtualShellOptions>
}

const MIB = 1024 * 1024
const QUOTAS: Quotas = { bytes: 64 * MIB, files: 100_000 }
const SCRATCH_BYTES = 16 * MIB
/** The clock may stand still while a Worker's code runs. Then no deadline ends a loop, and the count of its commands has to. */
const COMMANDS = 1_000_000

/**
 * The standard tools (or `tools`, or `preset`) inside a Durable Object, with a virtual bash that runs at most a million commands a call.
 * The workspace is `/workspace`, unless `root` says otherwise.
 *
 * It lives in memory, as long as the runtime is held: it is gone when the object is evicted. `ctx` is what a durable storage needs;
 * until there is one, nothing is asked of it.
 */
export function createWorkerRuntime(
  _ctx: WorkerContext,
  { files, shell = true, webSearch, ...options }: WorkerRuntimeOptions = {},
): ToolRuntime {
  return createRuntime({
    ...options,
    ...defaultTools({ ...options, webSearch }),
    fs: memoryStorage(files, options.host),
    quotas: options.quotas ?? QUOTAS,
    shell: shellOf(shell, workerShell),
  })
}

function workerShell(options: VirtualShellOptions = {}): ReturnType<typeof virtualShell> {
  return virtualShell({ ...options, limits: { ...options.limits, commands: options.limits?.commands ?? COMMANDS } }, SCRATCH_BYTES)
}
