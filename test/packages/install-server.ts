import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import type { Answer } from './install-support.js'

export const hasNpm: boolean = await promisify(execFile)('npm', ['--version']).then(
  () => true,
  () => false,
)

export interface LoopbackRegistry {
  /** The base URL, with a slash at the end. */
  readonly address: string
  close(): void
}

/** Serves a registry on the loopback interface. `answerOf` is called for each request, so that a test can change the answers. */
export async function serveRegistry(answerOf: (path: string) => Answer): Promise<LoopbackRegistry> {
  const server = createServer(async ({ url = '', headers }, response) => {
    const closed = new AbortController()
    response.once('close', () => closed.abort())
    const request = { url, headers: new Headers(headers as Record<string, string>), signal: closed.signal }
    const answer = await answerOf(url.slice(1))(request)
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/octet-stream' })
    response.end(new Uint8Array(await answer.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
