import { NetworkError } from './errors/index.js'
import { notify } from './ops/notify.js'
import type { LocalServer, LocalServerOptions, LocalServers } from './types/servers.js'

const MOST = 65_535
/** The first port tried for port 0. */
const FIRST_FREE = 49_152

/** Creates a registry of HTTP servers for sandboxed programs. Programs that are granted the same registry share its ports. */
export function createLocalServers(): LocalServers {
  const handlers = new Map<number, Pick<LocalServerOptions, 'handle'>>()
  const listeners = new Set<() => void>()
  const changed = (): void => {
    for (const listener of [...listeners]) notify(listener)
  }
  const free = (): number => {
    for (let port = FIRST_FREE; port <= MOST; port++) if (!handlers.has(port)) return port
    throw inUse(0)
  }
  return {
    listen({ port, handle } = required()): LocalServer {
      if (typeof handle !== 'function')
        throw new TypeError('Cannot listen: the option "handle" is not a function. Pass (request) => Response.')
      if (!Number.isInteger(port) || port < 0 || port > MOST) throw new TypeError(`Cannot listen on port ${port}: expected 0 to ${MOST}.`)
      const own = port === 0 ? free() : port
      if (handlers.has(own)) throw inUse(own)
      const registered = { handle }
      handlers.set(own, registered)
      changed()
      return {
        port: own,
        close() {
          if (handlers.get(own) !== registered) return
          handlers.delete(own)
          changed()
        },
      }
    },
    async fetch(request) {
      const port = portOf(request.url)
      const server = handlers.get(port)
      if (!server) throw refused(request.url, port, [...handlers.keys()])
      const { signal } = request
      signal.throwIfAborted()
      try {
        return await server.handle(request)
      } catch (error) {
        signal.throwIfAborted()
        return badGateway(error)
      }
    },
    get ports() {
      return [...handlers.keys()].sort((one, other) => one - other)
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

const required = (): never => {
  throw new TypeError('Cannot listen: the options "port" and "handle" are missing.')
}

const inUse = (port: number): Error =>
  Object.assign(
    new Error(`EADDRINUSE: Cannot listen on port ${port}: another program uses it. Stop that program, or choose another port.`),
    { code: 'EADDRINUSE' },
  )

const PORT = /^(https?):\/\/(?:[^/?#]*@)?(?:\[[^\]]*\]|[^/?#:]*)(?::(\d+))?(?:[/?#]|$)/i

function portOf(url: string): number {
  const [, scheme, port] = PORT.exec(url) ?? []
  if (scheme === undefined) throw new TypeError(`Cannot fetch "${url}": expected an http URL such as http://localhost:3000/.`)
  return port ? Number(port) : scheme.toLowerCase() === 'https' ? 443 : 80
}

function refused(url: string, port: number, ports: readonly number[]): NetworkError {
  const open = ports.length === 0 ? 'No program listens on any port.' : `Open ports: ${ports.join(', ')}.`
  return new NetworkError('network', `ECONNREFUSED: Cannot fetch "${url}": no program listens on port ${port}. ${open}`)
}

const badGateway = (error: unknown): Response =>
  new Response(`${error instanceof Error ? error.message : String(error)}\n`, {
    status: 502,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  })
