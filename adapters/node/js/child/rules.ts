import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Task } from './task.js'
import { isTypeScript, type TypeScript, typescriptName } from './typescript.js'

export interface Loaded {
  readonly format: string | null | undefined
  /** Source of the module. Null if the CommonJS loader must read it. */
  readonly source?: string | ArrayBuffer | NodeJS.TypedArray | null | undefined
  readonly shortCircuit?: boolean | undefined
}

/** Differences from Node's own resolution and loading of modules. */
export interface Rules {
  /** Returns the URL of the program if the specifier leads to it and the program is not a file. */
  program(specifier: string, parent: string | undefined): string | undefined
  /** Returns the URL to use instead of the URL of an import. */
  redirect(url: string, parent: string | undefined): string
  /** Returns another specifier to try after `error`. */
  instead(specifier: string, error: unknown): string | undefined
  /** Returns the source of a module, or undefined if Node must load the module itself. */
  load(url: string): Loaded | undefined
  /** Changes the source of the program. A module reports its default export. CommonJS is passed to its own loader. */
  observe(url: string, loaded: Loaded): Loaded
}

export type HasDefaultExport = (code: string) => boolean

export interface RulesOptions {
  /** undefined in a worker of the program. */
  readonly task: Task | undefined
  readonly typescript: TypeScript
  readonly hasDefaultExport: HasDefaultExport
}

export function createRules({ task, typescript, hasDefaultExport }: RulesOptions): Rules {
  const main = task && pathToFileURL(task.main).href
  // Readable form of the URL, which appears in stack traces. Brackets need no escape.
  const shown = main?.replaceAll('%5B', '[').replaceAll('%5D', ']')
  const source = task?.source
  const isMain = (url: string): boolean => url === main || url === shown
  let handedOver = false

  return {
    program(specifier, parent) {
      if (!source) return undefined
      return specifier === main || specifier === shown || addressOf(specifier, parent) === main ? shown : undefined
    },
    // Behind the program's own URL is only the code that starts the CommonJS loader.
    redirect: (url, parent) => (handedOver && parent !== undefined && isMain(url) ? `${url}?` : url),
    instead(specifier, error) {
      const code = (error as NodeJS.ErrnoException | undefined)?.code
      return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND' ? typescriptName(specifier) : undefined
    },
    load(url) {
      if (source && task && url === shown) {
        if (source.format === 'commonjs') return { format: 'commonjs', source: null, shortCircuit: true }
        const code = isTypeScript(task.main) ? typescript.strip(source.code, task.main, 'module') : source.code
        return { format: 'module', source: code, shortCircuit: true }
      }
      const path = pathOf(url)
      if (path === undefined || !isTypeScript(path)) return undefined
      const { code, format } = typescript.load(path)
      return { format, source: format === 'module' ? code : null, shortCircuit: true }
    },
    observe(url, loaded) {
      if (!task || !isMain(url)) return loaded
      if (loaded.format === 'commonjs') {
        // In newer Node versions, the CommonJS loader calls this hook too.
        if (handedOver) return loaded
        handedOver = true
        return { format: 'module', source: handOver(task.main), shortCircuit: true }
      }
      if (loaded.format !== 'module' || loaded.source == null) return loaded
      const code = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source)
      return hasDefaultExport(code) ? { ...loaded, source: code + epilogue(url, code) } : loaded
    },
  }
}

/**
 * Returns code that starts a CommonJS program with the CommonJS loader, because the hooks make Node start with its loader of ES modules.
 * The program then runs outside of any promise, so that `process.nextTick` runs before promise callbacks. The program need not be a file.
 */
function handOver(main: string): string {
  return `import { Module } from 'node:module'; setImmediate(Module._load, ${JSON.stringify(main)}, null, true)`
}

/** Returns code to append after the last line, so that no position in the program changes. */
function epilogue(url: string, code: string): string {
  let name = 'self'
  while (code.includes(name)) name += '_'
  const quoted = (text: string): string => JSON.stringify(text)
  const result = new URL('./result.js', import.meta.url).href
  return `\nimport { keep as ${name}keep } from ${quoted(result)}; import * as ${name} from ${quoted(url)}; ${name}keep(${name})`
}

function addressOf(specifier: string, parent: string | undefined): string | undefined {
  try {
    return /^(?:\.\.?\/|\/|file:)/.test(specifier) ? pathToFileURL(fileURLToPath(new URL(specifier, parent))).href : undefined
  } catch {
    return undefined
  }
}

function pathOf(url: string): string | undefined {
  try {
    return url.startsWith('file:') ? fileURLToPath(url) : undefined
  } catch {
    return undefined
  }
}
