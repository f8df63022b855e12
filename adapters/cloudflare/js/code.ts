import { boot, names, natives } from '#worker-guest'
import type { LoadedModule, ModuleFault, ModuleGraph, Resolution } from '../../../src/packages/modules/index.js'
import { lexers } from '../../../src/packages/modules/lexers.js'
import { type Edit, reexportText, rewriteModule } from '../../shared/js/rewrite-module.js'
import type { WorkerCode } from './worker-loader-like.js'

/** The data that the guest needs about a module of the program. */
export interface ModuleRow {
  readonly kind: LoadedModule['kind']
  /** Name of the Worker's module that `import` loads. */
  readonly name: string
  /** CommonJS: name of the module that contains its function. */
  readonly body?: string
  readonly imports: LoadedModule['imports']
  readonly requires: LoadedModule['requires']
  /** CommonJS and JSON: thrown when the module is loaded. */
  readonly error?: ModuleFault
  /** ES modules: why the module or one of its imports cannot be linked. */
  readonly fault?: ModuleFault
  /** Text of a JSON module. */
  readonly text?: string
}

interface ProgramCode {
  readonly modules: WorkerCode['modules']
  readonly table: Readonly<Record<string, ModuleRow>>
}

/** Node's modules, by the names that programs import. */
export const BUILTINS: readonly string[] = [...natives, ...Object.keys(names)].sort()
export const MAIN_MODULE = 'toolport/boot.js'

/** The modules of the Worker: this library's, and each file of the program under its own name. */
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
 * The platform evaluates modules outside of the requesting call. There, code cannot wait, and rejections get lost; this does not apply to
 * code after an `await`. So each module last imports a gate module that awaits, which keeps the order of evaluation.
 */
const GATE = { js: 'await 0' }

/** The ES modules that `require` reaches, which must not use a gate. */
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

/** Names modules by their paths if these are valid in URLs, else by number. */
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

/** Modules that cannot be linked because of a syntax error or a missing import, with all their importers. */
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
  /** End of the statement; import attributes lie between `end` and this position. */
  readonly statementEnd: number
}

/** @returns the fault if the code cannot be lexed */
async function staticImports({ code }: LoadedModule): Promise<readonly StaticImport[] | ModuleFault> {
  const { module } = await lexers()
  try {
    const [imports] = module(code)
    return imports.flatMap((found) =>
      found.type === 'static' || found.type === 'reexport-star'
        ? [{ specifier: found.specifier, start: found.start, end: found.end, statementEnd: found.importEnd }]
        : [],
    )
  } catch (error) {
    return { code: 'SyntaxError', message: error instanceof Error ? error.message : String(error) }
  }
}

/** Rewrites the imports of an ES module to names of the Worker's modules. Keeps line numbers. */
function moduleText(module: LoadedModule, imports: readonly StaticImport[], nameOf: (resolution: Resolution) => string): string {
  const edits: Edit[] = imports.flatMap(({ specifier, start, end, statementEnd }) => {
    const resolution = Object.hasOwn(module.imports, specifier) ? module.imports[specifier] : undefined
    if (!resolution) return []
    const attributes = module.code.slice(end + 1, statementEnd)
    const edit = { start, end, text: JSON.stringify(nameOf(resolution)).slice(1, -1).replaceAll("'", '%27') }
    // The runtime supports no import attributes.
    return /^\s*(?:with|assert)\b/.test(attributes)
      ? [edit, { start: end + 1, end: statementEnd, text: attributes.replace(/[^\n]+/g, '') }]
      : [edit]
  })
  return rewriteModule(module, edits)
}

/** A module that exports the CommonJS wrapper function. */
function functionText(module: LoadedModule): string {
  return `module.exports = function (exports, require, module, __filename, __dirname) {${rewriteModule(module)}\n}`
}
