import type { ToolRegistry } from '../core/tool-registry.js'
import type { ManifestEntry } from '../types/tool.js'

/** What a name for Gemini cannot begin with, and what it becomes: a digit or a hyphen, behind underscores. */
const CHANGED = /^_*[0-9-]/
const LONGEST = 64
/** What is cut to the longest name ends so. */
const CUT = /_0[0-9a-f]{16}$/

/**
 * The name for Gemini, which begins with a letter or an underscore, of the tool with this alias. It hangs on nothing but the alias, however
 * much of a manifest is given and whatever else is registered or disabled; and no two aliases have one name: those that look like a changed
 * name are changed too, with one more underscore. Only the hash of what would be too long (63 characters and more) could be another's.
 */
export function geminiName(alias: string): string {
  if (!CHANGED.test(alias)) return alias
  const name = `_${alias}`
  const isFree = name.length < LONGEST || (name.length === LONGEST && !CUT.test(name))
  return isFree ? name : `_${alias.slice(0, LONGEST - 19)}_0${hash(alias)}`
}

interface AliasedTools {
  getModelManifest(): readonly Pick<ManifestEntry, 'alias'>[]
  readonly registry: Pick<ToolRegistry, 'resolveAlias'>
}

/** The alias of the tool that has this name for Gemini; undefined: none has. */
export function aliasOf(name: string, tools: AliasedTools): string | undefined {
  const isIt = (alias: string): boolean => geminiName(alias) === name && tools.registry.resolveAlias(alias) !== undefined
  return [name, name.slice(1)].find(isIt) ?? tools.getModelManifest().find(({ alias }) => isIt(alias))?.alias
}

/** FNV-1a of 64 bits, as hex digits. */
function hash(text: string): string {
  let state = 0xcbf29ce484222325n
  for (let index = 0; index < text.length; index++) state = BigInt.asUintN(64, (state ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n)
  return state.toString(16).padStart(16, '0')
}
