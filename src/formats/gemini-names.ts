import { toolAlias } from '../core/tool-alias.js'
import type { ManifestEntry } from '../types/tool.js'

/**
 * Aliases of a manifest by their names for Gemini, which begin with a letter or an underscore. A name that has to be changed has a hash in
 * it, as aliases have: it hangs on nothing but the tool's own name, however much of the manifest is given.
 */
export function geminiNames(manifest: readonly ManifestEntry[]): ReadonlyMap<string, string> {
  const names = new Map(manifest.filter(({ alias }) => isFit(alias)).map(({ alias }) => [alias, alias]))
  for (const { name, alias } of manifest) if (!isFit(alias)) names.set(freeName(name, alias, names), alias)
  return names
}

const isFit = (alias: string): boolean => /^[a-zA-Z_]/.test(alias)

function freeName(name: string, alias: string, taken: ReadonlyMap<string, string>): string {
  // An alias that is not the name itself has its hash already.
  let attempt = alias === name ? 1 : 0
  let found = toolAlias(`_${alias}`, attempt)
  while (taken.has(found)) found = toolAlias(`_${alias}`, ++attempt)
  return found
}
