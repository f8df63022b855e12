import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { createShellWorker, type ShellWorkerOptions } from 'toolport/adapters/node'
import { afterAll } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Starts worker threads with the script of this checkout: Node runs no TypeScript, and the build may be older. Call it once, at the top of a file.
 */
export async function shellWorkers(): Promise<(options?: ShellWorkerOptions) => ReturnType<typeof createShellWorker>> {
  await mkdir(`${root}.cache`, { recursive: true })
  const folder = await mkdtemp(`${root}.cache/shell-worker-`)
  afterAll(() => rm(folder, { recursive: true }))
  const script = `${folder}/worker.mjs`
  await build({
    entryPoints: [`${root}adapters/just-bash/worker.ts`],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    external: ['#just-bash'],
    outfile: script,
    logLevel: 'silent',
  })
  return (options) => createShellWorker({ script, ...options })
}
