import type { ToolRegistry } from '../core/tool-registry.js'
import type { ManifestEntry } from '../types/tool.js'

/**
 * Matches names that begin with a digit or a hyphen, which Gemini rejects. The leading underscores match names that look as if they had
 * already been changed.
 */
const CHANGED = /^_*[0-9-]/
const LONGEST = 64
/** Matches the end of a shortened name. */
const CUT = /_0[0-9a-f]{16}$/

/**
 * Returns the tool's name for Gemini, where names must begin with a letter or an underscore. The name depends only on the alias, not on
 * other tools. Names are unique: an alias that looks like a changed name gets another underscore. Only names over 63 characters, which end
 * in a hash, could collide.
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

/** Returns the alias of the tool with this Gemini name. Undefined if no tool has this name. */
export function aliasOf(name: string, tools: AliasedTools): string | undefined {
  const isIt = (alias: string): boolean => geminiName(alias) === name && tools.registry.resolveAlias(alias) !== undefined
  return [name, name.slice(1)].find(isIt) ?? tools.getModelManifest().find(({ alias }) => isIt(alias))?.alias
}

/** 64-bit FNV-1a in hexadecimal. */
function hash(text: string): string {
  let state = 0xcbf29ce484222325n
  for (let index = 0; index < text.length; index++) state = BigInt.asUintN(64, (state ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n)
  return state.toString(16).padStart(16, '0')
}
