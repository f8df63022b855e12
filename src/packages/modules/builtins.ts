import type { Importer, Lookup } from './lookup.js'
import { isNodeBuiltin } from './node-builtins.js'
import type { Resolution } from './types.js'
import { Unresolved } from './unresolved.js'

/** Resolves `fs` or `node:fs` if the runtime has that builtin. @throws {Unresolved} for a `node:x` that the runtime lacks */
export function builtinOf(specifier: string, { builtins }: Lookup, { path }: Importer): Resolution | undefined {
  if (!specifier.startsWith('node:')) return builtins.has(specifier) ? { builtin: specifier } : undefined
  const name = specifier.slice('node:'.length)
  if (builtins.has(name)) return { builtin: name }
  throw new Unresolved('ERR_UNKNOWN_BUILTIN_MODULE', noBuiltin(name, builtins, path))
}

/** Creates the error for a builtin of Node that the runtime lacks; undefined for any other name. */
export function missingBuiltin(specifier: string, { builtins }: Lookup, { path }: Importer): Unresolved | undefined {
  if (!isNodeBuiltin(specifier)) return undefined
  return new Unresolved('ERR_UNKNOWN_BUILTIN_MODULE', noBuiltin(specifier, builtins, path))
}

function noBuiltin(name: string, builtins: ReadonlySet<string>, importer: string): string {
  const known = builtins.size > 0 ? [...builtins].sort().join(', ') : 'none'
  const what = isNodeBuiltin(name) || /^(?:sea|sqlite|test)(?:\/|$)/.test(name) ? 'is not available in this sandbox' : 'does not exist'
  return `No such built-in module: node:${name}\nnode:${name} ${what}; there are: ${known}. Imported from ${importer}`
}
