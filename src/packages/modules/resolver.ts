import { parentPath } from '../../workspace/paths.js'
import type { Disk } from './disk.js'
import type { Importer, ImportKind, Lookup } from './lookup.js'
import { resolveImport } from './resolve-import.js'
import { resolveRequire } from './resolve-require.js'
import type { Resolution } from './types.js'
import { faultOf } from './unresolved.js'

export interface Resolver {
  /** Resolves a specifier. Errors in the program become `Resolution.error`. */
  resolve(specifier: string, from: string, kind: ImportKind): Promise<Resolution>
}

export interface ResolverOptions {
  /** Additional conditions, besides `import` or `require`, and `default`. */
  readonly conditions: readonly string[]
  readonly builtins: ReadonlySet<string>
  /** Folders of packages that are resolved for browsers. */
  readonly browserPackages?: ReadonlySet<string>
}

/** Creates a resolver for one pass over a program. It caches its results. */
export function createResolver(disk: Disk, options: ResolverOptions): Resolver {
  const lookup: Lookup = { disk, ...lookupOf(options) }
  const found = new Map<string, Resolution>()
  return {
    async resolve(specifier, from, kind) {
      const importer: Importer = { path: from, folder: parentPath(from), typescript: isTypeScript(from) }
      const key = `${kind} ${importer.typescript ? 't' : ''} ${importer.folder}\0${specifier}`
      const known = found.get(key)
      if (known) return known
      try {
        const resolution = await (kind === 'import' ? resolveImport : resolveRequire)(lookup, specifier, importer)
        found.set(key, resolution)
        return resolution
      } catch (error) {
        // Do not cache the error, because its message names the importer.
        return { error: faultOf(error) }
      }
    },
  }
}

export function isTypeScript(path: string): boolean {
  return /\.[cm]?tsx?$/.test(path)
}

function lookupOf({ conditions, builtins, browserPackages = new Set() }: ResolverOptions): Omit<Lookup, 'disk'> {
  const sets = (own: readonly string[]): Record<ImportKind, ReadonlySet<string>> => ({
    import: new Set([...own, 'import']),
    require: new Set([...own, 'require']),
  })
  const plain = sets(conditions)
  const browser = sets(['browser', ...conditions.filter((condition) => condition !== 'node')])
  return { builtins, browserPackages, conditions: (kind, folder) => (browserPackages.has(folder) ? browser : plain)[kind] }
}
