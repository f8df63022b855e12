/** Code that the hooks for `import` and the hooks for `require` share. Needs `known`. */
const RULES = `
const isFile = (specifier) => /^(?:[.][.]?[/]|[/]|file:)/.test(specifier)
const isMissing = (error) => error?.code === 'ERR_MODULE_NOT_FOUND' || error?.code === 'MODULE_NOT_FOUND'
// TypeScript names what will be there.
const instead = (specifier, error) =>
  isMissing(error) && isFile(specifier) && /[.][mc]?js$/.test(specifier) ? specifier.replace(/js$/, 'ts') : undefined

function stripped(path) {
  const found = Object.hasOwn(known, path) ? known[path] : undefined
  if (found?.error !== undefined) throw new SyntaxError(found.error)
  return found
}

function loaded(url) {
  const found = url.startsWith('file:') ? stripped(fileURLToPath(url)) : undefined
  return found && { format: found.kind, source: found.kind === 'module' ? found.code : null, shortCircuit: true }
}
`

/** The module that runs in the thread of Node's module hooks. */
const THREAD = `
import { fileURLToPath } from 'node:url'
let known = {}
export function initialize(data) {
  known = data
}
${RULES}
export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context)
  } catch (error) {
    const other = instead(specifier, error)
    if (other === undefined) throw error
    return next(other, context).catch(() => Promise.reject(error))
  }
}
export const load = async (url, context, next) => loaded(url) ?? next(url, context)
`

/**
 * Needs `task`. Defines `serveTypeScript`: if this Node supports module hooks, Node gets TypeScript files with their types already
 * stripped. Otherwise Node loads the files itself.
 */
export const TYPESCRIPT: string = `
const known = task.typescript ?? {}
${RULES}
const THREAD = ${JSON.stringify(THREAD)}

function serveRequires() {
  const { _extensions, _resolveFilename: find } = module.Module
  for (const extension of ['.ts', '.mts', '.cts']) {
    const before = _extensions[extension] ?? _extensions['.js']
    _extensions[extension] = (loading, filename) => {
      const found = stripped(filename)
      if (found) loading._compile(found.code, filename, found.kind)
      else before(loading, filename)
    }
  }
  module.Module._resolveFilename = function _resolveFilename(request, ...rest) {
    try {
      return find.call(this, request, ...rest)
    } catch (error) {
      const other = instead(request, error)
      if (other === undefined) throw error
      try {
        return find.call(this, other, ...rest)
      } catch {
        throw error
      }
    }
  }
}

function serveImports() {
  if (module.registerHooks) {
    module.registerHooks({
      resolve(specifier, context, next) {
        try {
          return next(specifier, context)
        } catch (error) {
          const other = instead(specifier, error)
          if (other === undefined) throw error
          try {
            return next(other, context)
          } catch {
            throw error
          }
        }
      },
      load: (url, context, next) => loaded(url) ?? next(url, context),
    })
  } else module.register?.('data:text/javascript,' + encodeURIComponent(THREAD), { data: known })
}

function serveTypeScript() {
  serveRequires()
  try {
    serveImports()
  } catch {
    // This Node has no hooks that work.
  }
}
`
