import { init, parse } from 'es-module-lexer/js'
import { isRelative } from '../../packages/modules/specifiers.js'

/** Text of a file of the site by its URL; undefined if there is none. */
export type ReadText = (url: string) => Promise<string | undefined>

const MOST_MODULES = 5000

/**
 * Modules of the site as `data:` URLs, by the URLs under which they import each other. An import map with these entries loads them in a page
 * that has no network.
 */
export class InlineModules {
  readonly #read: ReadText
  readonly #base: string
  /** Undefined for a module that is read or missing. */
  readonly #codes = new Map<string, string | undefined>()
  /** Modules that need a URL because something imports them. */
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

  /** The module as a `data:` URL; undefined if there is none. */
  urlOf(url: string): string | undefined {
    const code = this.#codes.get(url)
    return code === undefined ? undefined : scriptUrl(code, url)
  }

  /** Adds a module that something imports, and everything that it imports by a literal. */
  async add(url: string): Promise<void> {
    this.#imported.add(url)
    await this.addScript(url)
  }

  /** Adds a module that a script element names, and everything that it imports by a literal. Resolves to whether it exists. */
  async addScript(url: string): Promise<boolean> {
    if (this.#codes.has(url) || !url.startsWith(this.#base)) return this.#codes.get(url) !== undefined
    if (this.#codes.size >= MOST_MODULES) throw new Error(`Cannot show the page: it has more than ${MOST_MODULES} modules. Use a bundler.`)
    this.#codes.set(url, undefined)
    const code = await this.#read(url)
    if (code !== undefined) this.#codes.set(url, await this.rewrite(code, url))
    return code !== undefined
  }

  /**
   * The text of the script element of a module; call it when all modules are added. A module that nothing imports is there itself, and leaves
   * the import map: a page reads megabytes as text much faster than as a URL. It runs once, so a second element is empty.
   */
  scriptText(url: string): string {
    const code = this.#codes.get(url)
    if (code === undefined || this.#imported.has(url) || /<\/script|<!--/i.test(code)) return `import ${JSON.stringify(url)}`
    if (this.#inlined.has(url)) return ''
    this.#inlined.add(url)
    return named(code, url)
  }

  /** The code with absolute specifiers. Adds what it imports. Code that does not parse stays as it is: the page reports the error. */
  async rewrite(code: string, url: string): Promise<string> {
    await init()
    let imports: ReturnType<typeof parse>[0]
    try {
      imports = parse(code)[0]
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
      // An import within the argument of another one.
      if (start < at) continue
      if (one.type === 'import-meta') {
        if (code.startsWith('.url', end)) put(start, end + '.url'.length, JSON.stringify(url))
      } else if (one.type === 'dynamic' && (one.specifier === undefined || one.glob)) {
        put(start, end, `__toolportResolve(${code.slice(start, end)}, ${JSON.stringify(url)})`)
      } else if (
        one.specifier !== undefined &&
        (isRelative(one.specifier) || one.specifier.startsWith('/')) &&
        URL.canParse(one.specifier, url)
      ) {
        const target = new URL(one.specifier, url).href
        // The span of a dynamic import has the quotes of its literal.
        put(start, end, one.type === 'dynamic' ? JSON.stringify(target) : target)
        this.#imported.add(target)
        await this.add(target)
      }
    }
    return done + code.slice(at)
  }
}

/** A script as a `data:` URL that stacks show under the address of its file. */
export function scriptUrl(code: string, url: string): string {
  return `data:text/javascript;charset=utf-8,${encodeURIComponent(named(code, url))}`
}

export function named(code: string, url: string): string {
  // The map is read through the file's own address.
  return `${code.replace(/\n\/\/[#@] sourceMappingURL=\S*\s*$/, '')}\n//# sourceURL=${url}\n`
}
