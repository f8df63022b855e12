import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { bundledWorkers } from './scripts/bundled-workers.mjs'
import { findChromium } from './scripts/chromium.mjs'
import { firstChunk } from './scripts/first-chunk.mjs'
import { offline } from './scripts/offline.mjs'
import { ownZod } from './scripts/own-zod.mjs'
import { previewFrame } from './scripts/preview-frame.mjs'
import { PROJECT_LINKS } from './scripts/project-links.mjs'
import { registryProxy } from './scripts/registry-proxy.mjs'
import { temporaryFolder } from './scripts/temporary-folder.mjs'
import { RUNTIMES, type Runtime, runsOf } from './scripts/test-files.mjs'
import { FEATURES } from './test/features.mjs'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const testing = Boolean(process.env.VITEST)
const benching = Boolean(process.env.BENCH)
// Not the mode that this file is given: the page of the tests has a server that reads it again, with a mode of its own.
const isDeep = /--mode[= ]deep(?= |$)/.test(process.argv.join(' '))
// In the C locale Chromium cannot store files of OPFS whose names are not ASCII.
if (testing && !process.env.LC_ALL && !process.env.LANG) process.env.LANG = 'C.UTF-8'

const isolation = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }

// The public entries, from source. Tests that need the build get a current one (test/setup/build.ts).
const entries = [
  { find: /^toolport$/, replacement: here('src/index.ts') },
  {
    find: /^toolport\/(node|browser|cloudflare|proxy|testing|archive|bundle|otel|preview|preview\/worker|mcp|mcp\/stdio)$/,
    replacement: here('src/entries/$1.ts'),
  },
  { find: /^toolport\/formats$/, replacement: here('src/formats/index.ts') },
  { find: /^toolport\/formats\/langchain$/, replacement: here('src/formats/langchain.ts') },
  { find: /^toolport\/presets\/(.+)$/, replacement: here('src/presets/$1.ts') },
  { find: /^toolport\/adapters\/just-bash\/worker$/, replacement: here('adapters/just-bash/worker.ts') },
  { find: /^toolport\/adapters\/quickjs\/worker$/, replacement: here('adapters/quickjs/worker.ts') },
  { find: /^toolport\/adapters\/quickjs\/wasm$/, replacement: here('dist/vendor/quickjs.wasm') },
  { find: /^toolport\/adapters\/(.+)$/, replacement: here('adapters/$1/index.ts') },
]

// What memfs (buffer to url), isomorphic-git and just-bash import from Node, for browsers: the playground, and the tests that run in one.
const shims = [
  { find: /^(node:)?buffer$/, replacement: here('node_modules/buffer/index.js') },
  { find: /^(node:)?events$/, replacement: here('node_modules/events/events.js') },
  { find: /^(node:)?path$/, replacement: here('node_modules/path-browserify/index.js') },
  { find: /^(node:)?stream$/, replacement: here('node_modules/readable-stream/lib/ours/browser.js') },
  { find: /^(node:)?url$/, replacement: here('test/shims/url.ts') },
  { find: /^node:zlib$/, replacement: here('test/shims/zlib.ts') },
]

const testFiles = readdirSync(here('test'), { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name.replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.test.ts'))

/** The files of a runtime in one tier. `BENCH=1` runs its benchmarks instead. */
const filesOf = (runtime: Runtime): string[] =>
  benching ? [`test/**/*-bench.${runtime}.ts`] : testFiles.filter((file) => runsOf(file)[isDeep ? 'deep' : 'test'].includes(runtime))

/** What the command line names, from the root: paths, and the values of options. */
const words = process.argv
  .slice(2)
  .filter((word) => word !== 'run' && !word.startsWith('-'))
  .map((word) => relative(here('.'), resolve(word.replace(/:\d+$/, ''))).replaceAll('\\', '/'))
const isByPath = testing && !benching && words.length > 0 && words.every((word) => word.startsWith('test/'))

/** Whether a run has to start the runtime: unless the command line names tests by their paths alone, and none of them runs there. */
const isWanted = (runtime: Runtime): boolean =>
  testing && (!isByPath || filesOf(runtime).some((file) => words.some((path) => file.includes(path))))

/** Vitest lists all files of the tier instead, or passes over a path beside others. Ends the process at a path without a test in the tier. */
function checkPaths(): void {
  const missing = words.find((path) => !RUNTIMES.some((runtime) => filesOf(runtime).some((file) => file.includes(path))))
  if (!isByPath || missing === undefined) return
  const [tier, other] = isDeep ? ['deep', 'npm test'] : ['default', 'npm run test:deep']
  const isThere = testFiles.some((file) => file.includes(missing))
  console.error(isThere ? `${missing} has no test of the ${tier} tier: ${other} -- ${missing}` : `No test file is at ${missing}`)
  process.exit(1)
}

/** The adapters that start processes come first: to start one costs twice as much in a process that has grown to a gigabyte. */
class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => Number(!/\/adapters\/(node|js|git)-/.test(moduleId))
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

const executablePath = testing ? await findChromium() : undefined

/** Loaded late: the plugin takes a second, which a run of files of other runtimes, and the playground, need not wait for. */
async function workerd(mode: string): Promise<TestProjectInlineConfiguration> {
  const { cloudflareTest } = await import('@cloudflare/vitest-plugin')
  return {
    extends: true,
    mode,
    plugins: [
      cloudflareTest({
        main: './test/adapters/durable-object-worker.ts',
        remoteBindings: false,
        miniflare: {
          compatibilityDate: '2026-07-01',
          compatibilityFlags: ['nodejs_compat'],
          modulesRules: [{ type: 'CompiledWasm', include: ['**/*.wasm'] }],
          durableObjects: {
            AGENT: { className: 'Agent', useSQLite: true },
            KEY_VALUE_AGENT: { className: 'KeyValueAgent' },
          },
          workerLoaders: { LOADER: {} },
        },
      }),
    ],
    test: {
      name: 'workerd',
      include: filesOf('workerd'),
    },
  }
}

export default defineConfig(async ({ mode }): Promise<ViteUserConfig> => {
  checkPaths()
  // What the deep tier crashes and kills lies on a disk. A test that reads this file again, in a process of the tests, does not change where.
  if (testing && !benching && !isDeep && !process.env.VITEST_WORKER_ID) process.env.TMPDIR ??= temporaryFolder()
  return {
    // The playground installs packages through it; tests reach no registry.
    plugins: testing
      ? []
      : [registryProxy(), ownZod(), previewFrame(here('demo/preview-frame.html')), offline(here('demo/offline-worker.js'))],
    define: { __TOOLPORT_LINKS__: JSON.stringify(PROJECT_LINKS) },
    resolve: { alias: testing ? entries : [...entries, ...shims] },
    // Of the playground: its files may lie under any path of a site.
    base: testing ? '/' : './',
    server: { headers: isolation, fs: { allow: [here('.')] } },
    preview: { headers: isolation },
    build: {
      target: 'es2022',
      outDir: here('dist/demo'),
      emptyOutDir: true,
      // What matters is what is loaded at first, which a test counts; the large ones are loaded late.
      chunkSizeWarningLimit: 2500,
      reportCompressedSize: false,
      rolldownOptions: {
        input: [here('demo/index.html'), here('demo/webcontainer.html'), here('demo/webcontainer-probe.html')],
        output: {
          codeSplitting: {
            groups: [
              {
                name: firstChunk(here('demo/src/playground.ts'), [here('src/workspace/facades/'), here('src/workspace/overlay/')]),
                debugName: 'page',
              },
            ],
          },
        },
      },
    },
    test: {
      setupFiles: [here('test/setup/equal-bytes.ts')],
      globalSetup: [here('test/setup/build.ts'), here('test/setup/property-tests.ts'), here('test/setup/services.ts')],
      tags: FEATURES.map(({ tag, what }) => ({ name: tag, description: what })),
      sequence: { sequencer: ProcessesFirst },
      reporters: ['default', here('scripts/test-report.mjs')],
      attachmentsDir: '.cache/attachments',
      // Transformed modules are kept for the next run: a file of workerd starts a second earlier.
      experimental: { fsModuleCache: true },
      // One more than there are processors: much of a test is waiting for a process, a page or a time.
      maxWorkers: availableParallelism() + 1,
      // Test files share their processes and pages: each cleans up after itself.
      isolate: false,
      // Generous: a loaded machine is slow, and a test that hangs fails all the same.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      // Only a failure takes as long; the default of a second is short on a loaded machine.
      expect: { poll: { timeout: 120_000 } },
      projects: [
        {
          extends: true,
          mode,
          test: {
            name: 'node',
            include: filesOf('node'),
          },
        },
        {
          extends: true,
          mode,
          plugins: [
            bundledWorkers({
              'node:zlib': here('test/shims/zlib.ts'),
            }),
          ],
          resolve: { alias: shims },
          optimizeDeps: {
            // Loaded late, by `import()`: found too late, they would reload a test that is running.
            include: [
              're2js',
              '@anthropic-ai/sdk',
              '@cfworker/json-schema',
              '@isomorphic-git/lightning-fs',
              'ai',
              '@jridgewell/trace-mapping',
              'esbuild-wasm/esm/browser.js',
              'fflate',
              'mrmime',
              'isomorphic-git',
              'memfs',
              'openai',
              'quickjs-emscripten-core',
              'sucrase',
            ],
            // Its WebAssembly lies beside it.
            exclude: ['@jitl/quickjs-wasmfile-release-sync'],
            entries: [
              'src/**/*.ts',
              '!src/entries/cli.ts',
              'adapters/**/*.ts',
              'demo/src/**/*.ts',
              '!demo/src/samples/*/**',
              '!adapters/node/**',
              '!adapters/**/*.d.ts',
              'test/**/*.test.ts',
              '!test/**/*.{node,workerd}{,.deep}.test.ts',
            ],
          },
          test: {
            name: 'chromium',
            include: filesOf('chromium'),
            browser: {
              enabled: true,
              headless: true,
              // One page for all files: each page loads all modules for itself, and several slow each other down.
              fileParallelism: false,
              screenshotDirectory: '.cache/failures',
              provider: playwright({ launchOptions: { executablePath } }),
              instances: [{ browser: 'chromium' }],
            },
          },
        },
        ...(isWanted('workerd') ? [await workerd(mode)] : []),
      ],
    },
  }
})
