import { createDurableObjectFs, createDurableSessions, type DurableStorageLike, hasSqlite } from '../../adapters/cloudflare/index.js'
import type { MemoryFsOptions } from '../../adapters/memory/index.js'
import { required } from '../errors/required.js'
import { systemHost } from '../host.js'
import type { CreateRuntimeOptions } from '../runtime/compose-runtime.js'
import { createRuntime } from '../runtime/create-runtime.js'
import type { ToolRuntime } from '../runtime/tool-runtime.js'
import { checkOptions, createSessions } from '../sessions/index.js'
import type { FsAdapter } from '../types/fs.js'
import type { Sessions, SessionsOptions } from '../types/session.js'
import type { Quotas } from '../types/workspace.js'
import { type DefaultToolsOptions, defaultTools } from './shared/default-tools.js'
import { memoryStorage } from './shared/memory-storage.js'
import { shellJs } from './shared/shell-js.js'
import { type ShellOption, shellOf } from './shared/shell-option.js'
import { type VirtualShellOptions, virtualShell } from './shared/virtual-shell.js'
import { type WorkerJsOption, workerJs } from './shared/worker-js.js'

export type { ShellOption } from './shared/shell-option.js'
export type { VirtualShellOptions } from './shared/virtual-shell.js'
export type { WorkerJsOption, WorkerJsOptions } from './shared/worker-js.js'

/** The `ctx` of a Durable Object, as far as it is asked for. That of a Worker has no `storage`. */
export interface WorkerContext {
  waitUntil(promise: Promise<unknown>): void
  readonly storage?: DurableStorageLike
}

export interface WorkerRuntimeOptions
  extends Omit<CreateRuntimeOptions, 'fs' | 'workspace' | 'shell' | 'js'>,
    Pick<DefaultToolsOptions, 'webSearch' | 'jsTools' | 'customTools'> {
  /**
   * `durable`: the object's own SQLite, where the workspace stays when the object is evicted; `memory`: gone with the runtime; or a
   * storage of your own. Default `durable` where the object has SQLite, else `memory`.
   */
  readonly storage?: 'durable' | 'memory' | FsAdapter
  /** The first content: path -> text or bytes. Into `durable` it is written once, when the workspace is made. */
  readonly files?: MemoryFsOptions['files']
  /**
   * Default for `durable` 1 GiB and 100,000 entries, for `memory` 64 MiB (an isolate has 128 MB for everything) and as many, for a storage
   * of your own none.
   */
  readonly quotas?: Quotas
  /** `true`: the virtual bash, loaded with the first command; or its options; or another shell; `false`: none. Default `true`. */
  readonly shell?: ShellOption<VirtualShellOptions>
  /**
   * What runs JavaScript, in a sandbox: `{ wasm }`, imported from `toolport/adapters/quickjs/wasm`, is QuickJS in this isolate (optional
   * peers: docs/javascript.md), with at most 32 MiB for one program; `{ loader: env.LOADER }` makes a Worker for each program; or another
   * adapter. Default none. The virtual bash has the commands `node` and `js` then.
   */
  readonly js?: WorkerJsOption
}

const MIB = 1024 * 1024
const FILES = 100_000
const MEMORY_QUOTAS: Quotas = { bytes: 64 * MIB, files: FILES }
const DURABLE_QUOTAS: Quotas = { bytes: 1024 * MIB, files: FILES }
const SCRATCH_BYTES = 16 * MIB
/** Of one run of jq: an isolate has 128 MiB. */
const JQ_BYTES = 64 * MIB
/** The clock may stand still while a Worker's code runs. Then no deadline ends a loop, and the count of its commands has to. */
const COMMANDS = 1_000_000

/**
 * The standard tools (or `tools`, or `preset`) inside a Durable Object, with a virtual bash that runs at most a million commands a call.
 * The workspace is `/workspace`, unless `root` says otherwise.
 *
 * It is kept in `ctx.storage`, and there again after the object was evicted; of the background sessions, which an eviction ends, their
 * output is, and that they were lost (docs/sessions.md). Outside a Durable Object, and in one whose class is not named
 * in `new_sqlite_classes`, it lives in memory, as long as the runtime is held.
 *
 * @throws TypeError for `durable` where there is no SQLite, a storage that does not exist, `files` beside a storage of your own, and an
 * engine for JavaScript that is not given
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

/** The object's SQLite, where it is to be used and there. */
function durableOf(ctx: WorkerContext, storage: WorkerRuntimeOptions['storage']): DurableStorageLike | undefined {
  const mayUse = storage === undefined || storage === 'durable'
  return mayUse && ctx.storage && hasSqlite(ctx.storage) ? ctx.storage : undefined
}

/** Where the workspace stays when the object is evicted, what is known of its background sessions stays too. */
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
    // What has ended is read from its record.
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
