import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { buildPage } from './built-page.js'
import { startGitServer } from './git-server.js'
import { recordCassette } from './record-cassette.js'
import { runCli } from './run-cli.js'
import { buildWorkers } from './worker-scripts.js'

type Start = () => Promise<{ close(): Promise<void> }>

const STARTS = { git: startGitServer, page: buildPage, cli: runCli, workers: buildWorkers, cassette: recordCassette } satisfies Record<
  string,
  Start
>

/** The data that `service(name)` returns: everything that the service's start function returns, except `close`. */
export type Services = { readonly [Name in keyof typeof STARTS]: Omit<Awaited<ReturnType<(typeof STARTS)[Name]>>, 'close'> }

interface Server {
  readonly origin: string
  /** Closes all started services. The next test run then starts them again with its own sources. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** Every project loads its own copy of this module, so the shared server is stored in a global. */
const shared = globalThis as { toolportServices?: Promise<Server> }

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.toolportServices ??= startServer()
  const { origin, reset, close } = await shared.toolportServices
  project.provide('services', origin)
  project.onTestsRerun(reset)
  return close
}

/** Starts each service at its first request, because most runs of a single test file need no service. */
async function startServer(): Promise<Server> {
  const started = new Map<string, ReturnType<Start>>()
  const server = createServer(async (request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
    const name = request.url?.slice(1) ?? ''
    const start = Object.entries<Start>(STARTS).find(([key]) => key === name)?.[1]
    if (!start) return void response.writeHead(404).end(`No test service is named "${name}"`)
    try {
      if (!started.has(name)) started.set(name, start())
      const { close: _, ...data } = (await started.get(name)) ?? {}
      response.end(JSON.stringify(data))
    } catch (error) {
      response.writeHead(500).end(`Cannot start the test service "${name}": ${String(error)}`)
    }
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const reset = async (): Promise<void> => {
    const all = [...started.values()]
    started.clear()
    for (const one of await Promise.allSettled(all)) if (one.status === 'fulfilled') await one.value.close()
  }
  const close = async (): Promise<void> => {
    server.close()
    await reset()
  }
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, reset, close }
}
