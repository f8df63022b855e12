// The size of what a browser downloads, from the built package, with no shims: a `node:` import anywhere fails the check.
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const BUDGETS = [
  {
    name: 'createRuntime + file and search tools + memory adapter',
    limit: 55,
    code: "export { createRuntime, fileTools, searchTools, toModelText } from 'toolport'; export { createMemoryFs } from 'toolport/adapters/memory'",
  },
]

for (const { name, limit, code } of BUDGETS) {
  const result = await build({
    configFile: false,
    root: fileURLToPath(new URL('..', import.meta.url)),
    logLevel: 'error',
    publicDir: false,
    plugins: [
      {
        name: 'budget-entry',
        enforce: 'pre',
        resolveId(id) {
          if (id === 'virtual:entry') return '\0entry.js'
          if (id.startsWith('node:')) throw new Error(`${name}: imports ${id}`)
          return null
        },
        load: (id) => (id === '\0entry.js' ? code : null),
      },
    ],
    build: { write: false, minify: true, target: 'es2022', rolldownOptions: { input: 'virtual:entry', preserveEntrySignatures: 'strict' } },
  })
  const outputs = Array.isArray(result) ? result : [result]
  const chunks = outputs.flatMap((output) => ('output' in output ? output.output : [])).filter((chunk) => chunk.type === 'chunk')
  // What has to be there before the first line runs: the entry and all that it imports, however the chunks were cut. The rest loads on use.
  const eager = new Set(chunks.filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName))
  for (const file of eager) for (const imported of chunks.find((chunk) => chunk.fileName === file)?.imports ?? []) eager.add(imported)
  const kib = (/** @type {typeof chunks} */ some) => some.reduce((sum, chunk) => sum + gzipSync(chunk.code, { level: 9 }).length, 0) / 1024
  const size = kib(chunks.filter((chunk) => eager.has(chunk.fileName)))
  const later = kib(chunks.filter((chunk) => !eager.has(chunk.fileName)))
  console.log(`${size <= limit ? 'ok' : 'TOO BIG'}  ${size.toFixed(1)} of ${limit} KiB gz  ${name} (${later.toFixed(1)} more load on use)`)
  if (size > limit) process.exitCode = 1
}
