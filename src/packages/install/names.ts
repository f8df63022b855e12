const LONGEST = 214
const NAME = /^(?:@[A-Za-z0-9~][\w.~-]*\/[\w~-][\w.~-]*|[A-Za-z0-9~][\w.~-]*)$/
/** Names that npm reserves: a directory with such a name would be misinterpreted. */
const TAKEN: ReadonlySet<string> = new Set(['node_modules', 'favicon.ico'])

/**
 * Whether a package may have this name. Follows npm's rules for existing packages (capitals allowed), except the few names with special
 * characters.
 */
export function isPackageName(name: string): boolean {
  return name.length <= LONGEST && NAME.test(name) && !TAKEN.has(bareName(name).toLowerCase())
}

/** Returns the name without its scope. */
export function bareName(name: string): string {
  return name.slice(name.indexOf('/') + 1)
}
