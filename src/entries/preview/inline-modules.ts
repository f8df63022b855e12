import { type Import, init, lexModule } from '../../packages/modules/module-lexer.js'
import { isRelative } from '../../packages/modules/specifiers.js'

/** Returns the text of the site's file at a URL; undefined if there is no such file. */
export type ReadText = (url: string) => Promise<string | undefined>

const MOST_MODULES = 5000

/**
 * The modules of a site as `data:` URLs. An import map with these URLs, by the URLs under which the modules import each other, loads the
 * modules in a page that has no network.
 */
export class InlineModules {
  readonly #read: ReadText
  readonly #base: string
  /** The rewritten code of each module, by URL; undefined for a module that is still being read, or does not exist. */
  readonly #codes = new Map<string, string | undefined>()
  /** URLs of modules that need a `data:` URL, because another module or script imports them. */
  readonly #imported = new Set<string>()
  readonly #inlined = new Set<string>()

  constructor(read: ReadText, base: string) {
    this.#read = read
    this.#base = base
  }

  get imports(): Record<string, string> {
    const own = [...this.#codes].filter((entry): entry is [string, string] => entry[1] !== undefined && !this.#inlined.has(entry[0]))
    return Object.fromEntries(own.map(([url, code]) => [url, scriptUrl(code, url)]))
  }

  /** The module as a `data:` URL; undefined if the module does not exist. */
  urlOf(url: string): string | undefined {
    const code = this.#codes.get(url)
    return code === undefined ? undefined : scriptUrl(code, url)
  }

  /** Adds an imported module, and recursively the modules that it imports by literal specifiers. */
  async add(url: string): Promise<void> {
    this.#imported.add(url)
    await this.addScript(url)
  }

  /**
   * Adds the module of a script element, and recursively the modules that it imports by literal specifiers. Resolves to whether the module
   * exists.
   */
  async addScript(url: string): Promise<boolean> {
    if (this.#codes.has(url) || !url.startsWith(this.#base)) return this.#codes.get(url) !== undefined
    if (this.#codes.size >= MOST_MODULES) throw new Error(`Cannot show the page: it has more than ${MOST_MODULES} modules. Use a bundler.`)
    this.#codes.set(url, undefined)
    const code = await this.#read(url)
    if (code !== undefined) this.#codes.set(url, await this.rewrite(code, url))
    return code !== undefined
  }

  /**
   * Returns the text of a module's script element. Call this method after all modules are added. If nothing imports the module, the element
   * contains the code, and the import map omits the module, because browsers read megabytes of text much faster than a URL of that length.
   * A module runs only once, so a second element of the same module stays empty.
   */
  scriptText(url: string): string {
    const code = this.#codes.get(url)
    if (code === undefined || this.#imported.has(url) || /<\/script|<!--/i.test(code)) return `import ${JSON.stringify(url)}`
    if (this.#inlined.has(url)) return ''
    this.#inlined.add(url)
    return named(code, url)
  }

  /**
   * Makes the specifiers in a module absolute, and adds the imported modules. Returns code with syntax errors unchanged; the browser then
   * reports the errors.
   */
  async rewrite(code: string, url: string): Promise<string> {
    await init()
    let imports: readonly Import[]
    try {
      imports = lexModule(code).imports
    } catch {
      return code
    }
    let done = ''
    let at = 0
    const put = (start: number, end: number, text: string): void => {
      done += code.slice(at, start) + text
      at = end
    }
    for (const one of imports) {
      const { start, end } = one
      // Skip an import inside the argument of the previous import.
      if (start < at) continue
      if (one.type === 'import-meta') {
        if (code.startsWith('.url', end)) put(start, end + '.url'.length, JSON.stringify(url))
      } else if (one.type === 'dynamic' && one.specifier === undefined) {
        put(start, end, `__toolportResolve(${code.slice(start, end)}, ${JSON.stringify(url)})`)
      } else if (
        one.specifier !== undefined &&
        (isRelative(one.specifier) || one.specifier.startsWith('/')) &&
        URL.canParse(one.specifier, url)
      ) {
        const target = new URL(one.specifier, url).href
        // The span of a dynamic import includes the quotes.
        put(start, end, one.type === 'dynamic' ? JSON.stringify(target) : target)
        this.#imported.add(target)
        await this.add(target)
      }
    }
    return done + code.slice(at)
  }
}

/** Returns a script as a `data:` URL. Stacks show the URL of the script's file. */
export function scriptUrl(code: string, url: string): string {
  return `data:text/javascript;charset=utf-8,${encodeURIComponent(named(code, url))}`
}

export function named(code: string, url: string): string {
  // The preview finds source maps by the address in `sourceURL`.
  return `${code.replace(/\n\/\/[#@] sourceMappingURL=\S*\s*$/, '')}\n//# sourceURL=${url}\n`
}
