import { build } from 'esbuild'

/** Matches the workers of adapters, but not those of tests, which may start further workers by a relative URL. */
const WORKER = /\/adapters\/[^/]+\/worker\.ts$/

/**
 * Serves the workers of adapters as one file each, as an application's bundler would. Unbundled, each start of the shell's worker requests
 * 230 modules, and a test that kills workers starts many.
 *
 * @param {Readonly<Record<string, string>>} alias Specifier -> file.
 * @returns {import('vite').Plugin}
 */
export function bundledWorkers(alias) {
  /** @type {Map<string, Promise<string>>} */
  const bundles = new Map()
  return {
    name: 'bundled-workers',
    enforce: 'pre',
    async load(id) {
      const [file = '', query = ''] = id.split('?')
      if (!WORKER.test(file) || !new URLSearchParams(query).has('worker_file')) return null
      const bundle = bundles.get(file) ?? bundleWorker(file, alias)
      bundles.set(file, bundle)
      // Omit the source map, which would be sent with each start and is three times as large.
      return { code: await bundle, map: { mappings: '' } }
    },
  }
}

/** @param {string} file @param {Readonly<Record<string, string>>} alias @returns {Promise<string>} its code. */
async function bundleWorker(file, alias) {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    minify: true,
    keepNames: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'error',
    alias,
  })
  return outputFiles[0]?.text ?? ''
}
