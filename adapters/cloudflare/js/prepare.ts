import { createModuleLoader, type LoadedModule, type ModuleGraph, type ModuleLoader } from '../../../src/packages/modules/index.js'
import type { JsGrants, JsProgram } from '../../../src/types/js.js'
import type { Workspace } from '../../../src/types/workspace.js'
import { reachesFiles, sourceOf } from '../../shared/js/program-source.js'
import type { Snapshot } from '../../shared/js/snapshot.js'
import { stripTypes } from '../../shared/js/strip-types.js'
import { takeSnapshot } from '../../shared/js/take-snapshot.js'
import { BUILTINS, type ModuleRow, programCode } from './code.js'
import type { Job } from './job.js'
import type { WorkerLoaderJsOptions } from './options.js'
import { MAX_WRITTEN } from './pieces.js'
import type { WorkerCode } from './worker-loader-like.js'

const EXECUTABLE = '/usr/local/bin/node'
/** Memory of an isolate on the platform, in bytes. */
const MEMORY = 128 * 2 ** 20

export interface Prepared {
  readonly job: Job
  readonly modules: WorkerCode['modules']
  readonly snapshot: Snapshot | undefined
  readonly graph: ModuleGraph
  readonly grants: JsGrants
  readonly loader: ModuleLoader
}

/** Reads all modules and files that a program needs. @throws {InputError}, {FsError}, {WorkspaceError} */
export async function prepare(
  workspace: Workspace,
  options: WorkerLoaderJsOptions,
  program: JsProgram,
  stdin: Job['stdin'],
  signal?: AbortSignal,
): Promise<Prepared> {
  const { conditions, transform = stripTypes } = options
  const loader = createModuleLoader(workspace, { builtins: new Set(BUILTINS), transform, ...(conditions && { conditions }) })
  const grants = { ...options.grants, ...program.grants }
  const cwd = workspace.resolve(program.cwd ?? workspace.cwd)
  const given = { ...(signal && { signal }) }
  const graph = await withComputed(await loader.load(sourceOf(program), { cwd, ...given }), workspace, loader, options.computed, signal)
  const fs = grants.fs ?? 'write'
  const snapshot = fs === 'none' || !reachesFiles(graph) ? undefined : await takeSnapshot(workspace, options.snapshot ?? {}, signal)
  const { modules, table } = await programCode(graph)
  const { host } = workspace
  const job: Job = {
    entry: graph.entry,
    modules: table as Readonly<Record<string, ModuleRow>>,
    builtins: BUILTINS,
    cwd: await workspace.realpath(cwd),
    root: workspace.root,
    argv: [EXECUTABLE, graph.entry, ...(program.args ?? [])],
    env: { ...options.env, ...program.env },
    stdin,
    now: host.now(),
    seed: Array.from({ length: 4 }, () => Math.floor(host.random() * 2 ** 32)),
    memoryBytes: MEMORY,
    fileBytes: MAX_WRITTEN,
    grants: { fs },
    fetch: grants.fetch !== undefined,
    invokeTool: grants.invokeTool !== undefined,
  }
  return { job, modules, snapshot, graph, grants, loader }
}

const DEFAULT_FILES = 200
const DEFAULT_BYTES = 4 * 2 ** 20
const LOADABLE = /\.(?:[cm]?[jt]s|json)$/

/**
 * Adds the files that a computed import specifier may name, because a running Worker accepts no more modules. These are the code files of
 * the workspace outside node_modules, up to the limits. A file that the program does not import costs only its text, because the Worker
 * does not parse it.
 */
async function withComputed(
  graph: ModuleGraph,
  workspace: Workspace,
  loader: ModuleLoader,
  limits: WorkerLoaderJsOptions['computed'] = {},
  signal?: AbortSignal,
): Promise<ModuleGraph> {
  if (![...graph.modules.values()].some(computes)) return graph
  const { maxFiles = DEFAULT_FILES, maxBytes = DEFAULT_BYTES } = limits
  const given = { ...(signal && { signal }) }
  const modules = new Map(graph.modules)
  let [files, bytes] = [0, 0]
  for await (const batch of workspace.walk(workspace.root, { usable: true, onError: () => undefined, ...given })) {
    for (const { path, kind } of batch) {
      if (kind !== 'file' || modules.has(path) || !LOADABLE.test(path) || path.includes('/node_modules/')) continue
      if (files >= maxFiles || bytes >= maxBytes) return { entry: graph.entry, modules }
      const { added } = await loader.extend({ entry: graph.entry, modules }, path, graph.entry, 'import', given)
      for (const [at, module] of added) {
        modules.set(at, module)
        files++
        bytes += module.code.length
      }
    }
  }
  return { entry: graph.entry, modules }
}

/** Returns whether the module has an `import()` without a literal specifier. */
function computes({ code, dynamicImports }: LoadedModule): boolean {
  return dynamicImports.some(({ end }) => !/^\s*\(\s*(?:'[^'\\\n]*'|"[^"\\\n]*"|`[^`\\$]*`)\s*[,)]/.test(code.slice(end, end + 1000)))
}
