import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the built playground, a `BuiltPage`. */
    builtPage: string
  }
}

export interface BuiltPage {
  readonly address: string
  /** What it serves. */
  readonly folder: string
}

type ServedPage = BuiltPage & { close(): Promise<void> }

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The playground as it is deployed: built and served once in a run, when the first test asks for it, so never from older sources. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let served: Promise<ServedPage> | undefined
  const forget = async (): Promise<void> => {
    const page = await served?.catch(() => undefined)
    served = undefined
    await page?.close()
  }
  const server = createServer(async (_, response) => {
    served ??= servePage()
    try {
      const { address, folder } = await served
      response.end(JSON.stringify({ address, folder } satisfies BuiltPage))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  project.provide('builtPage', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  // While sources are watched, each run has its own.
  project.onTestsRerun(forget)
  return async () => {
    server.close()
    await forget()
  }
}

async function servePage(): Promise<ServedPage> {
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
