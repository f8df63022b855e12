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
    const name = isNode() ? 'esbuild' : 'esbuild-wasm'
    const problem = `the package "${name}" is not installed, or does not load`
    throw new Error(`Cannot load esbuild: ${problem}. Ask the developer of this program to install "${name}".`, { cause })
  }
  if (isNode()) return esbuild
  if (wasm === undefined && !started.has(esbuild.initialize)) {
    throw new TypeError(
      'Cannot start esbuild-wasm: the URL of its WebAssembly is not configured. Ask the developer of this program to configure that URL.',
    )
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
    const problem = String(cause instanceof Error ? cause.message : cause).replace(/\.$/, '')
    throw new Error(`Cannot start esbuild-wasm: ${problem}. Build again, and if that fails, reload the page.`, { cause })
  }
  return esbuild
}

/** Whether this is Node, where esbuild can read the machine's disk. */
export const isNode = (): boolean =>
  typeof (globalThis as { process?: { versions?: { node?: unknown } } }).process?.versions?.node === 'string'
