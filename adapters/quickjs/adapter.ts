import { names } from '#quickjs-guest'
import { createModuleLoader, type ModuleLoader } from '../../src/packages/modules/index.js'
import type { JsAdapter, JsGrants, JsProgram } from '../../src/types/js.js'
import type { Workspace } from '../../src/types/workspace.js'
import { checkMemory } from '../shared/js/check-memory.js'
import { createPrograms } from '../shared/js/programs.js'
import type { BeginProgram } from '../shared/js/run-program.js'
import { reachesFiles, sourceOf } from '../shared/js/source-of.js'
import { stripTypes } from '../shared/js/strip-types.js'
import { takeSnapshot } from '../shared/js/take-snapshot.js'
import { engineModule } from './engine/wasm.js'
import { createHosts } from './hosts.js'
import type { Job } from './job.js'
import type { QuickJsOptions } from './options.js'
import { createServices } from './services.js'

/** JavaScript in an engine of its own: `createRuntime({ js: createQuickJs() })`. A program reaches nothing but what it is granted. */
export function createQuickJs(options: QuickJsOptions = {}): (workspace: Workspace) => JsAdapter {
  return (workspace) => {
    const hosts = createHosts(options)
    const programs = createPrograms()
    const begin: BeginProgram = async (program, stdin, output, timeoutMs) => {
      const began = performance.now()
      const turns = options.turns?.()
      const { job, grants, loader } = await prepare(workspace, options, program, stdin, program.signal)
      programs.checkOpen()
      const left = timeoutMs === undefined ? {} : { timeoutMs: Math.max(0, timeoutMs - (performance.now() - began)) }
      const over = new AbortController()
      const halt = new AbortController()
      const services = createServices({ workspace, loader, grants, signal: over.signal, halted: halt.signal })
      const started = await hosts.start({ job: { ...job, ...left }, services, turns, output })
      const end = (): void => {
        over.abort()
        halt.abort()
      }
      started.ended.then(end, end)
      return programs.keep({
        ended: started.ended,
        push: (event) => ('signal' in event ? started.signal(event.signal) : started.events.push(event)),
        stop(reason) {
          halt.abort()
          started.stop(reason)
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

function moduleLoader(workspace: Workspace, { conditions, transform = stripTypes }: QuickJsOptions): ModuleLoader {
  return createModuleLoader(workspace, { builtins: new Set(names), transform, ...(conditions && { conditions }) })
}

/** Reads all that a program needs to begin. @throws {InputError}, {FsError}, {WorkspaceError} */
async function prepare(
  workspace: Workspace,
  options: QuickJsOptions,
  program: JsProgram,
  stdin: Job['stdin'],
  signal?: AbortSignal,
): Promise<Prepared> {
  const memoryBytes = program.memoryBytes ?? options.memoryBytes ?? DEFAULT_MEMORY
  checkMemory(memoryBytes)
  const loader = moduleLoader(workspace, options)
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
    grants: { fs, fetch: grants.fetch !== undefined, invokeTool: grants.invokeTool !== undefined },
    ...(snapshot && { snapshot }),
  }
  return { job, grants, loader }
}
