import {
  createDurableObjectFs,
  createDurableSessions,
  createWorkerLoaderJs,
  type DurableStorageLike,
  hasSqlite,
  type WorkerLoaderJsOptions,
} from '../../adapters/cloudflare/index.js'
import type { MemoryFsOptions } from '../../adapters/memory/index.js'
import type { EngineSource, QuickJsOptions } from '../../adapters/quickjs/index.js'
import { required } from '../errors/required.js'
import { systemHost } from '../host.js'
import type { CreateRuntimeOptions, PortOption } from '../runtime/compose-runtime.js'
import { createRuntime } from '../runtime/create-runtime.js'
import type { ToolRuntime } from '../runtime/tool-runtime.js'
import { checkOptions, createSessions } from '../sessions/index.js'
import type { FsAdapter } from '../types/fs.js'
import type { JsAdapter } from '../types/js.js'
import type { Sessions, SessionsOptions } from '../types/session.js'
import type { Quotas } from '../types/workspace.js'
import { type DefaultToolsOptions, defaultTools } from './shared/default-tools.js'
import { jsOf } from './shared/js-option.js'
import { memoryStorage } from './shared/memory-storage.js'
import { lazyQuickJs } from './shared/quickjs.js'
import { shellJs } from './shared/shell-js.js'
import { type ShellOption, shellOf } from './shared/shell-option.js'
import { type VirtualShellOptions, virtualShell } from './shared/virtual-shell.js'

export type { ShellOption } from './shared/shell-option.js'
export type { VirtualShellOptions } from './shared/virtual-shell.js'

/** The `ctx` of a Worker or Durable Object. The `ctx` of a Worker has no `storage`. */
export interface WorkerContext {
  waitUntil(promise: Promise<unknown>): void
  readonly storage?: DurableStorageLike
}

/** Options of `createWorkerRuntime`. */
export interface WorkerRuntimeOptions
  extends Omit<CreateRuntimeOptions, 'fs' | 'workspace' | 'shell' | 'js'>,
    Pick<DefaultToolsOptions, 'webSearch' | 'jsTools' | 'customTools'> {
  /**
   * Where the files are. `durable`: in the SQLite of the Durable Object, which survives evictions. `memory`: in memory, lost with the
   * runtime. Or pass your own storage. Default `durable` if the object has SQLite, else `memory`.
   */
  readonly storage?: 'durable' | 'memory' | FsAdapter
  /** The initial files: maps paths to text or bytes. `durable` writes them once, when it creates the workspace. */
  readonly files?: MemoryFsOptions['files']
  /**
   * Limits of the workspace. Default for `durable`: 1 GiB and 100,000 entries. For `memory`: 64 MiB (an isolate has 128 MB in all) and
   * 100,000 entries. For your own storage: none.
   */
  readonly quotas?: Quotas
  /**
   * `true`: the virtual bash, which loads with the first command. `false`: no shell. Or pass options of the virtual bash, or another shell.
   * Default `true`.
   */
  readonly shell?: ShellOption<VirtualShellOptions>
  /**
   * Runs JavaScript in a sandbox. `{ wasm }`, imported from `toolport/adapters/quickjs/wasm`, is QuickJS in this isolate (optional peers:
   * docs/javascript.md), with at most 32 MiB per program. `{ loader: env.LOADER }` creates a Worker per program. Or pass another adapter.
   * With JavaScript, the virtual bash has the commands `node` and `js`. Default: no JavaScript.
   */
  readonly js?: WorkerJsOption
}

const MIB = 1024 * 1024
const FILES = 100_000
const MEMORY_QUOTAS: Quotas = { bytes: 64 * MIB, files: FILES }
const DURABLE_QUOTAS: Quotas = { bytes: 1024 * MIB, files: FILES }
const SCRATCH_BYTES = 16 * MIB
/** Memory limit of one run of jq in bytes, because an isolate has only 128 MiB. */
const JQ_BYTES = 64 * MIB
/**
 * Maximum number of commands per call. The clock may stand still while a Worker's code runs, so a deadline may never end a loop; this limit
 * does.
 */
const COMMANDS = 1_000_000

/**
 * Creates a runtime with the standard tools (or `tools`, or `preset`) inside a Durable Object or a Worker. The virtual bash runs at most a
 * million commands per call. The workspace is `/workspace`, unless `root` sets another path.
 *
 * `ctx.storage` keeps the workspace, so the files survive evictions. An eviction ends background sessions; their output stays, and their
 * state becomes `lost` (docs/sessions.md). Outside a Durable Object, and in an object whose class is not listed in `new_sqlite_classes`,
 * the workspace is in memory and lives as long as the runtime.
 *
 * @throws TypeError for `durable` without SQLite, an unknown storage, `files` with your own storage, and `js` without an engine
 */
export function createWorkerRuntime(
  ctx: WorkerContext,
  { storage, files, shell = true, js: engine = false, ...options }: WorkerRuntimeOptions = {},
): ToolRuntime {
  required('createWorkerRuntime', 'the context of the Worker or Durable Object', ctx)
  const js = workerJs(engine)
  return createRuntime({
    ...options,
    ...defaultTools(options),
    ...storageOf(ctx, storage, files, options),
    sessions: sessionsOf(ctx, storage, options),
    js,
    shell: shellOf(shell, (own?: VirtualShellOptions) => workerShell(own, shellJs(js, options.jsTools))),
  })
}

function storageOf(
  ctx: WorkerContext,
  storage: WorkerRuntimeOptions['storage'],
  files: WorkerRuntimeOptions['files'],
  { host, quotas }: WorkerRuntimeOptions,
): { fs: FsAdapter; quotas: Quotas | undefined } {
  if (typeof storage === 'object' && storage !== null) return { fs: ownStorage(storage, files), quotas }
  if (storage !== undefined && storage !== 'durable' && storage !== 'memory') {
    throw new TypeError(`Cannot create a runtime: there is no storage "${storage}". Pass "durable", "memory" or an FsAdapter`)
  }
  const durable = durableOf(ctx, storage)
  if (durable) {
    const fs = createDurableObjectFs({ storage: durable, ...(files && { files }), ...(host && { now: () => host.now() }) })
    return { fs, quotas: quotas ?? DURABLE_QUOTAS }
  }
  if (storage === 'durable') {
    throw new TypeError('Cannot create a runtime: "durable" needs the ctx of a Durable Object whose class is named in "new_sqlite_classes"')
  }
  return { fs: memoryStorage(files, host), quotas: quotas ?? MEMORY_QUOTAS }
}

/** Returns the storage of the Durable Object if it has SQLite and `storage` selects it. */
function durableOf(ctx: WorkerContext, storage: WorkerRuntimeOptions['storage']): DurableStorageLike | undefined {
  const mayUse = storage === undefined || storage === 'durable'
  return mayUse && ctx.storage && hasSqlite(ctx.storage) ? ctx.storage : undefined
}

/** Returns background sessions whose records survive an eviction, if the workspace does. Otherwise returns the option as passed. */
function sessionsOf(
  ctx: WorkerContext,
  storage: WorkerRuntimeOptions['storage'],
  { sessions = {}, host = systemHost }: WorkerRuntimeOptions,
): Sessions | SessionsOptions {
  const durable = durableOf(ctx, storage)
  if (!durable || 'start' in sessions) return sessions
  checkOptions(sessions)
  const { keepEnded, ...others } = sessions
  return createDurableSessions({
    storage: durable,
    host,
    ...(keepEnded !== undefined && { keepEnded }),
    // The durable table reads ended sessions from their records, so this table keeps none.
    create: (isTaken) => createSessions(host, { ...others, keepEnded: 0 }, isTaken),
  })
}

function ownStorage(storage: FsAdapter, files: WorkerRuntimeOptions['files']): FsAdapter {
  if (files !== undefined) throw new TypeError('Cannot create a runtime: "files" is not for a storage of your own; write them to it')
  return storage
}

function workerShell(options: VirtualShellOptions | undefined, commands: ReturnType<typeof shellJs>): ReturnType<typeof virtualShell> {
  const limits = { ...options?.limits, commands: options?.limits?.commands ?? COMMANDS }
  const jq = { memoryBytes: JQ_BYTES, ...options?.jq }
  return virtualShell({ ...options, limits, jq }, { scratchBytes: SCRATCH_BYTES, commands })
}

/** QuickJS in the Worker's own isolate. */
export interface WorkerJsOptions extends Omit<QuickJsOptions, 'worker'> {
  /** The module from `import wasm from 'toolport/adapters/quickjs/wasm'`. Workers compile only WebAssembly that they import. */
  readonly wasm: EngineSource
  /** Memory limit of one program in bytes, including the engine's own 16 MiB. Default 32 MiB, because an isolate has 128 MB in all. */
  readonly memoryBytes?: number
  /**
   * Maximum computation of one program, in units of 10,000 jumps and calls. Default 20,000 units (200 million jumps and calls). A deadline
   * is not enough, because the clock may stand still while code runs.
   */
  readonly fuel?: number
}

/** The option `js` of `createWorkerRuntime`. */
export type WorkerJsOption = false | WorkerJsOptions | WorkerLoaderJsOptions | PortOption<JsAdapter>

const DEFAULTS = { memoryBytes: 32 * 1024 * 1024, fuel: 20_000, worker: false } as const

/** @throws TypeError for options without an engine */
function workerJs(option: WorkerJsOption): PortOption<JsAdapter> | undefined {
  return jsOf<WorkerJsOptions | WorkerLoaderJsOptions>(option, createJs)
}

function createJs(options?: WorkerJsOptions | WorkerLoaderJsOptions): PortOption<JsAdapter> {
  if (options && 'loader' in options && options.loader) return createWorkerLoaderJs(options)
  if (options && 'wasm' in options && options.wasm) return lazyQuickJs({ ...DEFAULTS, ...options })
  throw new TypeError(
    `Cannot create a runtime: a Worker has to be given what runs JavaScript. Pass js: { wasm }, with import wasm from 'toolport/adapters/quickjs/wasm', or js: { loader: env.LOADER }, where there is that binding`,
  )
}
