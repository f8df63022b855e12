import { JsError } from '../../src/errors/index.js'
import { createModuleLoader, type ModuleLoader } from '../../src/packages/modules/index.js'
import type { JsAdapter, JsGrants, JsProgram } from '../../src/types/js.js'
import type { ShellOutput } from '../../src/types/shell.js'
import type { Workspace } from '../../src/types/workspace.js'
import { applyChanges } from '../shared/js/apply-changes.js'
import { checkMemory } from '../shared/js/check-memory.js'
import { answerLive } from '../shared/js/live-files.js'
import { toolCallOf } from '../shared/js/parsed.js'
import { reachesFiles, sourceOf } from '../shared/js/program-source.js'
import { createPrograms } from '../shared/js/programs.js'
import { responseHeaders } from '../shared/js/response-headers.js'
import type { BeginProgram } from '../shared/js/run-program.js'
import type { Serving } from '../shared/js/serving.js'
import { stripTypes } from '../shared/js/strip-types.js'
import { takeSnapshot } from '../shared/js/take-snapshot.js'
import { hasWorkers, type WorkerLike } from '../shared/worker/worker-like.js'
import { engineModule } from './engine/wasm.js'
import { createJsPool } from './hosted/pool.js'
import { startHosted } from './hosted/start.js'
import type { Running, StartOptions } from './in-thread.js'
import type { FetchAnswer, Job, Services } from './job.js'
import type { QuickJsOptions } from './options.js'

/** Runs JavaScript programs in QuickJS, a sandbox: `createRuntime({ js: createQuickJs() })`. A program can use only what it is granted. */
export function createQuickJs(options: QuickJsOptions = {}): (workspace: Workspace) => JsAdapter {
  return (workspace) => {
    const hosts = createHosts(options)
    const programs = createPrograms()
    const begin: BeginProgram = async (program, stdin, output, timeoutMs) => {
      const began = performance.now()
      const turns = options.turns?.()
      const { job, grants, loader } = await prepare(workspace, options, program, stdin, program.signal)
      const left = timeoutMs === undefined ? {} : { timeoutMs: Math.max(0, timeoutMs - (performance.now() - began)) }
      const over = new AbortController()
      const halt = new AbortController()
      let tell: Running['events']['push'] = () => undefined
      const { createServing } = await loadChunk(import('../shared/js/serving.js'))
      programs.checkOpen()
      const serving = createServing(grants.servers, (event) => tell({ server: event }))
      const services = createServices({ workspace, loader, grants, serving, signal: over.signal, halted: halt.signal })
      const told = (piece: ShellOutput): void => {
        serving.heard(piece)
        output(piece)
      }
      const started = await hosts.start({ job: { ...job, ...left }, services, turns, output: told })
      tell = (event) => started.events.push(event)
      const end = (): void => {
        over.abort()
        halt.abort()
        serving.end()
      }
      started.ended.then(end, end)
      return programs.keep({
        ended: started.ended,
        push: (event) => ('signal' in event ? started.signal(event.signal) : started.events.push(event)),
        stop(reason) {
          halt.abort()
          started.stop(reason)
          serving.end()
        },
      })
    }
    return {
      name: 'quickjs',
      can: {
        get hardKill() {
          return hosts.hardKill
        },
        memoryCap: true,
        nodeApi: false,
        isolated: true,
      },
      async open() {
        programs.checkOpen()
        await engineModule(options.wasm)
        await hosts.open()
      },
      run: (given) => programs.run(given, begin),
      spawn: (program) => programs.spawn(program, begin),
      async close() {
        await programs.close()
        await hosts.close()
      },
    }
  }
}

const MIB = 2 ** 20
const DEFAULT_MEMORY = 64 * MIB
const EXECUTABLE = '/usr/local/bin/node'

interface Prepared {
  readonly job: Job
  readonly grants: JsGrants
  readonly loader: ModuleLoader
}

const loadChunk = <T>(chunk: Promise<T>): Promise<T> =>
  chunk.catch((cause: unknown) => {
    throw new JsError('unavailable', 'QuickJS does not load', { cause })
  })

async function moduleLoader(workspace: Workspace, { conditions, transform = stripTypes }: QuickJsOptions): Promise<ModuleLoader> {
  const { names } = await loadChunk(import('#quickjs-guest'))
  return createModuleLoader(workspace, { builtins: new Set(names), transform, ...(conditions && { conditions }) })
}

/** Reads everything that a program needs to start. @throws {InputError}, {FsError}, {WorkspaceError} */
async function prepare(
  workspace: Workspace,
  options: QuickJsOptions,
  program: JsProgram,
  stdin: Job['stdin'],
  signal?: AbortSignal,
): Promise<Prepared> {
  const memoryBytes = program.memoryBytes ?? options.memoryBytes ?? DEFAULT_MEMORY
  checkMemory(memoryBytes)
  const loader = await moduleLoader(workspace, options)
  const grants = { ...options.grants, ...program.grants }
  const cwd = workspace.resolve(program.cwd ?? workspace.cwd)
  const graph = await loader.load(sourceOf(program), { cwd, ...(signal && { signal }) })
  const fs = grants.fs ?? 'write'
  const snapshot = fs === 'none' || !reachesFiles(graph) ? undefined : await takeSnapshot(workspace, options.snapshot ?? {}, signal)
  const { host } = workspace
  const job: Job = {
    graph,
    cwd: await workspace.realpath(cwd),
    root: workspace.root,
    argv: [EXECUTABLE, graph.entry, ...(program.args ?? [])],
    env: { ...options.env, ...program.env },
    stdin,
    now: host.now(),
    seed: Array.from({ length: 4 }, () => Math.floor(host.random() * 2 ** 32)),
    memoryBytes,
    ...(options.stackBytes !== undefined && { stackBytes: options.stackBytes }),
    ...(options.fuel !== undefined && { fuel: options.fuel }),
    grants: { fs, fetch: grants.fetch !== undefined, servers: grants.servers !== undefined, invokeTool: grants.invokeTool !== undefined },
    ...(snapshot && { snapshot }),
  }
  return { job, grants, loader }
}

/** Runs programs in workers or in this thread. */
interface Hosts {
  readonly hardKill: boolean
  open(): Promise<void>
  /** @throws {JsError} unavailable */
  start(options: StartOptions): Promise<Running>
  close(): Promise<void>
}

function createHosts({ worker = 'auto', wasm }: QuickJsOptions): Hosts {
  const here: Hosts = {
    hardKill: false,
    open: async () => undefined,
    start: async (options) => (await loadChunk(import('./in-thread.js'))).startHere(wasm, options),
    close: async () => undefined,
  }
  if (worker === false || (worker === 'auto' && !hasWorkers())) return here
  const pool = createJsPool(typeof worker === 'function' ? worker : startOwnWorker, wasm)
  let failed = false
  const hosted: Hosts = {
    hardKill: true,
    async open() {
      pool.give(await pool.take())
    },
    start: async (options) => startHosted(pool, options),
    close: () => pool.close(),
  }
  if (worker !== 'auto') return hosted
  // If the server does not deliver the worker script, programs run in this thread.
  const tried = async <T>(there: () => Promise<T>, instead: () => Promise<T>): Promise<T> => {
    if (failed) return instead()
    try {
      return await there()
    } catch (error) {
      if (pool.hasStarted || pool.isClosed) throw error
      failed = true
      return instead()
    }
  }
  return {
    get hardKill() {
      return !failed
    },
    open: () => tried(hosted.open, here.open),
    start: (options) =>
      tried(
        () => hosted.start(options),
        () => here.start(options),
      ),
    close: hosted.close,
  }
}

// Bundlers recognise exactly this expression.
const startOwnWorker = (): WorkerLike => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })

interface ServicesOptions {
  readonly workspace: Workspace
  readonly loader: ModuleLoader
  readonly grants: JsGrants
  readonly serving: Serving
  /** Aborts when the program has ended. */
  readonly signal: AbortSignal
  /** Aborts when the program is told to stop or has ended. After that, no more changes are written. */
  readonly halted: AbortSignal
}

/** Creates the services that the host provides to one program. */
function createServices({ workspace, loader, grants, serving, signal, halted }: ServicesOptions): Services {
  const during = createDuring(signal)
  const kept = new Set<string>()
  return {
    async extend(specifier, from, graph) {
      const { resolution, added } = await during((own) => loader.extend(graph, specifier, from, 'import', { signal: own }))
      return { resolution, added }
    },
    file: (question) => answerLive(workspace, question),
    flush: (changes) => applyChanges(workspace, changes, grants.fs ?? 'write', halted, kept),
    async fetch(request, body): Promise<FetchAnswer> {
      const fetch = serving.reaches(request.url) ? serving : grants.fetch
      if (!fetch) throw serving.unreachable(request.url)
      return during(async (own) => {
        const { url, method, headers } = request
        const response = await fetch.fetch({ url, method, headers, signal: own, ...(body && { body }) })
        const bytes = new Uint8Array(await response.arrayBuffer())
        return { status: response.status, headers: responseHeaders(response.headers), bytes, ...(fetch === serving && { packed: true }) }
      })
    },
    server: (question, bytes) => serving.ask(question, bytes),
    async invokeTool(call) {
      const { invokeTool } = grants
      if (!invokeTool) throw new Error('invokeTool is not granted to this program')
      const [name, input] = toolCallOf(call)
      return during((own) => invokeTool(name, input, { signal: own }))
    },
  }
}

/** Gives each call a signal of its own, because Node warns about many listeners on one signal. */
function createDuring(signal: AbortSignal): <T>(work: (own: AbortSignal) => Promise<T>) => Promise<T> {
  const running = new Set<AbortController>()
  signal.addEventListener('abort', () => {
    for (const one of running) one.abort(signal.reason)
  })
  return async (work) => {
    const own = new AbortController()
    if (signal.aborted) own.abort(signal.reason)
    running.add(own)
    try {
      return await work(own.signal)
    } finally {
      running.delete(own)
    }
  }
}
