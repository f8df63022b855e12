import { names } from '#quickjs-guest'
import type { LoadedModule, ModuleFault, ModuleGraph, Resolution } from '../../../src/packages/modules/index.js'
import { reexportText, rewriteModule } from '../../shared/js/rewrite-module.js'

/** Prefix of ids that stand for a fault. The engine swallows errors of its resolver but reports errors of its loader. */
const FAULT = 'toolport-fault:'
export const BUILTIN = 'node:'

/** The modules of a program. While the program runs, imports can add more. */
export interface Modules {
  readonly graph: ModuleGraph
  find(path: string): LoadedModule | undefined
  /** Returns what a specifier resolves to, or undefined if this is not known yet. */
  resolve(specifier: string, from: string, kind: 'import' | 'require'): Resolution | undefined
  add(modules: ModuleGraph['modules'], specifier: string, from: string, kind: 'import' | 'require', resolution: Resolution): void
  /** Returns the engine's id for the module that a specifier resolves to. */
  normalise(from: string, specifier: string): string
  /** Returns the source to give to the engine, or the fault that an id stands for. */
  source(id: string): string | ModuleFault
}

export function createModules(graph: ModuleGraph): Modules {
  const modules = new Map(graph.modules)
  const late = new Map<string, Resolution>()
  const faults: ModuleFault[] = []
  const key = (specifier: string, from: string, kind: string): string => JSON.stringify([kind, from, specifier])
  const idOf = (resolution: Resolution): string => {
    if ('builtin' in resolution) return `${BUILTIN}${resolution.builtin}`
    if ('path' in resolution) return resolution.path
    return `${FAULT}${faults.push(resolution.error) - 1}`
  }
  const self: Modules = {
    graph: { entry: graph.entry, modules },
    find: (path) => modules.get(path),
    resolve(specifier, from, kind) {
      const module = modules.get(from)
      const known = kind === 'import' ? module?.imports : module?.requires
      if (known && Object.hasOwn(known, specifier)) return known[specifier]
      const plain = specifier.startsWith(BUILTIN) ? specifier.slice(BUILTIN.length) : specifier
      if (names.includes(plain)) return { builtin: plain }
      return late.get(key(specifier, from, kind)) ?? (kind === 'require' ? guessed(specifier, from, modules) : undefined)
    },
    add(added, specifier, from, kind, resolution) {
      for (const [path, module] of added) if (!modules.has(path)) modules.set(path, module)
      late.set(key(specifier, from, kind), resolution)
    },
    normalise(from, specifier) {
      if (specifier.startsWith(BUILTIN) && names.includes(specifier.slice(BUILTIN.length))) return specifier
      if (!modules.has(from)) return specifier
      const resolution = self.resolve(specifier, from, 'import')
      return idOf(
        resolution ?? { error: { code: 'ERR_MODULE_NOT_FOUND', message: `Cannot find module '${specifier}' imported from ${from}` } },
      )
    },
    source(id) {
      if (id.startsWith(FAULT))
        return faults[Number(id.slice(FAULT.length))] ?? { code: 'ERR_MODULE_NOT_FOUND', message: `Cannot find module ${id}` }
      const module = modules.get(id)
      if (!module) return { code: 'ERR_MODULE_NOT_FOUND', message: `Cannot find module '${id}'` }
      if (module.error) return module.error
      if (module.kind === 'json') return `export default __toolport.json(${JSON.stringify(id)})`
      return module.kind === 'commonjs' ? reexportText(`__toolport.cjs(${JSON.stringify(id)})`, module.exportNames) : rewriteModule(module)
    },
  }
  return self
}

/** Wraps a CommonJS module in a function. Keeps line numbers. */
export function commonJsSource(module: LoadedModule): string {
  return `(function (exports, require, module, __filename, __dirname) {${rewriteModule(module)}\n})`
}

/** Resolves a specifier that the program has computed, among the modules that are already loaded. */
function guessed(specifier: string, from: string, modules: ModuleGraph['modules']): Resolution | undefined {
  if (/^\.{0,2}\//.test(specifier)) {
    const base = specifier.startsWith('/') ? specifier : `${from.slice(0, from.lastIndexOf('/'))}/${specifier}`
    const path = normal(base)
    const found = ['', '.js', '.json', '.cjs', '/index.js'].map((end) => path + end).find((candidate) => modules.has(candidate))
    return found === undefined ? undefined : { path: found }
  }
  for (const module of modules.values()) {
    if (Object.hasOwn(module.requires, specifier)) return module.requires[specifier]
  }
  return undefined
}

function normal(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}
