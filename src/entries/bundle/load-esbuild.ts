import type { Esbuild } from './esbuild-types.js'

/** How the bundler loads esbuild. */
export interface EsbuildOptions {
  /** A module of your own, such as `() => import('esbuild-wasm')`. Default `esbuild` in Node, and `esbuild-wasm` elsewhere. */
  readonly load?: () => Promise<Esbuild>
  /** The WebAssembly of `esbuild-wasm`: its URL, or the compiled module. Required in a browser. */
  readonly wasm?: string | URL | WebAssembly.Module
  /** Runs `esbuild-wasm` in a worker, so that builds do not block the page. Needs `blob:` in `worker-src`. Default true. */
  readonly worker?: boolean
}

/** esbuild can be started only once per page. */
const started = new WeakMap<object, Promise<void>>()

export async function loadEsbuild({ load = () => import('#esbuild'), wasm, worker = true }: EsbuildOptions): Promise<Esbuild> {
  let esbuild: Esbuild
  try {
    esbuild = await load()
  } catch (cause) {
    throw new Error(`Cannot load esbuild: the package "${isNode() ? 'esbuild' : 'esbuild-wasm'}" is not installed, or does not load`, {
      cause,
    })
  }
  if (isNode()) return esbuild
  if (wasm === undefined && !started.has(esbuild.initialize)) {
    throw new TypeError('Cannot start esbuild-wasm: the URL of its WebAssembly is not configured')
  }
  const isModule = typeof wasm === 'object' && !(wasm instanceof URL)
  const ready =
    started.get(esbuild.initialize) ?? esbuild.initialize({ ...(isModule ? { wasmModule: wasm } : { wasmURL: String(wasm) }), worker })
  started.set(esbuild.initialize, ready)
  try {
    await ready
  } catch (cause) {
    // The next build retries, because the network may be back.
    started.delete(esbuild.initialize)
    throw new Error(`Cannot start esbuild-wasm: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  }
  return esbuild
}

/** Whether this is Node, where esbuild can read the machine's disk. */
export const isNode = (): boolean =>
  typeof (globalThis as { process?: { versions?: { node?: unknown } } }).process?.versions?.node === 'string'
