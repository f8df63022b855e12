import { InputError } from '../../errors/index.js'
import type { Slicer } from '../../workspace/slicer.js'
import { isImportable } from './file-kind.js'
import { type Reader, unknownExtension } from './reader.js'
import type { Resolver } from './resolver.js'
import type { Source, Wanted } from './source.js'
import type { LoadedModule, ModuleGraph, Resolution } from './types.js'

export interface Walk {
  readonly reader: Reader
  readonly resolver: Resolver
  readonly slicer: Slicer
  /** Modules already loaded. */
  readonly known: ModuleGraph['modules']
  /** Maximum number of modules, including the known ones. */
  readonly maxModules: number
}

/** A module with resolved specifiers. */
interface Linked {
  readonly path: string
  readonly source: Source
  readonly imports: Record<string, Resolution>
  readonly requires: Record<string, Resolution>
}

const CONCURRENCY = 8
/** Approximate cost of a module in microseconds, for runtimes whose clock stands still. */
const MODULE_STEPS = 200
const SPECIFIER_STEPS = 50
const REEXPORT_STEPS = 100

/** Loads all unknown modules that a module reaches, breadth-first in the order of their imports. */
export async function walkModules(walk: Walk, start: string): Promise<Map<string, LoadedModule>> {
  const linked = new Map<string, Linked>()
  let level = walk.known.has(start) ? [] : [start]
  const seen = new Set(level)
  while (level.length > 0) {
    const modules = await pooled(level, CONCURRENCY, (path) => link(walk, path))
    const next: string[] = []
    for (const module of modules) {
      linked.set(module.path, module)
      for (const path of targetsOf(module)) {
        if (seen.has(path) || walk.known.has(path)) continue
        seen.add(path)
        next.push(path)
        if (seen.size + walk.known.size > walk.maxModules) throw tooMany(walk.maxModules, module.path)
      }
    }
    level = next
  }
  const modules = new Map<string, LoadedModule>()
  for (const [path, module] of linked) {
    modules.set(path, loaded(module, linked, walk.known))
    if (walk.slicer.due(module.source.reexports.length * REEXPORT_STEPS)) await walk.slicer.pause()
  }
  return modules
}

async function link(walk: Walk, path: string): Promise<Linked> {
  const source = await walk.reader.file(path)
  if (walk.slicer.due(MODULE_STEPS + source.code.length / 10)) await walk.slicer.pause()
  if (source.error) return { path, source, imports: {}, requires: {} }
  const imports: Record<string, Resolution> = Object.create(null)
  for (const wanted of source.imports) {
    if (walk.slicer.due(SPECIFIER_STEPS)) await walk.slicer.pause()
    const resolution = importable(wanted, await walk.resolver.resolve(wanted.specifier, path, 'import'), path)
    if (!isFault(imports[wanted.specifier])) imports[wanted.specifier] = resolution
  }
  const requires: Record<string, Resolution> = Object.create(null)
  for (const specifier of source.requires) {
    if (walk.slicer.due(SPECIFIER_STEPS)) await walk.slicer.pause()
    requires[specifier] = await walk.resolver.resolve(specifier, path, 'require')
  }
  return { path, source, imports: { ...imports }, requires: { ...requires } }
}

/** Applies the additional rules of `import`: only known extensions, and JSON only with an import attribute. */
export function importable({ specifier, typed }: Wanted, resolution: Resolution, importer: string): Resolution {
  if (!('path' in resolution)) return resolution
  const { path } = resolution
  if (!isImportable(path)) return { error: unknownExtension(path, `only JavaScript, TypeScript and JSON can be imported (${importer})`) }
  if (typed || !path.endsWith('.json')) return resolution
  const message = `Module "${path}" needs an import attribute of "type: json", imported from ${importer}\nWrite: import data from ${JSON.stringify(specifier)} with { type: 'json' }`
  return { error: { code: 'ERR_IMPORT_ATTRIBUTE_MISSING', message } }
}

function isFault(resolution: Resolution | undefined): boolean {
  return resolution !== undefined && 'error' in resolution
}

function targetsOf({ imports, requires }: Linked): string[] {
  return [...Object.values(imports), ...Object.values(requires)].flatMap((resolution) => ('path' in resolution ? [resolution.path] : []))
}

function tooMany(limit: number, path: string): InputError {
  return new InputError('invalid_input', `The program imports more than ${limit} modules (at ${path}): import fewer modules`)
}

function loaded(module: Linked, linked: ReadonlyMap<string, Linked>, known: ModuleGraph['modules']): LoadedModule {
  const { path, source, imports, requires } = module
  return {
    path,
    kind: source.kind,
    code: source.code,
    imports,
    requires,
    dynamicImports: source.dynamicImports,
    importMetas: source.importMetas,
    exportNames: exportNames(module, linked, known),
    ...(source.error && { error: source.error }),
  }
}

/** Returns the exported names of a module and of the modules that it re-exports. Handles cycles. */
function exportNames(start: Linked, linked: ReadonlyMap<string, Linked>, known: ModuleGraph['modules']): string[] {
  const names = new Set<string>()
  const queue = new Set([start])
  for (const { source, requires } of queue) {
    if (source.kind !== 'commonjs') continue
    for (const name of source.exports) names.add(name)
    for (const specifier of source.reexports) {
      const target = requires[specifier]
      if (!target || !('path' in target)) continue
      for (const name of known.get(target.path)?.exportNames ?? []) names.add(name)
      const next = linked.get(target.path)
      if (next) queue.add(next)
    }
  }
  names.delete('default')
  return [...names]
}

/**
 * Runs `body` for each item with limited concurrency, and returns the results in order. On an error, waits for started tasks and rejects
 * with the first error.
 */
async function pooled<T, R>(items: readonly T[], concurrency: number, body: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length)
  const failures: unknown[] = []
  let next = 0
  const work = async (): Promise<void> => {
    while (next < items.length && failures.length === 0) {
      const at = next++
      try {
        results[at] = await body(items[at] as T)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, work))
  if (failures.length > 0) throw failures[0]
  return results
}
