// @module-tag edge
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

let server: ChildProcess
let printed: string
let persist: string
beforeAll(async () => {
  persist = await mkdtemp(join(tmpdir(), 'toolport-edge-'))
  const { VITEST: _, NODE_ENV: __, ...env } = process.env
  server = spawn('npm', ['run', 'start:edge', '--', '--port', '0', '--persist', persist], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...env, NO_COLOR: '1' },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  printed = await printedUntil(server, /curl .*\n/)
})
afterAll(async () => {
  if (server?.pid !== undefined && server.exitCode === null) kill(server.pid, 'SIGTERM')
  await rm(persist, { recursive: true, force: true })
})

/** Kills the process group: npm, its shell, the script and workerd. */
function kill(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal)
  } catch (error) {
    // The group has already exited.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function printedUntil({ stdout, stderr }: ChildProcess, pattern: RegExp): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += String(chunk)
      if (pattern.test(output)) resolve(output)
    }
    stdout?.on('data', read)
    stderr?.on('data', read)
    stdout?.on('close', () => reject(new Error(`The server printed no such line:\n${output}`)))
  })
}

it('npm run start:edge prints a command that creates a workspace, and ends with Ctrl-C', async () => {
  const line = /^curl .*$/m.exec(printed)?.[0] ?? ''
  const created = await run(line)
  expect(JSON.parse(created)).toMatchObject({ id: expect.any(String), token: expect.any(String) })
  const ended = new Promise((resolve) => server.on('exit', resolve))
  expect(await readdir(persist)).not.toEqual([])
  kill(Number(server.pid), 'SIGINT')
  await ended
})

/** Runs a command line in a shell, as a reader pastes it. */
function run(line: string): Promise<string> {
  const shell = spawn('sh', ['-c', line], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  shell.stdout.on('data', (chunk) => {
    output += String(chunk)
  })
  return new Promise((resolve) => shell.on('close', () => resolve(output)))
}
