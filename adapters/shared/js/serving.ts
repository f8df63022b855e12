import type { FetchAdapter } from '../../../src/types/ports.js'
import type { LocalServer, LocalServers } from '../../../src/types/servers.js'
import type { ShellOutput } from '../../../src/types/shell.js'

/**
 * An event for a program's server: a request, or (`gone`) the number of a request whose client no longer waits for the response. Plain
 * data.
 */
export type ServerEvent =
  | {
      readonly id: number
      readonly server: number
      readonly method: string
      readonly url: string
      readonly headers: readonly (readonly [string, string])[]
      readonly body: boolean
    }
  | { readonly gone: number }

/** A program's call about one of its servers or requests. Plain data, which a hostile program may have forged. */
export interface ServerQuestion {
  readonly do: 'listen' | 'close' | 'read' | 'head' | 'write' | 'end' | 'fail'
  /** For `listen` and `close`: the number that the program has given to the server. */
  readonly server?: number
  readonly port?: number
  /** For all other operations: the number of the request. */
  readonly id?: number
  readonly status?: number
  readonly statusText?: string
  readonly headers?: readonly (readonly [string, string])[]
  readonly message?: string
}

export interface ServerAnswer {
  readonly value?: unknown
  readonly bytes?: Uint8Array
}

/** The servers of one program. `fetch` sends the program's own requests to the servers of all programs. */
export interface Serving extends FetchAdapter {
  ask(question: ServerQuestion, bytes: Uint8Array | undefined): Promise<ServerAnswer>
  /** Returns whether a URL leads to one of the servers. */
  reaches(url: string): boolean
  unreachable(url: string): Error
  /** Call with all output of the program: an error response quotes the end of stderr. */
  heard(output: ShellOutput): void
  /** Call when the program has ended: frees its ports and fails its open requests. */
  end(): void
}

const LOCAL = /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|.*\.localhost)$/
/** Maximum number of body bytes that a program reads per call. */
const PIECE = 65_536
/** Maximum number of characters of the program's stderr in an error response. */
const TOLD = 2000
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304])
/** Headers about a connection. They make no sense here, because a program has no connection. */
const HOP: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade'])

export function createServing(servers: LocalServers | undefined, tell: (event: ServerEvent) => void): Serving {
  const open = new Map<number, LocalServer>()
  const exchanges = new Map<number, Exchange>()
  /** The number of bytes of each request body whose size is known. */
  const sizes = new WeakMap<Request, number>()
  let last = 0
  let errors = ''
  let ended = false
  const handle = (server: number, request: Request): Promise<Response> => {
    const id = ++last
    const exchange = createExchange(request, () => {
      exchanges.delete(id)
      tell({ gone: id })
    })
    exchanges.set(id, exchange)
    const { method, url, headers, body } = request
    const size = sizes.get(request)
    const length = size === undefined || headers.has('content-length') ? [] : [['content-length', String(size)] as const]
    tell({ id, server, method, url, headers: [...headers, ...length], body: body !== null })
    return exchange.response
  }
  const listen = ({ server = 0, port = 0 }: ServerQuestion): ServerAnswer => {
    if (!servers || ended) throw new Error('Cannot listen: this program may not serve')
    const made = servers.listen({ port, handle: (request) => handle(server, request) })
    open.get(server)?.close()
    open.set(server, made)
    return { value: { port: made.port } }
  }
  const unreachable = (url: string): Error =>
    Object.assign(
      new Error(
        isLocal(url)
          ? `ECONNREFUSED: Cannot fetch "${url}": no program listens there. Open ports: ${servers?.ports.join(', ') || 'none'}.`
          : `Cannot fetch "${url}": fetch is not granted to this program`,
      ),
      { code: 'ECONNREFUSED' },
    )
  return {
    name: 'local servers',
    async ask(question, bytes) {
      if (question.do === 'listen') return listen(question)
      if (question.do === 'close') {
        open.get(question.server ?? 0)?.close()
        open.delete(question.server ?? 0)
        return {}
      }
      const { id = 0 } = question
      const exchange = exchanges.get(id)
      if (!exchange) return { value: false }
      if (question.do === 'end' || question.do === 'fail') exchanges.delete(id)
      return exchange.ask(question, bytes)
    },
    reaches: (url) => isLocal(url) && servers?.ports.includes(portOf(url)) === true,
    unreachable,
    async fetch({ url, method, headers, body, signal }) {
      if (!servers) throw unreachable(url)
      const request = new Request(url, {
        ...(method !== undefined && { method }),
        headers: headers as HeadersInit,
        ...(signal && { signal }),
        ...(body ? { body: body as BodyInit } : {}),
      })
      if (body instanceof Uint8Array || body instanceof ArrayBuffer) sizes.set(request, body.byteLength)
      return servers.fetch(request)
    },
    heard({ stream, text }) {
      if (stream === 'stderr' && servers) errors = (errors + text).slice(-TOLD)
    },
    end() {
      ended = true
      for (const server of open.values()) server.close()
      open.clear()
      const why = errors.trim()
      for (const exchange of exchanges.values()) exchange.fail(`The program ended before it responded.${why && `\n\n${why}`}`)
      exchanges.clear()
    },
  }
}

const parsed = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined)
const isLocal = (url: string): boolean => LOCAL.test(parsed(url)?.hostname ?? '')
const portOf = (url: string): number => {
  const { port = '', protocol = '' } = parsed(url) ?? {}
  return Number(port || (protocol === 'https:' ? 443 : 80))
}

/** A request that a program is handling. */
interface Exchange {
  readonly response: Promise<Response>
  ask(question: ServerQuestion, bytes: Uint8Array | undefined): Promise<ServerAnswer>
  fail(message: string): void
}

function createExchange(request: Request, left: () => void): Exchange {
  const reader = request.body?.getReader() as ReadableStreamDefaultReader<Uint8Array> | undefined
  let unread: Uint8Array = new Uint8Array(0)
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let wanted: (() => void) | undefined
  let over = false
  /** The value of `content-length`, unless the response has no body. */
  let expected: number | undefined
  let written = 0
  const { promise, resolve, reject } = settler<Response>()
  const finish = (): void => {
    over = true
    request.signal.removeEventListener('abort', abort)
    wanted?.()
    void reader?.cancel().catch(() => undefined)
  }
  const gone = (): void => {
    if (over) return
    finish()
    left()
  }
  const abort = (): void => {
    gone()
    reject(request.signal.reason)
    controller?.error(request.signal.reason)
  }
  request.signal.addEventListener('abort', abort)
  const body = (): ReadableStream<Uint8Array> =>
    new ReadableStream<Uint8Array>(
      {
        start(given) {
          controller = given
        },
        pull: () => wanted?.(),
        cancel: gone,
      },
      { highWaterMark: PIECE, size: (chunk) => chunk.byteLength },
    )
  const head = ({ status = 200, statusText = '', headers = [] }: ServerQuestion): void => {
    const kept = headers.filter(([name]) => !HOP.has(name.toLowerCase())).map(([name, value]) => [name, value] as [string, string])
    const none = NO_BODY.has(status) || request.method === 'HEAD'
    const length = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1]
    if (!none && length !== undefined && /^\d+$/.test(length)) expected = Number(length)
    resolve(new Response(none ? null : body(), { status, statusText, headers: kept }))
  }
  const read = async (): Promise<ServerAnswer> => {
    if (unread.length === 0) {
      const next = await reader?.read()
      if (!next || next.done) return { value: false }
      unread = next.value
    }
    const bytes = unread.slice(0, PIECE)
    unread = unread.subarray(PIECE)
    return { bytes }
  }
  const write = async (bytes: Uint8Array): Promise<ServerAnswer> => {
    if (over) return { value: false }
    if (bytes.length === 0 || !controller) return { value: true }
    written += bytes.length
    controller.enqueue(bytes)
    if ((controller.desiredSize ?? 1) <= 0) {
      await new Promise<void>((go) => {
        wanted = go
      })
      wanted = undefined
    }
    return { value: !over }
  }
  const fail = (message: string): void => {
    if (over) return
    finish()
    const error = new Error(message)
    reject(error)
    controller?.error(error)
  }
  return {
    response: promise,
    fail,
    async ask(question, bytes) {
      if (question.do === 'read') return read()
      if (question.do === 'write') return write(bytes ?? new Uint8Array(0))
      if (question.do === 'fail') fail(String(question.message))
      else if (question.do === 'head') {
        try {
          head(question)
        } catch (error) {
          fail(`The response is invalid: ${error instanceof Error ? error.message : String(error)}`)
        }
      } else if (question.do === 'end' && !over) {
        if (expected !== undefined && expected !== written) fail(`The response has ${written} bytes, and its content-length is ${expected}`)
        else {
          finish()
          controller?.close()
        }
      }
      return { value: true }
    },
  }
}

function settler<T>(): { promise: Promise<T>; resolve(value: T): void; reject(error: unknown): void } {
  let [resolve, reject]: [(value: T) => void, (error: unknown) => void] = [() => undefined, () => undefined]
  const promise = new Promise<T>((...given) => {
    ;[resolve, reject] = given
  })
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}
