// Checks the size of what a browser downloads and of what a Worker ships, from the built package and without shims. Also fails on a `node:`
// import, and on an outdated table in docs/performance.md.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build as esbuild } from 'esbuild'
import { build } from 'vite'

/** @typedef {{ fileName: string, code: string, imports: string[], isEntry: boolean, exports: string[] }} Chunk */

const root = fileURLToPath(new URL('..', import.meta.url))
const patch = fileURLToPath(new URL('../dist/src/ops/patch/', import.meta.url))
const files = "export { createRuntime, fileTools, toModelText } from 'toolport'"
const search = "export { searchTools } from 'toolport'"
const runtime = `${files}; ${search}; export { createMemoryFs } from 'toolport/adapters/memory'`

/**
 * KiB by feature. `start`: loaded before the first line runs, if the bundler splits. `whole`: everything in one file.
 *
 * @type {{ name: string, start: number, whole: number, code: string }[]}
 */
const FEATURES = [
  {
    name: '`toolport/files`: `readFile`, `writeFile`, `editFile`',
    start: 32.5,
    whole: 92.5,
    code: "export { createRuntime, editFile, readFile, toModelText, writeFile } from 'toolport/files'",
  },
  { name: '`toolport/files`: `fileTools`', start: 34, whole: 113.6, code: "export * from 'toolport/files'" },
  { name: '`toolport`: `fileTools`', start: 42.5, whole: 180.2, code: files },
  { name: '`fileTools`, `searchTools`', start: 45.5, whole: 195.5, code: `${files}; ${search}` },
  { name: '`fileTools`, `searchTools`, memory storage', start: 50, whole: 199.4, code: runtime },
  {
    name: '`fileTools`, `searchTools`, Durable Object storage',
    start: 51.5,
    whole: 200.3,
    code: `${files}; ${search}; export { createDurableObjectFs } from 'toolport/adapters/cloudflare'`,
  },
  {
    name: '`fileTools`, `searchTools`, `metaTools` (checkpoints)',
    start: 47,
    whole: 197.5,
    code: `${files}; ${search}; export { metaTools } from 'toolport'`,
  },
  {
    name: '`fileTools`, `searchTools`, `shellTools`, virtual bash',
    start: 66,
    whole: 654,
    code: `${files}; ${search}; export { shellTools } from 'toolport'; export { createJustBashShell } from 'toolport/adapters/just-bash'`,
  },
  {
    name: '`fileTools`, `searchTools`, `jsTools`, Worker Loader',
    start: 52.5,
    whole: 395,
    code: `${files}; ${search}; export { jsTools } from 'toolport'; export { createWorkerLoaderJs } from 'toolport/adapters/cloudflare'`,
  },
  {
    name: '`fileTools`, `searchTools`, `jsTools`, QuickJS without its WebAssembly',
    start: 73.5,
    whole: 492,
    code: `${files}; ${search}; export { jsTools } from 'toolport'; export { createQuickJs } from 'toolport/adapters/quickjs'`,
  },
  {
    name: '`createWorkerRuntime` of `toolport/cloudflare`: everything',
    // Includes the three preview tools, which are part of `standard`.
    start: 90.3,
    whole: 1048.5,
    code: "export { createWorkerRuntime } from 'toolport/cloudflare'",
  },
]

/**
 * `chunks`: selects the chunks that count. `only`: counts the modules of this directory and leaves their other imports external.
 *
 * @type {{ name: string, limit: number, code: string, only?: string, chunks: (all: Chunk[]) => Chunk[] }[]}
 */
const BUDGETS = [
  {
    name: 'apply_patch alone: reads envelopes and unified diffs, finds the hunks, applies them, says what is wrong',
    limit: 11,
    code: `export { parsePatch } from '${patch}parse.js'; export { applyHunks } from '${patch}apply.js'`,
    only: patch,
    chunks: eager,
  },
  {
    name: 'apply_patch as a tool, with rollback and diff: loaded with its first call, beside what it shares with the other file tools',
    limit: 16.9,
    code: runtime,
    chunks: (all) => all.filter(({ exports }) => exports.includes('patchFiles')),
  },
]

for (const { name, limit, code, only, chunks } of BUDGETS) report(kib(chunks(await bundled(name, code, only))), limit, name)
for (const { name, start, whole, code } of FEATURES) {
  report(kib(eager(await bundled(name, code, undefined))), start, `${name}: start`)
  report(await inOneFile(code), whole, `${name}: one file`)
}

const table = [
  '| KiB (gzip), at most | start | one file |',
  '|-|-|-|',
  ...FEATURES.map(({ name, start, whole }) => `| ${name} | ${start} | ${whole} |`),
].join('\n')
if (!readFileSync('docs/performance.md', 'utf8').includes(`\n${table}\n`)) {
  console.log(`docs/performance.md has other budgets than these:\n\n${table}`)
  process.exitCode = 1
}

/** @param {number} size @param {number} limit @param {string} name */
function report(size, limit, name) {
  if (size === 0) throw new Error(`${name}: nothing to count`)
  console.log(`${size <= limit ? 'ok' : 'TOO BIG'}  ${size.toFixed(1)} of ${limit} KiB gz  ${name}`)
  if (size > limit) process.exitCode = 1
}

/** Bundles into one file, as for a Worker. @param {string} code of the entry @returns {Promise<number>} KiB */
async function inOneFile(code) {
  const { outputFiles } = await esbuild({
    stdin: { contents: code, resolveDir: root },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'error',
    external: ['cloudflare:*'],
  })
  return kib(outputFiles.map(({ text }) => ({ code: text })))
}

/**
 * @param {string} name
 * @param {string} code of the entry
 * @param {string | undefined} only
 * @returns {Promise<Chunk[]>}
 */
async function bundled(name, code, only) {
  const result = await build({
    configFile: false,
    root,
    logLevel: 'error',
    publicDir: false,
    plugins: [
      {
        name: 'budget-entry',
        enforce: 'pre',
        resolveId(id, importer) {
          if (id === 'virtual:entry') return '\0entry.js'
          if (id.startsWith('node:')) throw new Error(`${name}: imports ${id}`)
          if (!only || !importer || importer === '\0entry.js') return null
          return fileURLToPath(new URL(id, `file://${importer}`)).startsWith(only) ? null : { id, external: true }
        },
        load: (id) => (id === '\0entry.js' ? code : null),
      },
    ],
    build: { write: false, minify: true, target: 'es2022', rolldownOptions: { input: 'virtual:entry', preserveEntrySignatures: 'strict' } },
  })
  const outputs = Array.isArray(result) ? result : [result]
  return outputs.flatMap((output) => ('output' in output ? output.output : [])).filter((chunk) => chunk.type === 'chunk')
}

/**
 * The chunks of the entry, and all chunks that they import statically, directly or indirectly. Other chunks load on demand.
 *
 * @param {Chunk[]} all
 * @returns {Chunk[]}
 */
function eager(all) {
  const names = new Set(all.filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName))
  for (const file of names) for (const imported of all.find((chunk) => chunk.fileName === file)?.imports ?? []) names.add(imported)
  return all.filter((chunk) => names.has(chunk.fileName))
}

/** @param {Pick<Chunk, 'code'>[]} some */
function kib(some) {
  return some.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0) / 1024
}
