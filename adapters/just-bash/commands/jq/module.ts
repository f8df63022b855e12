import { metered } from './metered.js'

/** jq's WebAssembly: compiled, or where it is. */
export type JqSource = WebAssembly.Module | string | URL

/** Options of the command `jq`. */
export interface JqOptions {
  /**
   * Where the WebAssembly of the package jq-wasm is: a browser's `?url` import of `jq-wasm/jq.wasm`, or in a Worker the compiled module, a
   * static import of the same. Node finds the installed package by itself.
   */
  readonly wasm?: JqSource
  /** All memory of one run, bytes. Default and most: 256 MiB. */
  readonly memoryBytes?: number
}

/** The same, as it can be sent to a worker. */
export interface LocatedJq {
  readonly wasm?: WebAssembly.Module | string
  readonly memoryBytes?: number
}

const compiled = new Map<string, Promise<WebAssembly.Module>>()

/** Compiled once for each address; what failed is tried again. */
export function jqModule(source: LocatedJq['wasm']): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return Promise.resolve().then(() => checked(source))
  if (source === undefined) return Promise.reject(new Error('it was not given, and is not installed'))
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

/** How many functions the build that we know imports. */
const IMPORTS = 31

/** @throws another build: its functions have other short names */
function checked(module: WebAssembly.Module): WebAssembly.Module {
  const imports = WebAssembly.Module.imports(module)
  const exports = WebAssembly.Module.exports(module).map(({ name }) => name)
  if (imports.length === IMPORTS && imports.every(({ module: from }) => from === 'a') && exports.join('') === 'FGHIJKL') return module
  throw new Error('it is another build than that of jq-wasm 3.0.0-jq-1.8.2')
}
