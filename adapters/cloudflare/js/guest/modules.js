// Finds the program's modules by path, and resolves specifiers.
import nativeRequire from './require.cjs'

const IMPORT = (name) => import(name)

export function createModules(job) {
  const { modules, builtins, directBuiltins } = job
  const known = new Map(Object.entries(modules))
  const late = new Map()
  const plain = (specifier) => (specifier.startsWith('node:') ? specifier.slice(5) : specifier)
  const faultOf = ({ code, message }) => {
    const error = code === 'SyntaxError' || code === 'ERR_SYNTAX' ? new SyntaxError(message) : new Error(message)
    if (!(error instanceof SyntaxError) && code) error.code = code
    return error
  }
  const fileName = (name) => `../${name}`
  return {
    entry: { path: job.entry, kind: known.get(job.entry)?.kind ?? 'module' },
    find: (path) => known.get(path),
    resolve(specifier, from, kind) {
      const module = known.get(from)
      const given = kind === 'import' ? module?.imports : module?.requires
      if (given && Object.hasOwn(given, specifier)) return given[specifier]
      if (builtins.includes(plain(specifier))) return { builtin: plain(specifier) }
      return late.get(JSON.stringify([kind, from, specifier])) ?? (kind === 'require' ? guessed(specifier, from, known) : undefined)
    },
    add: (specifier, from, kind, resolution) => void late.set(JSON.stringify([kind, from, specifier]), resolution),
    has: (path) => known.has(path),
    /** Imports a built-in module (`node:name`), or a module of the program by its path. */
    async import(id) {
      if (id.startsWith('node:')) {
        const name = id.slice(5)
        return IMPORT(directBuiltins.includes(name) ? id : fileName(`builtin/${name}.js`))
      }
      const module = known.get(id)
      if (!module) throw faultOf({ code: 'ERR_MODULE_NOT_FOUND', message: `Cannot find module '${id}'` })
      if (module.fault) throw faultOf(module.fault)
      return IMPORT(fileName(module.name))
    },
    /** Returns the wrapper function of a CommonJS module. @throws SyntaxError */
    compile: (path) => nativeRequire(fileName(known.get(path).body)),
    /** Loads an ES module synchronously and returns its namespace. */
    namespace(path) {
      const module = known.get(path)
      if (module.fault) throw faultOf(module.fault)
      try {
        return nativeRequire(fileName(module.name))
      } catch (error) {
        if (!/top-level await|async module/i.test(`${error?.message}`)) throw error
        const message = `require() cannot be used on an ESM graph with top-level await. Use import() instead. Required: ${path}`
        throw Object.assign(new Error(message), { code: 'ERR_REQUIRE_ASYNC_MODULE' })
      }
    },
  }
}

/** Resolves a specifier that the program computes: a path among the program's modules, or a name that another module requires. */
function guessed(specifier, from, modules) {
  if (/^\.{0,2}\//.test(specifier)) {
    const base = specifier.startsWith('/') ? specifier : `${from.slice(0, from.lastIndexOf('/'))}/${specifier}`
    const path = normal(base)
    const found = ['', '.js', '.json', '.cjs', '/index.js'].map((end) => path + end).find((candidate) => modules.has(candidate))
    return found === undefined ? undefined : { path: found }
  }
  for (const module of modules.values()) {
    if (module.requires && Object.hasOwn(module.requires, specifier)) return module.requires[specifier]
  }
  return undefined
}

function normal(path) {
  const parts = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}
