import { createWorkspace, type Workspace, type WorkspaceOptions } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import {
  createModuleLoader,
  type LoadedModule,
  type ModuleGraph,
  type ModuleLoaderOptions,
  type Resolution,
} from '../../src/packages/modules/index.js'

export const BUILTINS: ReadonlySet<string> = new Set(['fs', 'fs/promises', 'path', 'path/posix', 'process'])

export function tree(files: Readonly<Record<string, string | Uint8Array>>, options: Partial<WorkspaceOptions> = {}): Workspace {
  return createWorkspace({ fs: createMemoryFs({ files }), root: '/w', ...options })
}

export function load(
  files: Readonly<Record<string, string | Uint8Array>>,
  entry: string,
  options: Partial<ModuleLoaderOptions> = {},
): Promise<ModuleGraph> {
  return createModuleLoader(tree(files), { builtins: BUILTINS, ...options }).load({ entry })
}

export function moduleOf(graph: ModuleGraph, path: string): LoadedModule {
  const module = graph.modules.get(path)
  if (!module) throw new Error(`${path} is not among ${[...graph.modules.keys()].join(', ')}`)
  return module
}

/** The resolution of a specifier in the entry module. */
export function lead(graph: ModuleGraph, specifier: string, kind: 'imports' | 'requires' = 'imports'): Resolution {
  const resolution = moduleOf(graph, graph.entry)[kind][specifier]
  if (!resolution) throw new Error(`${specifier} is not among the ${kind} of ${graph.entry}`)
  return resolution
}

/** The error of a specifier that cannot be resolved. */
export function faultOf(resolution: Resolution): { code: string; message: string } {
  if (!('error' in resolution)) throw new Error(`It leads to ${JSON.stringify(resolution)}`)
  return resolution.error
}

export const paths = (graph: ModuleGraph): string[] => [...graph.modules.keys()]
