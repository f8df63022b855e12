// The size of what a browser downloads, from the built package, with no shims: a `node:` import anywhere fails the check.
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

/** @typedef {{ fileName: string, code: string, imports: string[], isEntry: boolean, exports: string[] }} Chunk */

const root = fileURLToPath(new URL('..', import.meta.url))
const patch = fileURLToPath(new URL('../dist/src/ops/patch/', import.meta.url))
const runtime =
  "export { createRuntime, fileTools, searchTools, toModelText } from 'toolport'; export { createMemoryFs } from 'toolport/adapters/memory'"

/**
 * `chunks`: which of them count; default what is there before the first line runs. `only`: modules in this directory alone, their imports
 * from elsewhere left as they are.
 *
 * @type {{ name: string, limit: number, code: string, only?: string, chunks?: (all: Chunk[]) => Chunk[] }[]}
 */
const BUDGETS = [
  { name: 'createRuntime + file and search tools + memory adapter', limit: 55, code: runtime },
  {
    name: 'apply_patch alone: reads envelopes and unified diffs, finds the hunks, applies them, says what is wrong',
    limit: 10.6,
    code: `export { parsePatch } from '${patch}parse.js'; export { applyHunks } from '${patch}apply.js'`,
    only: patch,
  },
  {
    name: 'apply_patch as a tool, with rollback and diff: loaded with its first call, beside what it shares with the other file tools',
    limit: 16,
    code: runtime,
    chunks: (all) => all.filter(({ exports }) => exports.includes('patchFiles')),
  },
]

for (const { name, limit, code, only, chunks = eager } of BUDGETS) {
  const all = await bundled(name, code, only)
  const counted = chunks(all)
  if (counted.length === 0) throw new Error(`${name}: nothing to count`)
  const size = kib(counted)
  const later = kib(all.filter((chunk) => !counted.includes(chunk)))
  const rest = chunks === eager && later > 0 ? ` (${later.toFixed(1)} more load on use)` : ''
  console.log(`${size <= limit ? 'ok' : 'TOO BIG'}  ${size.toFixed(1)} of ${limit} KiB gz  ${name}${rest}`)
  if (size > limit) process.exitCode = 1
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
 * The entry and all that it imports, however the chunks were cut. The rest loads on use.
 *
 * @param {Chunk[]} all
 * @returns {Chunk[]}
 */
function eager(all) {
  const names = new Set(all.filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName))
  for (const file of names) for (const imported of all.find((chunk) => chunk.fileName === file)?.imports ?? []) names.add(imported)
  return all.filter((chunk) => names.has(chunk.fileName))
}

/** @param {Chunk[]} some */
function kib(some) {
  return some.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0) / 1024
}
