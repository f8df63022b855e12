import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { createJsWorker } from 'toolport/adapters/node'
import { afterAll } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const PEERS = ['quickjs-emscripten-core', '@jitl/quickjs-wasmfile-release-sync']

/** Scripts of this checkout for Node, which runs no TypeScript: `<key>.mjs` in the folder. They are gone after the tests of the file. */
export async function scriptsForNode(entryPoints: Readonly<Record<string, string>>): Promise<string> {
  await mkdir(`${root}.cache`, { recursive: true })
  const folder = await mkdtemp(`${root}.cache/js-worker-`)
  afterAll(() => rm(folder, { recursive: true }))
  await build({
    entryPoints: Object.fromEntries(Object.entries(entryPoints).map(([name, path]) => [name, root + path])),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    // What `#` stands for in the package.json of this checkout is found from the folder as well.
    external: ['#*', 'sucrase', ...PEERS],
    alias: {
      toolport: `${root}src/index.ts`,
      ...Object.fromEntries(['memory', 'node', 'quickjs'].map((name) => [`toolport/adapters/${name}`, `${root}adapters/${name}/index.ts`])),
    },
    logLevel: 'silent',
  })
  return folder
}

/** Starts worker threads with the script of this checkout: the build may be older. Once, at the top of a file. */
export async function jsWorkers(): Promise<() => ReturnType<typeof createJsWorker>> {
  const folder = await scriptsForNode({ worker: 'adapters/quickjs/worker.ts' })
  return () => createJsWorker({ script: `${folder}/worker.mjs` })
}
