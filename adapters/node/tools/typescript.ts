import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compileFunction } from 'node:vm'
import { init, parse } from 'es-module-lexer'
import { isTypeScript, typescriptName } from '../js/child/typescript.js'

type Sucrase = typeof import('sucrase')
type Transforms = Parameters<Sucrase['transform']>[1]['transforms']

interface Loaded {
  exports: unknown
}

type Require = (specifier: string) => unknown

/**
 * Returns the exports of a TypeScript file, like `import()`. The file and its TypeScript imports are read anew. They run as CommonJS,
 * because Node needs process-wide hooks to load a module from other source text. So neither they nor their imports can use top-level await.
 *
 * @throws {SyntaxError}; {Error} without sucrase; any error that the files throw
 */
export async function loadTypeScript(file: string): Promise<Readonly<Record<string, unknown>>> {
  const [sucrase] = await Promise.all([loadSucrase(file), init()])
  const modules = new Map<string, Loaded>()

  function exportsOf(path: string): unknown {
    const known = modules.get(path)
    if (known) return known.exports
    const loaded: Loaded = { exports: {} }
    // Register the module before it runs, because imports may be circular.
    modules.set(path, loaded)
    run(path, toCommonJs(path, sucrase), loaded, requireFrom(path, exportsOf))
    return loaded.exports
  }

  const exports = exportsOf(file)
  return isModule(exports) ? exports : { default: exports }
}

/** Returns the CommonJS code and the variable name that replaces `import.meta`. */
function toCommonJs(path: string, { transform }: Sucrase): [string, string] {
  const without = (code: string, transforms: Transforms): string =>
    transform(code, { transforms, disableESTransforms: true, filePath: path }).code
  try {
    const plain = without(readFileSync(path, 'utf8'), ['typescript'])
    let meta = 'importMeta'
    while (plain.includes(meta)) meta += '_'
    let code = plain
    for (const { type, importStart, importEnd } of parse(plain)[0].toReversed())
      if (type === 'import-meta') code = code.slice(0, importStart) + meta + code.slice(importEnd)
    return [without(code, ['imports']), meta]
  } catch (error) {
    throw new SyntaxError(`Cannot read ${path} as TypeScript: ${(error as Error).message.replace(`Error transforming ${path}: `, '')}`)
  }
}

function run(path: string, [code, meta]: readonly [string, string], loaded: Loaded, require: Require): void {
  const folder = dirname(path)
  const importMeta = { url: pathToFileURL(path).href, filename: path, dirname: folder }
  const names = ['exports', 'require', 'module', '__filename', '__dirname', meta]
  compile(path, code, names)(loaded.exports, require, loaded, path, folder, importMeta)
}

function compile(path: string, code: string, names: readonly string[]): (...given: unknown[]) => unknown {
  try {
    return compileFunction(code, names, { filename: path }) as (...given: unknown[]) => unknown
  } catch (error) {
    if (!(error as Error).message.startsWith('await is only valid')) throw error
    throw new SyntaxError(`Cannot load ${path}: TypeScript has no top-level await here. Await in run(), or write the tool as .mjs`)
  }
}

function requireFrom(path: string, exportsOf: (path: string) => unknown): Require {
  const require = createRequire(path)
  return (specifier) => {
    const found = resolve(require, specifier)
    return isTypeScript(found) ? exportsOf(found) : require(specifier)
  }
}

/** Resolves a specifier. `./x` and `./x.js` may mean `./x.ts`. @throws like `require.resolve` */
function resolve(require: NodeJS.Require, specifier: string): string {
  const isFile = /^\.\.?\//.test(specifier)
  const others = [typescriptName(specifier), isFile ? `${specifier}.ts` : undefined]
  try {
    return require.resolve(specifier)
  } catch (error) {
    for (const other of others) {
      if (other === undefined) continue
      try {
        return require.resolve(other)
      } catch {
        // The first error names the requested specifier.
      }
    }
    throw error
  }
}

function isModule(exports: unknown): exports is Readonly<Record<string, unknown>> {
  return typeof exports === 'object' && exports !== null && '__esModule' in exports
}

async function loadSucrase(path: string): Promise<Sucrase> {
  try {
    return await import('sucrase')
  } catch (cause) {
    throw new Error(`Cannot load ${path}: TypeScript needs the package "sucrase", install it beside toolport`, { cause })
  }
}
