// @module-tag mcp
import { request as httpRequest } from 'node:http'
import { connect as connectSocket } from 'node:net'
import { createRuntime, defineTool, type ToolRuntime } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createMcpHandler, type McpHandler, type McpHandlerOptions, type McpRuntimes } from 'toolport/mcp'
import { createTestHost } from 'toolport/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { startHttpServer } from '../../src/entries/mcp/http-server.js'
import {
  callTool,
  connectHttp,
  HEADERS,
  INITIALIZE,
  LOOP,
  nextCall,
  PATIENT,
  serveHttp,
  standardRuntime,
  textOf,
  until,
} from './mcp-support.js'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface Made {
  readonly handler: McpHandler
  readonly runtime: ToolRuntime
  /** Sends a message to the handler directly. */
  readonly post: (message: unknown, headers?: Record<string, string>) => Promise<Response>
  /** Starts a session and returns its id. */
  readonly begin: () => Promise<string>
}

function make(options: McpHandlerOptions = {}, runtime = standardRuntime(), runtimes: McpRuntimes = runtime): Made {
  const handler = createMcpHandler(runtimes, options)
  closing.push(() => runtime.dispose(), handler.close)
  const post = (message: unknown, headers: Record<string, string> = {}) => {
    const body = typeof message === 'string' ? message : JSON.stringify(message)
    return handler(new Request('http://any/mcp', { method: 'POST', body, headers: { ...HEADERS, ...headers } }))
  }
  const begin = async (): Promise<string> => {
    const response = await post(INITIALIZE)
    await response.text()
    return response.headers.get('mcp-session-id') ?? ''
  }
  return { handler, runtime, post, begin }
}

const session = (id: string) => ({ 'mcp-session-id': id })
const call = (id: number, params: object = LOOP) => ({ jsonrpc: '2.0', id, method: 'tools/call', params })
const cancel = (requestId: number) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })
const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })

/** A request whose body stalls after its first part. */
function stalled(): Request {
  const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new TextEncoder().encode('{"jsonrpc"')) })
  return new Request('http://any/mcp', { method: 'POST', body, headers: HEADERS, duplex: 'half' } as RequestInit)
}

/** A tool that runs until it is aborted, and the signals of its running calls. */
function waitingRuntime() {
  const running = new Set<AbortSignal>()
  const wait = defineTool({
    name: 'wait',
    description: 'Waits.',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
    run: async (_, { signal }) => {
      running.add(signal)
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      running.delete(signal)
      return 'stopped'
    },
  })
  return { runtime: createRuntime({ fs: createMemoryFs(), tools: [wait] }), running }
}

/** Sizes of all maps and sets of an object. */
const sizesOf = (object: object): Record<string, number> =>
  Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => (value instanceof Map || value instanceof Set ? [[name, value.size]] : [])),
  )

async function errorOf(response: Response) {
  const { error, id } = (await response.json()) as { error: { code: number; message: string }; id: unknown }
  return [response.status, error.code, id]
}

describe('an HTTP request without a session', () => {
  it('creates a server only for a complete "initialize"', async () => {
    let made = 0
    const runtime = standardRuntime()
    const { post, handler } = make({ maxBodyBytes: 1000 }, runtime, () => {
      made++
      return runtime
    })
    expect(await errorOf(await post('{'))).toEqual([400, -32700, null])
    expect(await errorOf(await post(''))).toEqual([400, -32700, null])
    expect(await errorOf(await post([INITIALIZE]))).toEqual([400, -32600, null])
    expect(await errorOf(await post({ jsonrpc: '2.0', id: 3 }))).toEqual([400, -32600, 3])
    expect(await errorOf(await post('null'))).toEqual([400, -32600, null])
    expect(await errorOf(await post(ping(4)))).toEqual([400, -32000, 4])
    expect(await errorOf(await post({ ...INITIALIZE, params: {} }))).toEqual([400, -32602, 1])
    expect(await errorOf(await post({ pad: 'x'.repeat(2000) }))).toEqual([413, -32000, null])
    expect(await errorOf(await post(INITIALIZE, { 'content-type': 'application/jsonx' }))).toEqual([415, -32000, null])
    expect(await errorOf(await post(INITIALIZE, { 'content-type': 'text/plain; a=application/json' }))).toEqual([415, -32000, null])
    expect(await errorOf(await post(INITIALIZE, { accept: 'application/json' }))).toEqual([406, -32000, null])
    expect(await errorOf(await handler(new Request('http://any/', { headers: HEADERS })))).toEqual([400, -32000, null])
    const put = await handler(new Request('http://any/', { method: 'PUT', headers: HEADERS }))
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST, DELETE'])
    expect((await post(ping(5), session('none'))).status).toBe(404)
    expect(made).toBe(0)
    expect((await post(INITIALIZE, { 'content-type': 'Application/JSON; charset=utf-8' })).status).toBe(200)
    expect(made).toBe(1)
  })

  it('is not read beyond the body limit', async () => {
    const { handler } = make({ maxBodyBytes: 1000 })
    let pulled = 0
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled++
          controller.enqueue(new Uint8Array(600).fill(32))
        },
      },
      { highWaterMark: 0 },
    )
    const request = new Request('http://any/', { method: 'POST', body, headers: HEADERS, duplex: 'half' } as RequestInit)
    expect([(await handler(request)).status, pulled]).toEqual([413, 2])
  })

  it('may have a body of 4 MiB by default', async () => {
    const { post } = make()
    const size = 4 * 1024 * 1024
    expect((await post(' '.repeat(size))).status).toBe(400)
    expect((await post(' '.repeat(size + 1))).status).toBe(413)
  })

  it('a request with a stalled body is answered with 408', async () => {
    const host = createTestHost()
    const { handler } = make({ bodyMs: 1000 }, standardRuntime({ host }))
    const response = handler(stalled())
    await host.advance(999)
    await host.advance(2)
    expect((await response).status).toBe(408)
  })

  it('a request with a broken body is rejected', async () => {
    const { handler } = make()
    const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('gone')) })
    const request = new Request('http://any/', { method: 'POST', body, headers: HEADERS, duplex: 'half' } as RequestInit)
    expect(await errorOf(await handler(request))).toEqual([400, -32700, null])
  })

  it('requests of many new clients cannot exceed the session limit or close a session in use', async () => {
    const { post, begin } = make({ maxSessions: 10 })
    const working = await begin()
    // An unread response would itself keep the session alive.
    const pinged = async (n: number, id: string): Promise<number> => {
      const response = await post(ping(n), session(id))
      await response.text()
      return response.status
    }
    expect(await pinged(2, working)).toBe(200)
    const last: string[] = []
    for (let i = 0; i < 10; i++) {
      const ids = await Promise.all(Array.from({ length: 100 }, begin))
      last.splice(0, last.length, ...ids)
    }
    expect(await pinged(3, working)).toBe(200)
    const left = await Promise.all(last.map((id) => (id === '' ? 0 : pinged(4, id))))
    expect(left.filter((status) => status === 200)).toHaveLength(9)
  })
})

describe('HTTP over sockets', () => {
  it('slow, oversized and broken requests are rejected while others are served', async () => {
    const runtime = standardRuntime()
    const { url, close } = await serveHttp(runtime, { maxBodyBytes: 1000 })
    // Slow requests go to a server with a short body timeout. On a busy machine, a large request would exceed that timeout too.
    const hurried = await serveHttp(runtime, { bodyMs: 300, maxBodyBytes: 1000 })
    closing.push(() => runtime.dispose(), close, hurried.close)
    const client = await connectHttp(url)
    closing.push(() => client.close())
    const answers: number[] = []
    const slow = Array.from({ length: 20 }, () =>
      sent(hurried.url, { ...HEADERS, 'content-length': '100' }, (outgoing) => outgoing.write('{"jsonrpc')).then((status) =>
        answers.push(status),
      ),
    )
    const large = Array.from({ length: 20 }, () =>
      sent(url, HEADERS, (outgoing) => outgoing.write(' '.repeat(5000))).then((status) => answers.push(status)),
    )
    expect(textOf(await callTool(client, 'read_file', { path: 'README.md' }, PATIENT))).toContain('# Hello')
    await Promise.all([...slow, ...large])
    expect(answers.sort()).toEqual([...Array(20).fill(408), ...Array(20).fill(413)])
    expect(await brokenOff(url.port)).toMatch(/^HTTP\/1\.1 400 /)
    expect(textOf(await callTool(client, 'read_file', { path: 'README.md' }, PATIENT))).toContain('# Hello')
  })
})

/** The status of the response to a request whose body never ends. */
function sent(url: URL, headers: Record<string, string>, write: (outgoing: ReturnType<typeof httpRequest>) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(url, { method: 'POST', headers, agent: false }, (incoming) => {
      resolve(incoming.statusCode ?? 0)
      outgoing.destroy()
    })
    outgoing.on('error', reject)
    write(outgoing)
  })
}

function brokenOff(port: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket(Number(port), '127.0.0.1', () => socket.write('POST /mcp HTTP/1.1\r\nnonsense\r\n\r\n'))
    socket.once('data', (data) => resolve(String(data)))
    socket.once('error', reject)
  })
}

describe('an HTTP request in a session', () => {
  it('a request with the id of an open request is rejected, and the open one can be cancelled', async () => {
    const { post, begin, runtime } = make()
    const id = await begin()
    const { running, ended } = nextCall(runtime)
    const first = await post(call(7), session(id))
    await running
    expect(await errorOf(await post(call(7), session(id)))).toEqual([400, -32600, 7])
    expect((await post(cancel(7), session(id))).status).toBe(202)
    expect(await ended).toMatchObject({ output: { aborted: true } })
    // Its response ends without a result.
    expect(await first.text()).not.toContain('"id":7')
    expect(await (await post(ping(7), session(id))).text()).toContain('"id":7')
  })

  it('a request with the same id as a concurrent one is rejected', async () => {
    const { post, begin } = make()
    const id = await begin()
    const glob = { name: 'glob', arguments: { pattern: '*' } }
    const both = await Promise.all([post(call(7, glob), session(id)), post(call(7, glob), session(id))])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await both.find(({ status }) => status === 200)?.text()).toContain('README.md')
  })

  it('the session of 1,000 cancelled calls leaves no memory behind', async () => {
    const { runtime, running } = waitingRuntime()
    const server = await startHttpServer(runtime, { withSession: true, onClose: async () => {} })
    closing.push(() => runtime.dispose(), server.close)
    const send = (message: unknown, headers: Record<string, string> = {}) => {
      const request = new Request('http://any/mcp', { method: 'POST', body: JSON.stringify(message), headers: { ...HEADERS, ...headers } })
      return server.transport.handleRequest(request)
    }
    await (await send(INITIALIZE)).text()
    const headers = session(server.transport.sessionId ?? '')
    const kept = () => [server.gate.open, ...[server.transport, server.mcp.server, server.gate].map(sizesOf)]
    // The SDK forgets a request slightly after its response.
    await until(() => sizesOf(server.mcp.server)._requestHandlerAbortControllers === 0)
    const before = kept()
    for (let from = 1; from <= 1000; from += 100) {
      const ids = Array.from({ length: 100 }, (_, i) => from + i)
      const answers = await Promise.all(ids.map((id) => send(call(id, { name: 'wait', arguments: {} }), headers)))
      await until(() => running.size === 100)
      expect(kept()).not.toEqual(before)
      await Promise.all(ids.map((id) => send(cancel(id), headers)))
      for (const answer of answers) expect(await answer.text()).not.toContain('"id"')
      await until(() => running.size === 0)
    }
    await expect.poll(kept).toEqual(before)
  })

  it('the request of a client that disconnects neither ends a call nor raises an error', async () => {
    const { post, begin, runtime } = make()
    const id = await begin()
    const { running, ended } = nextCall(runtime)
    const response = await post(call(7, { name: 'bash', arguments: { command: 'echo go; sleep 0.05; echo done' } }), session(id))
    await running
    await response.body?.cancel()
    expect(await ended).toMatchObject({ output: { stdout: expect.stringContaining('done') } })
    expect((await post(ping(8), session(id))).status).toBe(200)
  })

  it('a request with a broken or oversized message is rejected, and the next is served', async () => {
    const { post, begin } = make({ maxBodyBytes: 1000 })
    const id = await begin()
    expect((await post('{', session(id))).status).toBe(400)
    expect((await post([ping(2), ping(3)], session(id))).status).toBe(400)
    expect((await post({ pad: 'x'.repeat(2000) }, session(id))).status).toBe(413)
    expect((await post(INITIALIZE, session(id))).status).toBe(400)
    expect((await post(ping(2), { ...session(id), 'mcp-protocol-version': '1999-01-01' })).status).toBe(400)
    expect((await post(ping(2), session(id))).status).toBe(200)
  })

  it('a request with arguments nested 100,000 deep is rejected, and the next is served', async () => {
    const { post, begin } = make()
    const id = await begin()
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const message = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read_file","arguments":{"path":${deep}}}}`
    expect(await (await post(message, session(id))).text()).toMatch(/isError|"error"/)
    expect((await post(ping(3), session(id))).status).toBe(200)
  })
})

describe('a session with an open response', () => {
  it('is not closed for a new session, which is rejected if all are in use', async () => {
    const { post, begin, runtime, handler } = make({ maxSessions: 2 })
    const [calling, listening] = [await begin(), await begin()]
    const { running, ended } = nextCall(runtime)
    const answer = await post(call(2), session(calling))
    await running
    const stream = await handler(new Request('http://any/', { headers: { ...HEADERS, ...session(listening) } }))
    const refused = await post(INITIALIZE)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await errorOf(refused)).toEqual([503, -32000, 1])
    await stream.body?.cancel()
    expect(await begin()).not.toBe('')
    expect((await post(ping(3), session(listening))).status).toBe(404)
    // The call continues although nobody reads its response, and keeps its session.
    await answer.body?.cancel()
    await begin()
    expect((await post(cancel(2), session(calling))).status).toBe(202)
    expect(await ended).toMatchObject({ output: { aborted: true } })
  })

  it('is not closed because it is old', async () => {
    const host = createTestHost()
    const { begin, handler, post } = make({ idleMs: 1000 }, standardRuntime({ host }))
    const [listening, idle] = [await begin(), await begin()]
    const stream = await handler(new Request('http://any/', { headers: { ...HEADERS, ...session(listening) } }))
    await host.advance(5000)
    await begin()
    expect((await post(ping(2), session(idle))).status).toBe(404)
    expect((await post(ping(2), session(listening))).status).toBe(200)
    await stream.body?.cancel()
    await host.advance(999)
    await begin()
    expect((await post(ping(3), session(listening))).status).toBe(200)
  })
})

describe('closing the HTTP handler', () => {
  it('answers 503, ends calls and streams, and can be repeated', async () => {
    for (const sessions of [true, false]) {
      const { post, begin, runtime, handler } = make({ sessions })
      const headers = sessions ? session(await begin()) : {}
      const { running, ended } = nextCall(runtime)
      let over = false
      void ended.then(() => {
        over = true
      })
      const answer = await post(call(2), headers)
      await running
      await Promise.all([handler.close(), handler.close()])
      expect(over).toBe(true)
      expect(await ended).toMatchObject({ output: { aborted: true } })
      expect(await answer.text()).not.toContain('"id":2')
      expect([(await post(INITIALIZE)).status, (await post(ping(3), headers)).status]).toEqual([503, 503])
    }
  })

  it('closing while "initialize" is read leaves nothing behind', async () => {
    const { handler } = make()
    const response = handler(stalled())
    await handler.close()
    expect((await response).status).toBe(503)
  })

  it('closing while a runtime is created disposes it', async () => {
    const runtime = standardRuntime()
    let give: ((made: ToolRuntime) => void) | undefined
    const making = () =>
      new Promise<ToolRuntime>((resolve) => {
        give = resolve
      })
    const { handler, post } = make({}, runtime, making)
    const response = post(INITIALIZE)
    await until(() => give !== undefined)
    const closed = handler.close()
    give?.(runtime)
    expect((await response).status).toBe(503)
    await closed
    expect(await runtime.execute({ name: 'glob', input: { pattern: '*' } })).toMatchObject({ output: { code: 'aborted' } })
  })
})

describe('a function that creates runtimes', () => {
  const disposed = async (runtime: ToolRuntime | undefined) => {
    const result = await runtime?.execute({ name: 'glob', input: { pattern: '*' } })
    return result?.ok === false && result.output.code === 'aborted'
  }

  it('isolates sessions, and each runtime is disposed with its session', async () => {
    const made: ToolRuntime[] = []
    const { post, begin, handler } = make({ maxSessions: 2 }, standardRuntime(), (request) => {
      expect(request.headers.get('accept')).toBe(HEADERS.accept)
      made.push(standardRuntime())
      return Promise.resolve(made.at(-1) as ToolRuntime)
    })
    const [one, two] = [await begin(), await begin()]
    await (await post(call(2, { name: 'write_file', arguments: { path: 'secret.txt', content: 'mine' } }), session(one))).text()
    const read = (id: string) => post(call(3, { name: 'read_file', arguments: { path: 'secret.txt' } }), session(id))
    expect(await (await read(one)).text()).toContain('mine')
    expect(await (await read(two)).text()).toContain('isError')
    await handler(new Request('http://any/', { method: 'DELETE', headers: session(one) }))
    await until(() => disposed(made[0]))
    await begin()
    await begin()
    // Of the two older sessions, the one that was never used ends to make room.
    await until(() => disposed(made[2]))
    expect(await disposed(made[1])).toBe(false)
    await handler.close()
    expect(await Promise.all(made.map(disposed))).toEqual([true, true, true, true])
  })

  it('is called for each request without sessions', async () => {
    const made: ToolRuntime[] = []
    const { post } = make({ sessions: false }, standardRuntime(), () => {
      made.push(standardRuntime())
      return made.at(-1) as ToolRuntime
    })
    for (const id of [1, 2])
      expect(await (await post(call(id, { name: 'glob', arguments: { pattern: '*.md' } }))).text()).toContain('README.md')
    expect(made).toHaveLength(2)
    for (const runtime of made) await until(() => disposed(runtime))
  })

  it('a function that throws rejects the request and uses no session', async () => {
    let fail = true
    const { post, begin } = make({ maxSessions: 1 }, standardRuntime(), () => {
      if (fail) throw new Error('no workspace')
      return standardRuntime()
    })
    await expect(post(INITIALIZE)).rejects.toThrow('no workspace')
    fail = false
    expect(await begin()).not.toBe('')
  })
})

describe('an error', () => {
  const withDispose = (dispose: () => Promise<void>, more: Partial<ToolRuntime> = {}): ToolRuntime => {
    const runtime = standardRuntime()
    const own = runtime.dispose.bind(runtime)
    return Object.assign(runtime, { dispose: () => own().then(dispose), ...more })
  }

  it('an error in dispose affects no request', async () => {
    const raised: unknown[] = []
    const onRaised = (error: unknown): void => void raised.push(error)
    process.on('unhandledRejection', onRaised)
    closing.push(async () => void process.off('unhandledRejection', onRaised))
    let disposed = 0
    const { post } = make({ sessions: false }, standardRuntime(), () =>
      withDispose(async () => {
        disposed++
        throw new Error('not disposed')
      }),
    )
    // One message without a response body, and one with.
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202)
    expect(await (await post(ping(1))).text()).toContain('"id":1')
    await until(() => disposed === 2)
    await new Promise((resolve) => setImmediate(resolve))
    expect(raised).toEqual([])
  })

  it('an error while a server starts disposes the runtime', async () => {
    let disposed = 0
    const { post } = make({}, standardRuntime(), () =>
      withDispose(async () => void disposed++, {
        on: () => {
          throw new Error('not started')
        },
      }),
    )
    await expect(post(INITIALIZE)).rejects.toThrow('not started')
    expect(disposed).toBe(1)
  })

  /** A request whose `method` throws after `readsBefore` reads. */
  function breaking(message: unknown, headers: Record<string, string> = {}, readsBefore = 0): Request {
    const request = new Request('http://any/mcp', { method: 'POST', body: JSON.stringify(message), headers: { ...HEADERS, ...headers } })
    let reads = 0
    return Object.defineProperty(request, 'method', {
      get() {
        if (++reads > readsBefore) throw new Error('no method')
        return 'POST'
      },
    })
  }

  /** Makes the request fail later and later, until the message is served. */
  async function breakUntilServed(handler: McpHandler, message: unknown, headers?: Record<string, string>): Promise<void> {
    for (let reads = 0; reads < 50; reads++) {
      const served = await handler(breaking(message, headers, reads)).then(
        async (response) => {
          await response.text()
          return response.ok
        },
        () => false,
      )
      if (served) return
    }
    throw new Error('It was never served')
  }

  it('an error while a server answers disposes the runtime and frees the id', async () => {
    let made = 0
    let disposed = 0
    const { handler, post } = make({}, standardRuntime(), () => {
      made++
      return withDispose(async () => void disposed++)
    })
    await breakUntilServed(handler, INITIALIZE)
    // All runtimes are disposed, except the one that has served the message.
    expect(made).toBeGreaterThan(1)
    expect(disposed).toBe(made - 1)
    const begun = await post(INITIALIZE)
    await begun.text()
    const id = begun.headers.get('mcp-session-id') ?? ''
    await breakUntilServed(handler, ping(7), session(id))
    expect(await (await post(ping(7), session(id))).text()).toContain('"result":{}')
    const alone = make({ sessions: false }, standardRuntime(), () => {
      made++
      return withDispose(async () => void disposed++)
    })
    await breakUntilServed(alone.handler, ping(1))
    await until(() => disposed === made - 2)
  })
})

describe('the Host header', () => {
  const sendTo = (url: URL, host: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const outgoing = httpRequest(url, { method: 'POST', headers: { ...HEADERS, host } }, (incoming) => {
        incoming.resume()
        resolve(incoming.statusCode ?? 0)
      })
      outgoing.on('error', reject).end(JSON.stringify(INITIALIZE))
    })

  it('must be a loopback name over loopback, unless others are allowed', async () => {
    const runtime = standardRuntime()
    const [plain, named, any] = await Promise.all(
      [undefined, ['App.example'], ['*']].map((hosts) => serveHttp(runtime, hosts ? { hosts } : {})),
    )
    closing.push(() => runtime.dispose())
    for (const served of [plain, named, any]) if (served) closing.push(served.close)
    const names = [
      '127.0.0.1',
      'localhost',
      'LOCALHOST:80',
      '[::1]:80',
      'localhost.',
      'evil.example',
      '127.0.0.1.evil.example',
      'localhost@evil.example',
    ]
    const statuses = (served: typeof plain) => Promise.all(names.map((name) => sendTo(served?.url ?? new URL('http://x'), name)))
    expect(await statuses(plain)).toEqual([200, 200, 200, 200, 200, 403, 403, 403])
    expect(await statuses(any)).toEqual(names.map(() => 200))
    expect([await sendTo(named?.url ?? new URL('http://x'), 'app.example:8788'), ...(await statuses(named))]).toEqual([
      200,
      ...names.map(() => 403),
    ])
  })

  it('may be any if the handler does not know the connection', async () => {
    const { handler } = make()
    const request = new Request('https://app.example/mcp', { method: 'POST', body: JSON.stringify(INITIALIZE), headers: HEADERS })
    expect((await handler(request)).status).toBe(200)
    const other = make({ hosts: ['other.example'] })
    const again = new Request('https://app.example/mcp', { method: 'POST', body: JSON.stringify(INITIALIZE), headers: HEADERS })
    expect((await other.handler(again)).status).toBe(403)
  })
})
