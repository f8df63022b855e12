// Puts everything that the playground needs before its first paint into one chunk. Otherwise the bundler would move the modules that late
// parts share with the page into about a hundred small files, which are requested and compressed one by one.

/**
 * Returns a function that names the chunk of a module: `page` for modules that `entry` imports statically, directly or not, except those in
 * `late`.
 *
 * @param {string} entry path of a module
 * @param {readonly string[]} late folders whose modules only late parts use, although a barrel that `entry` imports exports them
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
