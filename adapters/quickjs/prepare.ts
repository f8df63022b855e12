import { names } from '#quickjs-guest'
import { createModuleLoader, type ModuleLoader } from '../../src/packages/modules/index.js'
import type { JsGrants, JsProgram } from '../../src/types/js.js'
import type { Workspace } from '../../src/types/workspace.js'
import { checkMemory } from '../shared/js/check-memory.js'
import { reachesFiles, sourceOf } from '../shared/js/source-of.js'
import { stripTypes } from '../shared/js/strip-types.js'
import { takeSnapshot } from '../shared/js/take-snapshot.js'
import type { Job } from './job.js'
import type { QuickJsOptions } from './options.js'

const MIB = 2 ** 20
const DEFAULT_MEMORY = 64 * MIB
const EXECUTABLE = '/usr/local/bin/node'

export interface Prepared {
  readonly job: Job
  readonly grants: JsGrants
  readonly loader: ModuleLoader
}

export function moduleLoader(workspace: Workspace, { conditions, transform = stripTypes }: QuickJsOptions): ModuleLoader {
  return createModuleLoader(workspace, { builtins: new Set(names), transform, ...(conditions && { conditions }) })
}

/** Reads all that a program needs to begin. @throws {InputError}, {FsError}, {WorkspaceError} */
export async function prepare(
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
