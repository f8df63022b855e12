import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import recorded from '../packages/registry/metadata.json' with { type: 'json' }

export interface RegistryServer {
  /** The base URL, with a slash at the end. */
  readonly address: string
  /** The requests, in order. */
  readonly asked: { readonly method: string; readonly path: string; readonly headers: IncomingHttpHeaders }[]
  close(): Promise<void>
}

/** A registry of the recorded packages on the loopback interface. Its base path is `/npm/`, because not every registry is at a root. */
export async function startRegistry(): Promise<RegistryServer> {
  const asked: RegistryServer['asked'] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push({ method: request.method ?? '', path, headers: request.headers })
    const { status, type, body } = answerTo(decodeURIComponent(path))
    response.writeHead(status, { 'content-type': type })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/npm/`, asked, close: () => closeServer(server) }
}

export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

const JSON_TYPE = 'application/json'

function answerTo(path: string): { readonly status: number; readonly type: string; readonly body: string | Uint8Array } {
  const name = path.slice('/npm/'.length)
  const tarball = /^(.+)\/-\/[^/]+-(\d[^/]*)\.tgz$/.exec(name)
  if (tarball) {
    const file = new URL(`../packages/registry/${tarball[1]?.replace('/', '+')}-${tarball[2]}.tgz`, import.meta.url)
    if (existsSync(file)) return { status: 200, type: 'application/octet-stream', body: readFileSync(file) }
  }
  const metadata = (recorded as Record<string, unknown>)[name]
  return metadata
    ? { status: 200, type: JSON_TYPE, body: JSON.stringify(metadata) }
    : { status: 404, type: JSON_TYPE, body: '{"error":"Not found"}' }
}
