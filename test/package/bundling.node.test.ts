// @module-tag package
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type BuildResult, build as esbuild } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { createLogger, type Rolldown, build as viteBuild } from 'vite'
import { describe, expect, it } from 'vitest'
import { packed } from '../../scripts/packed.mjs'

// Bundles the packed package as users do: imported by its name, without plugins, aliases, externals or shims.

const { app: root } = packed()
const folder = `${root}/bundling/`

const BROWSER_APP = `
import { createBrowserRuntime } from 'toolport/browser'
const tools = createBrowserRuntime({ storage: 'memory', files: { 'a.txt': 'one' } })
globalThis.printed = tools.call('bash', { command: 'cat a.txt | tr a-z A-Z' })
`

const WORKER_APP = `
import { createWorkerRuntime } from 'toolport/cloudflare'

export class Agent {
  constructor(ctx) {
    this.tools = createWorkerRuntime(ctx, { files: { 'a.txt': 'one' } })
  }
  async fetch(request) {
    return Response.json(await this.tools.executeAll(await request.json()))
  }
}

export default {
  fetch: (request, env) => env.AGENT.get(env.AGENT.idFromName('one')).fetch(request),
}
`

/** Optional packages, which the entries import when they are first used. */
const PEERS = ['quickjs-emscripten-core', '@jitl/quickjs-wasmfile-release-sync', 'sucrase']

/** `without`: packages that are not installed. */
function bundle(contents: string, without: readonly string[] = []): Promise<BuildResult<{ write: false; metafile: true }>> {
  return esbuild({
    alias: Object.fromEntries(without.map((name) => [name, `not-installed-${name.replaceAll(/\W/g, '-')}`])),
    stdin: { contents, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    metafile: true,
    write: false,
    logLevel: 'silent',
  })
}

/** Specifiers that the bundle still imports. */
const leftOver = ({ metafile }: BuildResult<{ metafile: true }>): string[] =>
  Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))

const NODE_IMPORT = /(?:from|import|require)\s*\(?\s*["']node:/

/** The oldest date that workerd accepts, with the fewest built-in features. The other tests in workerd use a new one. */
const compatibilityDate = '2021-11-02'

describe('esbuild', () => {
  it('leaves the preview and the bundler out of an app that does not import them', async () => {
    const parts = ['createPreview: ', 'createBundler: ']
    const contained = async (app: string): Promise<string[]> => {
      const { outputFiles } = await bundle(app, PEERS)
      return parts.filter((part) => outputFiles[0]?.text.includes(part))
    }
    for (const app of [BROWSER_APP, WORKER_APP]) expect(await contained(app)).toEqual([])
    const own = "export { createPreview } from 'toolport/preview'; export { createBundler } from 'toolport/bundle'"
    expect(await contained(own)).toEqual(parts)
  })

  it('bundles toolport/browser for a browser without Node imports', async () => {
    const result = await bundle(BROWSER_APP)
    expect(result.warnings).toEqual([])
    expect(leftOver(result)).toEqual([])
    expect(result.outputFiles[0]?.text).not.toMatch(NODE_IMPORT)
    expect(Object.keys(result.metafile.inputs)).toContain('node_modules/toolport/dist/vendor/just-bash.js')
  })

  it.each([
    ['toolport/browser', BROWSER_APP],
    ['toolport/cloudflare', WORKER_APP],
  ])('bundles %s without the JavaScript engine installed', async (_, app) => {
    const result = await bundle(app, PEERS)
    expect(result.warnings).toEqual([])
    expect([...new Set(leftOver(result))].toSorted()).toEqual(PEERS.toSorted())
  })

  it('bundles toolport/cloudflare for a Durable Object, which runs without compatibility flags', async () => {
    const result = await bundle(WORKER_APP, PEERS)
    expect(result.warnings).toEqual([])
    const miniflare = new Miniflare(
      convertV4MiniflareOptions({
        modules: true,
        script: result.outputFiles[0]?.text ?? '',
        compatibilityDate,
        durableObjects: { AGENT: 'Agent' },
      }),
    )
    try {
      const calls = [
        { name: 'bash', input: { command: 'echo hi | tr a-z A-Z' } },
        { name: 'edit_file', input: { path: 'a.txt', edits: [{ old_string: 'one', new_string: 'two' }] } },
        { name: 'bash', input: { command: 'cat a.txt' } },
      ]
      const response = await miniflare.dispatchFetch('http://agent/', { method: 'POST', body: JSON.stringify(calls) })
      expect(await response.json()).toMatchObject([
        { ok: true, output: { exit_code: 0, stdout: 'HI\n' } },
        { ok: true },
        { ok: true, output: { exit_code: 0, stdout: 'two' } },
      ])
    } finally {
      await miniflare.dispose()
    }
  })
})

const JS_WORKER_APP = `
import { createWorkerRuntime } from 'toolport/cloudflare'
import wasm from 'toolport/adapters/quickjs/wasm'

const tools = createWorkerRuntime({ waitUntil: () => undefined }, { js: { wasm } })
export default {
  fetch: async (request) => Response.json(await tools.executeAll(await request.json())),
}
`

// The app of docs/virtual-shell.md.
const JQ_WORKER_APP = `
import { createWorkerRuntime } from 'toolport/cloudflare'
import wasm from 'jq-wasm/jq.wasm'

const tools = createWorkerRuntime({ waitUntil: () => undefined }, { shell: { jq: { wasm } } })
export default {
  fetch: async (request) => Response.json(await tools.executeAll(await request.json())),
}
`

/** The results of these calls in a bundled Worker. */
async function answersOf(app: string, calls: readonly object[]): Promise<unknown> {
  const { outputFiles, warnings } = await esbuild({
    stdin: { contents: app, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    // Copies the module unchanged, like wrangler, so that the platform compiles it.
    loader: { '.wasm': 'copy' },
    assetNames: '[name]',
    outdir: folder,
    write: false,
    logLevel: 'silent',
  })
  expect(warnings).toEqual([])
  const [script, wasm] = ['.js', '.wasm'].map((end) => outputFiles.find(({ path }) => path.endsWith(end)))
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modulesRoot: folder,
      modules: [
        { type: 'ESModule', path: script?.path ?? '', contents: script?.text ?? '' },
        { type: 'CompiledWasm', path: wasm?.path ?? '', contents: wasm?.contents ?? new Uint8Array() },
      ],
      compatibilityDate,
    }),
  )
  try {
    return await (await miniflare.dispatchFetch('http://worker/', { method: 'POST', body: JSON.stringify(calls) })).json()
  } finally {
    await miniflare.dispose()
  }
}

describe('a Worker with WebAssembly is bundled by esbuild', () => {
  it('runs programs without compatibility flags', async () => {
    const calls = [
      { name: 'run_js', input: { code: 'export default [1, 2].map((n) => n * 2)' } },
      { name: 'create_persistent_tool', input: { name: 'twice', description: 'd', handler_code: 'return input.n * 2' } },
      { name: 'twice', input: { n: 21 } },
    ]
    expect(await answersOf(JS_WORKER_APP, calls)).toMatchObject([
      { output: { exit_code: 0, result: [2, 4] } },
      { ok: true },
      { ok: true, output: 42 },
    ])
  })

  it('runs jq without compatibility flags', async () => {
    const calls = [{ name: 'bash', input: { command: `echo '{"a":[1,{"b":2}]}' | jq -c 'del(.a[0]) | .a[0].c = 3'` } }]
    expect(await answersOf(JQ_WORKER_APP, calls)).toMatchObject([{ ok: true, output: { exit_code: 0, stdout: '{"a":[{"b":2,"c":3}]}\n' } }])
  })
})

const JQ_BROWSER_APP = `
import wasm from 'jq-wasm/jq.wasm?url'
import { createBrowserRuntime } from 'toolport/browser'
globalThis.tools = createBrowserRuntime({ storage: 'memory', shell: { jq: { wasm } } })
`

/** Builds an app with Vite. Returns the output and the warnings. */
async function viteApp(name: string, contents: string): Promise<{ output: Rolldown.RolldownOutput['output']; warnings: string[] }> {
  await mkdir(folder, { recursive: true })
  await writeFile(`${folder}${name}.js`, contents)
  const warnings: string[] = []
  const warn = (text: string): void => void warnings.push(text)
  const { output } = (await viteBuild({
    configFile: false,
    root: folder,
    logLevel: 'warn',
    customLogger: { ...createLogger('silent'), warn, warnOnce: warn },
    build: {
      outDir: `${folder}dist-${name}`,
      // Otherwise Vite warns of chunks over 500 kB, such as the shell, even if they load on demand.
      chunkSizeWarningLimit: 2000,
      rolldownOptions: { input: `${folder}${name}.js` },
    },
  })) as Rolldown.RolldownOutput
  // Timings depend on the machine.
  return { output, warnings: warnings.filter((text) => !text.includes('PLUGIN_TIMINGS')) }
}

describe('Vite', () => {
  it('builds toolport/browser with the URL of jq, whose file is unchanged', async () => {
    const { output, warnings } = await viteApp('jq', JQ_BROWSER_APP)
    expect(warnings).toEqual([])
    const files = output.filter((one) => one.type === 'asset' && /\/jq-.*\.wasm$/.test(one.fileName)) as Rolldown.OutputAsset[]
    expect(files).toHaveLength(1)
    const own = await readFile(fileURLToPath(import.meta.resolve('jq-wasm/jq.wasm')))
    expect(own.equals(Buffer.from(files[0]?.source ?? ''))).toBe(true)
    const entry = output.find((one) => one.type === 'chunk' && one.isEntry) as Rolldown.OutputChunk
    expect(entry.code).toContain(files[0]?.fileName)
  })

  it('builds toolport/browser with shell and JavaScript engine in separate chunks, loaded on demand cap:113', async () => {
    const { output, warnings } = await viteApp('app', BROWSER_APP)
    expect(warnings).toEqual([])
    const chunks = output.filter((output) => output.type === 'chunk')
    const shell = chunks.filter(({ moduleIds }) => moduleIds.some((id) => id.endsWith('dist/vendor/just-bash.js')))
    expect(shell.map(({ moduleIds }) => moduleIds.length)).toEqual([1])
    expect(eagerOf(chunks)).not.toContain(shell[0]?.fileName)
    expect(chunks.flatMap(({ dynamicImports }) => dynamicImports)).toContain(shell[0]?.fileName)
    const engine = chunks.filter(({ moduleIds }) => moduleIds.some((id) => /adapters\/quickjs\/|quickjs-guest|@jitl/.test(id)))
    expect(engine.length).toBeGreaterThan(0)
    expect(engine.filter(({ fileName }) => eagerOf(chunks).includes(fileName))).toEqual([])
    expect(chunks.filter(({ code }) => NODE_IMPORT.test(code)).map(({ fileName }) => fileName)).toEqual([])
  })
})

/** The chunks that a page loads before its first line runs. */
function eagerOf(chunks: readonly Rolldown.OutputChunk[]): string[] {
  const eager = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
  for (const file of eager) for (const imported of chunks.find(({ fileName }) => fileName === file)?.imports ?? []) eager.add(imported)
  return [...eager]
}

describe('the package', () => {
  it('names the licences of everything in the bundle', async () => {
    const licences = await readFile(`${root}/node_modules/toolport/dist/vendor/LICENSES.txt`, 'utf8')
    expect(licences).toMatch(/^just-bash \d+\.\d+\.\d+ \(Apache-2\.0\)$/m)
    for (const [head] of licences.matchAll(/^\S+ \d+\.\d+\.\d+ \(.*\)$/gm)) expect(head).not.toContain('undefined')
  })
})
