import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface BuiltPage {
  readonly address: string
  /** The folder that is served. */
  readonly folder: string
}

/** Not `fileURLToPath`: the Chromium project, which loads this as well, has a stand-in for `node:url`. */
const root = decodeURIComponent(new URL('../..', import.meta.url).pathname)

/** Builds and serves the playground as it is deployed. */
export async function buildPage(): Promise<BuiltPage & { close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'toolport-page-'))
  const settings = ['demo', '--config', 'vite.config.ts', '--outDir', folder]
  const build = vite(['build', ...settings, '--logLevel', 'error'])
  const [code] = (await once(build, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`The page was not built: exit ${code}`)
  const server = vite(['preview', ...settings, '--host', '127.0.0.1', '--port', '0'])
  const close = async (): Promise<void> => {
    server.kill()
    await rm(folder, { recursive: true, force: true })
  }
  return { address: await printedAddress(server), folder, close }
}

function vite(args: readonly string[]): ChildProcess {
  const { VITEST: _, NODE_ENV: __, ...env } = process.env
  return spawn(process.execPath, [`${root}/node_modules/vite/bin/vite.js`, ...args], {
    cwd: root,
    env: { ...env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

function printedAddress({ stdout }: ChildProcess): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    stdout?.on('data', (chunk: Buffer) => {
      output += String(chunk)
      const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(output)
      if (found) resolve(found[0])
    })
    stdout?.on('close', () => reject(new Error(`The server printed no address:\n${output}`)))
  })
}
