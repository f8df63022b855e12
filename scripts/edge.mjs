// Builds the edge worker (demo/worker) and runs it in workerd, without an account: npm run start:edge [-- --port 8787].
// --build: only builds the files that wrangler deploys, into dist/edge. --persist DIR: directory of the workspaces, default .cache/edge.
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = `${root}dist/edge/`
const WORKER = 'demo/worker/worker.ts'
const ENGINE = 'quickjs.wasm'

export const COMPATIBILITY = {
  compatibilityDate: '2026-07-01',
  // Without this flag, the worker would not notice a client that disconnects before the response.
  compatibilityFlags: ['nodejs_compat', 'enable_request_signal'],
}

/** The public entries from source, as in vite.config.ts. @type {readonly [RegExp, string][]} */
const ENTRIES = [
  [/^toolport$/, 'src/index.ts'],
  [/^toolport\/(cloudflare|mcp|preview)$/, 'src/entries/$1.ts'],
  [/^toolport\/formats$/, 'src/formats/index.ts'],
  [/^toolport\/adapters\/quickjs$/, 'adapters/quickjs/index.ts'],
]

/** @type {import('esbuild').Plugin} */
const publicEntries = {
  name: 'public-entries',
  setup(builder) {
    for (const [filter, path] of ENTRIES) {
      builder.onResolve({ filter }, ({ path: name }) => ({ path: root + name.replace(filter, path), sideEffects: false }))
    }
    // Workers can only compile WebAssembly that they import, so this module is shipped unchanged.
    builder.onResolve({ filter: /^toolport\/adapters\/quickjs\/wasm$/ }, () => ({ path: `${root}dist/vendor/${ENGINE}` }))
  },
}

/**
 * The modules of the worker, main module first. `entry`: another main module, relative to the repository.
 *
 * @returns {Promise<import('miniflare').V4ModuleDefinition[]>}
 */
export async function bundleEdge(entry = WORKER) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { worker: entry },
    outdir: folder,
    bundle: true,
    minify: true,
    keepNames: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    loader: { '.wasm': 'copy' },
    assetNames: '[name]',
    plugins: [publicEntries],
    write: false,
    logLevel: 'warning',
  })
  const files = outputFiles.map(({ path, contents }) => ({ path: folder + basename(path), contents }))
  return files
    .sort((a, b) => Number(b.path.endsWith('.js')) - Number(a.path.endsWith('.js')))
    .map(({ path, contents }) =>
      path.endsWith('.js')
        ? { type: /** @type {const} */ ('ESModule'), path, contents: Buffer.from(contents).toString() }
        : { type: /** @type {const} */ ('CompiledWasm'), path, contents },
    )
}

/**
 * Starts the worker in workerd. `persist`: directory for its objects; default in memory. `loader`: adds a Worker Loader.
 * `inspect`: for tests that inspect the objects.
 *
 * @param {{ modules: import('miniflare').V4ModuleDefinition[], port?: number, persist?: string, bindings?: Record<string, string>, objects?: Record<string, string>, loader?: boolean, inspect?: boolean }} options
 */
export function startEdge({ modules, port = 0, persist, bindings = {}, objects = {}, loader = false, inspect = false }) {
  const durableObjects = Object.entries({ WORKSPACES: 'WorkspaceObject', ...objects })
  return new Miniflare(
    convertV4MiniflareOptions({
      ...COMPATIBILITY,
      name: 'toolport-edge',
      host: '127.0.0.1',
      port,
      modulesRoot: folder,
      modules,
      bindings,
      ...(loader && { workerLoaders: { LOADER: {} } }),
      unsafeInspectDurableObjects: inspect,
      durableObjects: Object.fromEntries(durableObjects.map(([name, className]) => [name, { className, useSQLite: true }])),
      ...(persist !== undefined && { resourcePersistencePath: persist }),
    }),
  )
}

async function main() {
  const { values } = parseArgs({
    options: {
      build: { type: 'boolean', default: false },
      port: { type: 'string', default: '8787' },
      persist: { type: 'string', default: `${root}.cache/edge` },
    },
  })
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`--port takes a port from 0 to 65535, not "${values.port}"`)
  const modules = await bundleEdge()
  mkdirSync(folder, { recursive: true })
  for (const { path, contents = '' } of modules) writeFileSync(path, contents)
  if (values.build) return console.log(`Built ${modules.map(({ path }) => path.slice(root.length)).join(' and ')}`)
  await run(modules, port, resolve(values.persist))
}

/** @param {import('miniflare').V4ModuleDefinition[]} modules @param {number} port @param {string} persist */
async function run(modules, port, persist) {
  const edge = startEdge({ modules, port, persist, bindings: { OPEN: 'true' } })
  const address = String(await edge.ready).replace(/\/$/, '')
  console.log(`The edge worker runs at ${address} (Ctrl-C ends it). Create a workspace:\n`)
  console.log(`curl -s -X POST ${address}/workspaces -H 'Content-Type: application/json' -d '{"files":{"a.txt":"hello\\n"}}'`)
  const end = () => void edge.dispose().then(() => process.exit(0))
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main()
