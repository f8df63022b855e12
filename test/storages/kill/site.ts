import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, loadConfigFromFile, preview } from 'vite'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export interface Site {
  readonly address: string
  end(): Promise<void>
}

/** Builds this folder's page from the source with Vite, as a user's page is built, and serves it on a free port. */
export async function serveSite(): Promise<Site> {
  const outDir = mkdtempSync(join(tmpdir(), 'toolport-site-'))
  const own = await loadConfigFromFile({ command: 'build', mode: 'production' }, here('../../../vite.config.ts'))
  // Uses the repository's aliases and headers, but not its pages.
  const shared = { configFile: false, root: here('.'), logLevel: 'error', resolve: own?.config.resolve } as const
  await build({ ...shared, build: { outDir, emptyOutDir: true, minify: false, target: 'es2022' } })
  const server = await preview({ ...shared, build: { outDir }, preview: { ...own?.config.preview, port: 0, host: '127.0.0.1' } })
  const bound = server.httpServer.address()
  if (bound === null || typeof bound === 'string') throw new Error('The server has no port')
  return {
    address: `http://127.0.0.1:${bound.port}/`,
    async end() {
      await server.close()
      rmSync(outDir, { recursive: true, force: true })
    },
  }
}
