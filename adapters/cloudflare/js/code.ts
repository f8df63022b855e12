import { boot, names, natives } from '#worker-guest'
import type { LoadedModule, ModuleFault, ModuleGraph, Resolution } from '../../../src/packages/modules/index.js'
import { lexers } from '../../../src/packages/modules/lexers.js'
import { type Edit, reexportText, rewriteModule } from '../../shared/js/rewrite-module.js'
import type { WorkerCode } from './worker-loader-like.js'

/** What the guest needs to know about a module of the program. */
export interface ModuleRow {
  readonly kind: LoadedModule['kind']
  /** Name of the module in the Worker that `import` loads. */
  readonly name: string
  /** For CommonJS: name of the Worker's module that contains the wrapper function. */
  readonly body?: string
  readonly imports: LoadedModule['imports']
  readonly requires: LoadedModule['requires']
  /** For CommonJS and JSON: the error that is thrown when the module is loaded. */
  readonly error?: ModuleFault
  /** For ES modules: the reason why the module or one of its imports cannot be linked. */
  readonly fault?: ModuleFault
  /** For JSON: the text of the module. */
  readonly text?: string
}

interface ProgramCode {
  readonly modules: WorkerCode['modules']
  readonly table: Readonly<Record<string, ModuleRow>>
}

/** Names of Node's modules that programs can import, sorted. */
export const BUILTINS: readonly string[] = [...natives, ...Object.keys(names)].sort()
export const MAIN_MODULE = 'toolport/boot.js'

/** Returns the modules of the Worker: this library's own modules, and the program's files, each as a module of its own. */
export async function programCode({ modules: files }: ModuleGraph): Promise<ProgramCode> {
  const modules: WorkerCode['modules'] = {
    [MAIN_MODULE]: { js: boot },
    'toolport/require.cjs': { cjs: 'module.exports = (name) => require(name)' },
  }
  for (const [name, exported] of Object.entries(names)) {
    modules[`builtin/${name}.js`] = { js: reexportText(`__toolport.builtin(${JSON.stringify(name)})`, exported) }
  }
  const nameOf = namer()
  const parsed = new Map<string, readonly StaticImport[]>()
  const faults = new Map<string, ModuleFault>()
  for (const [path, module] of files) {
    if (module.kind !== 'module') continue
    const imports = module.error ? module.error : await staticImports(module)
    if ('code' in imports) faults.set(path, imports)
    else parsed.set(path, imports)
  }
  const spread = faultsOf(files, parsed, faults)
  const target = (resolution: Resolution): string => {
    if ('builtin' in resolution)
      return natives.includes(resolution.builtin) ? `node:${resolution.builtin}` : `/bundle/builtin/${resolution.builtin}.js`
    if (!('path' in resolution)) return '/bundle/none.js'
    const kind = files.get(resolution.path)?.kind ?? 'module'
    return `/bundle/${kind === 'module' ? '' : 'builtin/wrapped/'}${nameOf(resolution.path)}${kind === 'module' ? '' : '.js'}`
  }
  const required = requiredModules(files, parsed)
  const table: Record<string, ModuleRow> = {}
  for (const [path, module] of files) {
    const { kind, imports, requires, error } = module
    const fault = spread.get(path)
    const own = nameOf(path)
    if (kind === 'module') {
      const found = parsed.get(path)
      if (found && !fault) {
        const gate = required.has(path) ? undefined : `toolport/gates/${own}.js`
        if (gate !== undefined) modules[gate] = GATE
        modules[own] = {
          js: moduleText(module, found, target) + (gate === undefined ? '' : `\nimport ${JSON.stringify(`/bundle/${gate}`)}`),
        }
      }
    } else {
      if (kind === 'commonjs' && !error) modules[own] = { cjs: functionText(module) }
      const expression = `__toolport.${kind === 'json' ? 'json' : 'cjs'}(${JSON.stringify(path)})`
      modules[`builtin/wrapped/${own}.js`] = { js: reexportText(expression, module.exportNames) }
    }
    table[path] = {
      kind,
      name: kind === 'module' ? own : `builtin/wrapped/${own}.js`,
      ...(kind === 'commonjs' && { body: own }),
      imports,
      requires,
      ...(error && { error }),
      ...(fault && { fault }),
      ...(kind === 'json' && { text: module.code }),
    }
  }
  return { modules, table }
}

/**
 * The platform evaluates modules outside of the call that requested them. During that evaluation, code cannot wait, and rejections get
 * lost. Neither applies to code after an `await`. So the last import of each module is a gate module with an `await`. This keeps the order
 * in which modules are evaluated.
 */
const GATE = { js: 'await 0' }

/**
 * Returns the ES modules that `require` loads, directly or indirectly. These must not import a gate, because `require` cannot load a module
 * with top-level `await`.
 */
function requiredModules(files: ModuleGraph['modules'], parsed: ReadonlyMap<string, readonly StaticImport[]>): ReadonlySet<string> {
  const reached = new Set<string>()
  const open = [...files.values()].flatMap(({ requires }) =>
    Object.values(requires).flatMap((found) => ('path' in found ? [found.path] : [])),
  )
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path) || files.get(path)?.kind !== 'module') continue
    reached.add(path)
    const imports = files.get(path)?.imports ?? {}
    for (const { specifier } of parsed.get(path) ?? []) {
      const found = Object.hasOwn(imports, specifier) ? imports[specifier] : undefined
      if (found && 'path' in found) open.push(found.path)
    }
  }
  return reached
}

/** Returns a function that names modules: by path if a URL can contain the path unchanged, otherwise by number. */
function namer(): (path: string) => string {
  const taken = new Map<string, string>()
  return (path) => {
    const known = taken.get(path)
    if (known !== undefined) return known
    const name = /^\/[\w@.+/-]+$/.test(path) ? `w${path}` : `x/${taken.size}.js`
    taken.set(path, name)
    return name
  }
}

/**
 * Returns the modules that cannot be linked, with their faults: modules with a syntax error or a missing import, and all modules that
 * import one of these.
 */
function faultsOf(
  files: ModuleGraph['modules'],
  parsed: ReadonlyMap<string, readonly StaticImport[]>,
  own: ReadonlyMap<string, ModuleFault>,
): ReadonlyMap<string, ModuleFault> {
  const faults = new Map(own)
  const importers = new Map<string, string[]>()
  for (const [path, imports] of parsed) {
    for (const { specifier } of imports) {
      const resolutions = files.get(path)?.imports ?? {}
      const resolution = Object.hasOwn(resolutions, specifier) ? resolutions[specifier] : undefined
      if (!resolution || 'builtin' in resolution) continue
      if ('path' in resolution) importers.set(resolution.path, [...(importers.get(resolution.path) ?? []), path])
      else if (!faults.has(path)) faults.set(path, resolution.error)
    }
  }
  const open = [...faults.keys()]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const fault = faults.get(path) as ModuleFault
    for (const importer of importers.get(path) ?? []) {
      if (faults.has(importer)) continue
      faults.set(importer, fault)
      open.push(importer)
    }
  }
  return faults
}

/** A static import. */
interface StaticImport {
  readonly specifier: string
  readonly start: number
  readonly end: number
  /** End of the statement. Import attributes lie between `end` and this offset. */
  readonly statementEnd: number
}

/** @returns the static imports, or the fault if the code cannot be lexed */
async function staticImports({ code }: LoadedModule): Promise<readonly StaticImport[] | ModuleFault> {
  const { module } = await lexers()
  try {
    return module(code).imports.flatMap(({ type, specifier, start, end, importEnd: statementEnd }) =>
      type === 'static' && specifier !== undefined ? [{ specifier, start, end, statementEnd }] : [],
    )
  } catch (error) {
    return { code: 'SyntaxError', message: error instanceof Error ? error.message : String(error) }
  }
}

/** Replaces the specifiers of an ES module with names of the Worker's modules. Keeps line numbers. */
function moduleText(module: LoadedModule, imports: readonly StaticImport[], nameOf: (resolution: Resolution) => string): string {
  const edits: Edit[] = imports.flatMap(({ specifier, start, end, statementEnd }) => {
    const resolution = Object.hasOwn(module.imports, specifier) ? module.imports[specifier] : undefined
    if (!resolution) return []
    const attributes = module.code.slice(end + 1, statementEnd)
    const edit = { start, end, text: JSON.stringify(nameOf(resolution)).slice(1, -1).replaceAll("'", '%27') }
    // Remove import attributes, which the runtime does not support.
    return /^\s*(?:with|assert)\b/.test(attributes)
      ? [edit, { start: end + 1, end: statementEnd, text: attributes.replace(/[^\n]+/g, '') }]
      : [edit]
  })
  return rewriteModule(module, edits)
}

/** Returns the text of a module that exports the wrapper function of a CommonJS module. */
function functionText(module: LoadedModule): string {
  return `module.exports = function (exports, require, module, __filename, __dirname) {${rewriteModule(module)}\n}`
}
