import { type ChildProcess, spawn } from 'node:child_process'
import { type RegistryServer, startRegistry } from '../demo/registry-server.js'

export interface BuiltPage {
  readonly address: string
  /** The folder that the server serves. */
  readonly folder: string
  /** Requests that the page's registry has received so far. */
  readonly asked: RegistryServer['asked']
}

/** Does not use `fileURLToPath`: Vitest's project `chromium` also loads this file, and replaces `node:url` with a stub. */
const root = decodeURIComponent(new URL('../..', import.meta.url).pathname)

/** Builds and serves the playground with the command of the README, on a free port and with a registry of recorded packages. */
export async function buildPage(): Promise<BuiltPage & { close(): Promise<void> }> {
  const registry = await startRegistry()
  const { VITEST: _, NODE_ENV: __, ...env } = process.env
  const server = spawn('npm', ['start', '--', '--port', '0'], {
    cwd: root,
    env: { ...env, NO_COLOR: '1', npm_config_registry: registry.address },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = (): void => {
    // Ends the whole process group: npm, its shell and vite.
    if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid, 'SIGTERM')
  }
  // A separate process group does not receive the terminal's Ctrl+C, so it is ended when this process exits.
  process.once('exit', stop)
  const close = async (): Promise<void> => {
    process.off('exit', stop)
    stop()
    await registry.close()
  }
  return { address: await printedAddress(server), folder: `${root}dist/demo`, asked: registry.asked, close }
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
