import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The part of sucrase that is used here. */
interface Sucrase {
  transform(code: string, options: object): { readonly code: string }
}

/** Whether code has `import`, `export` or `import.meta` of a kind that only a module can have. */
export type HasModuleSyntax = (code: string) => boolean

export interface TypeScript {
  /** Returns JavaScript with the same line numbers, and its module format. @throws {SyntaxError}; {Error} without sucrase */
  load(path: string): { readonly code: string; readonly format: 'module' | 'commonjs' }
  strip(code: string, path: string, format: 'module' | 'commonjs'): string
}

const EXTENSION = /\.[mc]?ts$/
/** Declaration files, which contain no code to run. */
const DECLARATION = /\.d\.[mc]?ts$/

export function isTypeScript(path: string): boolean {
  return EXTENSION.test(path) && !DECLARATION.test(path)
}

/** Returns `./x.ts` for `./x.js`, because imports in TypeScript name the compiled file. Returns undefined for other specifiers. */
export function typescriptName(specifier: string): string | undefined {
  const isFile = /^(?:\.\.?\/|\/|file:)/.test(specifier)
  return isFile && /\.[mc]?js$/.test(specifier) ? specifier.replace(/js$/, 'ts') : undefined
}

export function createTypeScript(hasModuleSyntax: HasModuleSyntax): TypeScript {
  const types = new Map<string, string | undefined>()
  let sucrase: Sucrase | undefined

  function strip(code: string, path: string, format: 'module' | 'commonjs'): string {
    sucrase ??= loadSucrase(path)
    const options = { transforms: ['typescript'], disableESTransforms: true, filePath: path }
    try {
      const plain = sucrase.transform(code, options).code
      if (format === 'module' || !hasModuleSyntax(plain)) return plain
      return sucrase.transform(code, { ...options, transforms: ['typescript', 'imports'], preserveDynamicImport: true }).code
    } catch (error) {
      throw new SyntaxError(`Cannot read ${path} as TypeScript: ${(error as Error).message.replace(`Error transforming ${path}: `, '')}`)
    }
  }

  /** Returns the field `type` of the closest package.json at or above a directory. */
  function packageType(folder: string): string | undefined {
    if (types.has(folder)) return types.get(folder)
    const type = readType(folder) ?? (dirname(folder) === folder ? { type: undefined } : { type: packageType(dirname(folder)) })
    types.set(folder, type.type)
    return type.type
  }

  function formatOf(path: string, code: string): 'module' | 'commonjs' {
    if (path.endsWith('.mts')) return 'module'
    if (path.endsWith('.cts')) return 'commonjs'
    const type = packageType(dirname(path))
    if (type === 'module' || type === 'commonjs') return type
    return hasModuleSyntax(strip(code, path, 'module')) ? 'module' : 'commonjs'
  }

  return {
    load(path) {
      const code = readFileSync(path, 'utf8')
      const format = formatOf(path, code)
      return { code: strip(code, path, format), format }
    },
    strip,
  }
}

function readType(folder: string): { readonly type: string | undefined } | undefined {
  if (folder.endsWith('/node_modules')) return { type: undefined }
  try {
    const { type } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { type }
  } catch {
    // The file is missing or invalid. Node reports an invalid file.
    return undefined
  }
}

function loadSucrase(path: string): Sucrase {
  try {
    return createRequire(import.meta.url)('sucrase')
  } catch (cause) {
    throw new Error(`Cannot run ${path}: TypeScript needs the package "sucrase", install it beside toolport`, { cause })
  }
}
