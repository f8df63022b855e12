const LONGEST = 214
const NAME = /^(?:@[A-Za-z0-9~][\w.~-]*\/[\w~-][\w.~-]*|[A-Za-z0-9~][\w.~-]*)$/
/** A directory of this name would be read as something else. */
const TAKEN: ReadonlySet<string> = new Set(['node_modules', 'favicon.ico'])

/**
 * Whether a package may have this name: by the rules of npm for packages that are there already (capitals, too), without the few that hold
 * punctuation.
 */
export function isPackageName(name: string): boolean {
  return name.length <= LONGEST && NAME.test(name) && !TAKEN.has(bareName(name).toLowerCase())
}

/** Without the scope. */
export function bareName(name: string): string {
  return name.slice(name.indexOf('/') + 1)
}
