import type { Bundler, JsAdapter, Workspace } from 'toolport'

type Mode = 'development' | 'production'

/** The bundler of a workspace. Loads its code and its WebAssembly with the first build. `js` compiles Svelte files. */
export function lateBundler(workspace: Workspace, js: JsAdapter, mode: Mode = 'development'): Bundler {
  let made: Promise<Bundler> | undefined
  let isClosed = false

  async function load(): Promise<Bundler> {
    try {
      const [{ createBundler }, { default: wasm }] = await Promise.all([import('toolport/bundle'), import('esbuild-wasm/esbuild.wasm?url')])
      return createBundler({ workspace, mode, js, esbuild: { wasm } })
    } catch (cause) {
      // Retry with the next build.
      made = undefined
      throw new Error(`Cannot build the app: the bundler could not be loaded. ${String(cause)}`, { cause })
    }
  }

  return {
    async build(options) {
      if (isClosed) throw new Error('Cannot build the app: the workspace is closed.')
      made ??= load()
      return (await made).build(options)
    },
    async dispose() {
      isClosed = true
      await made?.then(
        (bundler) => bundler.dispose(),
        () => undefined,
      )
    },
  }
}
