import { metered } from './metered.js'

/** jq's WebAssembly: a compiled module or its address. */
export type JqSource = WebAssembly.Module | string | URL

/** Options of the `jq` command. */
export interface JqOptions {
  /**
   * The WebAssembly of the package jq-wasm. In browsers: the URL from a `?url` import of `jq-wasm/jq.wasm`. In Workers: the compiled module
   * from a static import of the same file. Default in Node: the installed package.
   */
  readonly wasm?: JqSource
  /** Memory limit of one run, in bytes. Default and maximum: 256 MiB. */
  readonly memoryBytes?: number
}

/** `JqOptions` in a form that can be sent to a worker: URLs are strings. */
export interface LocatedJq {
  readonly wasm?: WebAssembly.Module | string
  readonly memoryBytes?: number
}

const compiled = new Map<string, Promise<WebAssembly.Module>>()

/** Compiles the module once per address. A failed attempt is not cached. */
export function jqModule(source: LocatedJq['wasm']): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return Promise.resolve().then(() => checked(source))
  if (source === undefined) return Promise.reject(new Error('the option jq.wasm is missing, and jq-wasm is not installed'))
  const known = compiled.get(source)
  if (known) return known
  const module = read(source).then(async (bytes) => checked(await WebAssembly.compile(metered(bytes) as Uint8Array<ArrayBuffer>)))
  compiled.set(source, module)
  return module.catch((cause: unknown) => {
    compiled.delete(source)
    throw cause
  })
}

interface NodeFs {
  readonly promises: { readFile(path: URL): Promise<Uint8Array> }
}

interface Globals {
  readonly process?: { getBuiltinModule?(name: 'node:fs'): NodeFs | undefined }
}

async function read(address: string): Promise<Uint8Array> {
  const fs = (globalThis as Globals).process?.getBuiltinModule?.('node:fs')
  if (fs && address.startsWith('file:')) return fs.promises.readFile(new URL(address))
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${address} answers with ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}

/** Number of imports of the supported build. */
const IMPORTS = 31

/** @throws {Error} for another build, because its functions have other short names */
function checked(module: WebAssembly.Module): WebAssembly.Module {
  const imports = WebAssembly.Module.imports(module)
  const exports = WebAssembly.Module.exports(module).map(({ name }) => name)
  if (imports.length === IMPORTS && imports.every(({ module: from }) => from === 'a') && exports.join('') === 'FGHIJKL') return module
  throw new Error('it is another build than that of jq-wasm 3.0.0-jq-1.8.2')
}
