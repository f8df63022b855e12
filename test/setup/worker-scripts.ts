import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { build } from 'esbuild'

const root = decodeURIComponent(new URL('../../', import.meta.url).pathname)
const PEERS = ['quickjs-emscripten-core', '@jitl/quickjs-wasmfile-release-sync']

/**
 * Bundles the worker scripts of this checkout, because Node cannot run TypeScript. The workers in `dist` would start too slowly, with
 * hundreds of modules each.
 */
export async function buildWorkers(): Promise<{ shell: string; js: string; memoryChild: string; close(): Promise<void> }> {
  await mkdir(`${root}.cache`, { recursive: true })
  const folder = await mkdtemp(`${root}.cache/workers-`)
  await build({
    absWorkingDir: root,
    entryPoints: {
      shell: 'adapters/just-bash/worker.ts',
      js: 'adapters/quickjs/worker.ts',
      memoryChild: 'test/adapters/quickjs-memory-child.ts',
    },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    // Node also resolves `#` imports from this folder, because the folder is inside the package.
    external: ['#*', 'sucrase', ...PEERS],
    alias: {
      toolport: `${root}src/index.ts`,
      ...Object.fromEntries(['memory', 'node', 'quickjs'].map((name) => [`toolport/adapters/${name}`, `${root}adapters/${name}/index.ts`])),
    },
    logLevel: 'silent',
  })
  const script = (name: string): string => `${folder}/${name}.mjs`
  return { shell: script('shell'), js: script('js'), memoryChild: script('memoryChild'), close: () => rm(folder, { recursive: true }) }
}
