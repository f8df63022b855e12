// What the playground needs before it is painted goes into one file: in a hundred small ones, which the bundler makes of what late parts share
// with it, each is asked for and compressed by itself.

/**
 * The name of the chunk, for the modules that `entry` imports, and these in turn, but for those that are imported late.
 *
 * @param {string} entry path of a module
 * @param {readonly string[]} late folders whose modules only late parts use, though a barrel of `entry` names them
 * @returns {(id: string, context: { getModuleInfo(id: string): { importedIds: readonly string[] } | null }) => string | null}
 */
export function firstChunk(entry, late) {
  /** @type {Set<string> | undefined} */
  let first
  return (id, context) => {
    first ??= reached(entry, context)
    return first.has(id) && !late.some((folder) => id.startsWith(folder)) ? 'page' : null
  }
}

/** @param {string} entry @param {{ getModuleInfo(id: string): { importedIds: readonly string[] } | null }} context */
function reached(entry, context) {
  const found = new Set([entry])
  for (const id of found) for (const next of context.getModuleInfo(id)?.importedIds ?? []) found.add(next)
  return found
}
