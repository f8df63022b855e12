// Pathname expansion: `*`, `[a-z]`, and `**` with globstar. Built into the library (patches/language.patch), whose own version does not
// follow symlinks and supports `**` only directly before one pattern.

interface Entry {
  readonly name: string
  readonly isDirectory: boolean
  readonly isSymbolicLink: boolean
}

/** The library's expander, with the options of the shell. */
export interface Expander {
  readonly fs: {
    resolvePath(cwd: string, path: string): string
    readdirWithFileTypes(path: string): Promise<readonly Entry[]>
    stat(path: string): Promise<{ readonly isDirectory: boolean }>
    lstat(path: string): Promise<unknown>
  }
  readonly cwd: string
  readonly globstar: boolean
  readonly globskipdots: boolean
  readonly dotglob: boolean
  readonly hasGlobignore: boolean
  hasGlobChars(segment: string): boolean
  matchPattern(name: string, segment: string): boolean
  /** Throws if the limit of operations is exceeded. */
  checkOpsLimit(): void
  filterGlobignore(paths: string[]): string[]
}

interface Segment {
  readonly text: string
  /** The slashes after the segment, as written. */
  readonly slashes: string
}

/** Returns the paths that match a pattern, sorted. Without a match, returns no paths. */
export async function pathnames(pattern: string, expander: Expander): Promise<string[]> {
  const search = new Search(pattern, expander)
  await search.at(0, '')
  return expander.filterGlobignore([...search.found].sort())
}

class Search {
  readonly found = new Set<string>()
  readonly #segments: readonly Segment[]
  readonly #expander: Expander
  /** Visited directories, because several `**` can reach a directory repeatedly. */
  readonly #visited = new Set<string>()

  constructor(pattern: string, expander: Expander) {
    const segments = [...pattern.matchAll(/([^/]*)(\/*)/g)].map(([, text = '', slashes = '']) => ({ text, slashes })).slice(0, -1)
    const isRepeated = (index: number): boolean => segments[index]?.text === '**' && segments[index - 1]?.text === '**'
    this.#segments = expander.globstar ? segments.filter((_, index) => !isRepeated(index + 1)) : segments
    this.#expander = expander
  }

  async at(index: number, prefix: string): Promise<void> {
    const segment = this.#segments[index]
    const key = `${index}/${prefix}`
    if (!segment || this.#visited.has(key)) return
    this.#visited.add(key)
    const { text, slashes } = segment
    const isLast = index === this.#segments.length - 1
    if (text === '**' && this.#expander.globstar) return this.#anyDepth(index, prefix, '')
    if (!this.#expander.hasGlobChars(text)) {
      const path = prefix + text.replace(/\\(.)/gs, '$1') + slashes
      if (!isLast) return this.at(index + 1, path)
      const exists = slashes === '' ? await this.#exists(path) : await this.#isDirectory(path)
      if (exists) this.found.add(path)
      return
    }
    for (const entry of await this.#entries(prefix, text)) {
      if (!this.#expander.matchPattern(entry.name, text)) continue
      const path = prefix + entry.name + slashes
      if (slashes !== '' && !(entry.isDirectory || (entry.isSymbolicLink && (await this.#isDirectory(path))))) continue
      if (isLast) this.found.add(path)
      else await this.at(index + 1, path)
    }
  }

  /** Matches `**`: this directory and all below it, without following symlinks. `below`: the path from the start of `**`. */
  async #anyDepth(index: number, prefix: string, below: string): Promise<void> {
    const isLast = index === this.#segments.length - 1
    const slashes = this.#segments[index]?.slashes ?? ''
    const path = prefix + below
    if (!isLast) await this.at(index + 1, path)
    else if (path !== '' && (below === '' ? await this.#isDirectory(path) : slashes !== '')) this.found.add(this.#startOf(path, index))
    for (const { name, isDirectory } of await this.#entries(path, '*')) {
      if (isLast && slashes === '') this.found.add(path + name)
      if (isDirectory) await this.#anyDepth(index, prefix, `${below}${name}${slashes || '/'}`)
    }
  }

  /** Returns the path at which `**` starts. The path of `d/**` keeps the slash of the directory, the path of `d?/**` drops it. */
  #startOf(path: string, index: number): string {
    const isFound = this.#segments.slice(0, index).some(({ text }) => this.#expander.hasGlobChars(text))
    return isFound && this.#segments[index]?.slashes === '' ? path.replace(/\/+$/, '') : path
  }

  /** Lists the entries. Skips hidden entries unless the segment or an option includes them. */
  async #entries(prefix: string, segment: string): Promise<readonly Entry[]> {
    const { fs, cwd, dotglob, hasGlobignore, globskipdots } = this.#expander
    this.#expander.checkOpsLimit()
    let entries: readonly Entry[]
    try {
      entries = await fs.readdirWithFileTypes(fs.resolvePath(cwd, prefix === '' ? '.' : prefix))
    } catch (error) {
      if ((error as { readonly limitType?: unknown }).limitType !== undefined) throw error
      return []
    }
    if (!/^\\?\./.test(segment)) return dotglob || hasGlobignore ? entries : entries.filter(({ name }) => !name.startsWith('.'))
    const dots = ['.', '..'].map((name) => ({ name, isDirectory: true, isSymbolicLink: false }))
    return globskipdots ? entries : [...dots, ...entries]
  }

  #exists(path: string): Promise<boolean> {
    const { fs, cwd } = this.#expander
    return fs.lstat(fs.resolvePath(cwd, path)).then(
      () => true,
      () => false,
    )
  }

  #isDirectory(path: string): Promise<boolean> {
    const { fs, cwd } = this.#expander
    return fs.stat(fs.resolvePath(cwd, path)).then(
      ({ isDirectory }) => isDirectory,
      () => false,
    )
  }
}
