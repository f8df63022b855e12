import type { LoadedModule, ModuleGraph, ModuleLoader } from '../../../src/packages/modules/index.js'
import type { Workspace } from '../../../src/types/workspace.js'
import type { WorkerLoaderJsOptions } from './options.js'

const DEFAULT_FILES = 200
const DEFAULT_BYTES = 4 * 2 ** 20
const LOADABLE = /\.(?:[cm]?[jt]s|json)$/

/**
 * A Worker takes no modules once it runs. So a program that imports by names which it computes begins with the files that they may mean:
 * those of the workspace outside node_modules. What is not reached costs nothing but its text: it is not even parsed.
 */
export async function withComputed(
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

/** Whether any of its `import()` has no literal for a name. */
function computes({ code, dynamicImports }: LoadedModule): boolean {
  return dynamicImports.some(({ end }) => !/^\s*\(\s*(?:'[^'\\\n]*'|"[^"\\\n]*"|`[^`\\$]*`)\s*[,)]/.test(code.slice(end, end + 1000)))
}
