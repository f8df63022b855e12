import { patchEngine } from './patch.js'
import { unavailable } from './unavailable.js'

/** The engine's WebAssembly: a compiled module or its URL. */
export type EngineSource = WebAssembly.Module | string | URL

const VARIANT = '@jitl/quickjs-wasmfile-release-sync/wasm'

const compiled = new Map<string, Promise<WebAssembly.Module>>()

/**
 * Compiles the engine once per URL. Worker scripts must not use this: they receive the module, and their bundle may lack `import.meta`.
 * @throws {JsError} unavailable
 */
export function engineModule(source: EngineSource | undefined): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return Promise.resolve(source)
  const key = source === undefined ? '' : String(source)
  const known = compiled.get(key)
  if (known) return known
  const module = readEngine(source).then(async (bytes) => await WebAssembly.compile(patchEngine(bytes) as Uint8Array<ArrayBuffer>))
  compiled.set(key, module)
  return module.catch((cause: unknown) => {
    compiled.delete(key)
    throw unavailable(cause)
  })
}

interface NodeFs {
  readonly promises: { readFile(path: URL | string): Promise<Uint8Array> }
}

interface Globals {
  readonly process?: { getBuiltinModule?(name: 'node:fs'): NodeFs | undefined }
}

async function readEngine(source: string | URL | undefined): Promise<Uint8Array> {
  const fs = (globalThis as Globals).process?.getBuiltinModule?.('node:fs')
  if (source === undefined) {
    if (!fs) throw new Error('it was not given, and cannot be found here')
    return fs.promises.readFile(new URL(import.meta.resolve(VARIANT)))
  }
  if (fs && /^(?:file:|\/|\.)/.test(String(source)))
    return fs.promises.readFile(source instanceof URL || !String(source).startsWith('file:') ? source : new URL(source))
  const response = await fetch(source)
  if (!response.ok) throw new Error(`${source} answers with ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}
