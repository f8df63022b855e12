import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface BuiltPage {
  readonly address: string
  close(): void
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The playground as it is deployed, built into a place of its own and served from there. */
export async function serveBuiltPage(place: string): Promise<BuiltPage> {
  await buildPage(place)
  const server = vite(['preview', ...settingsFor(place), '--host', '127.0.0.1', '--port', '0'])
  return { address: await printedAddress(server), close: () => void server.kill() }
}

/** The folder that it is built into. */
export async function buildPage(place: string): Promise<string> {
  const build = vite(['build', ...settingsFor(place), '--logLevel', 'error'])
  const [code] = (await once(build, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`The page was not built: exit ${code}`)
  return folderOf(place)
}

const folderOf = (place: string): string => `${root}.cache/${place}`

const settingsFor = (place: string): readonly string[] => ['demo', '--config', 'vite.config.ts', '--outDir', folderOf(place)]

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
