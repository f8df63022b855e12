// @module-tag mcp
import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  ErrorCode,
  ListRootsRequestSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { ToolRuntime } from 'toolport'
import { createQuickJs } from 'toolport/adapters/quickjs'
import type { McpHandlerOptions } from 'toolport/mcp'
import { createMcpHandler, toNodeListener } from 'toolport/mcp'
import { createTestHost } from 'toolport/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { closingAfter } from '../../src/entries/mcp/close-after-response.js'
import { jsWorkers } from '../adapters/node-workers.js'
import {
  callEveryTool,
  callTool,
  cancelLoop,
  connectHttp,
  HEADERS,
  type HttpServed,
  INITIALIZE,
  JS_LOOP,
  newClient,
  PATIENT,
  progressOf,
  serveHttp,
  standardRuntime,
  textOf,
  until,
} from './mcp-support.js'

const worker = await jsWorkers()
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function setup(
  options: McpHandlerOptions = {},
  runtime = standardRuntime(),
): Promise<HttpServed & { readonly runtime: ToolRuntime }> {
  const served = await serveHttp(runtime, options)
  closing.push(() => runtime.dispose(), served.close)
  return { ...served, runtime }
}

async function connect(url: URL, client = newClient()) {
  await connectHttp(url, client)
  closing.push(() => client.close())
  return client
}

function post(url: URL, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', body, headers: { ...HEADERS, ...headers } })
}

describe('an MCP client over HTTP', () => {
  it('lists, calls, reads and gets progress', async () => {
    const { url } = await setup({ pageSize: 4 })
    const client = await connect(url)
    const { tools, nextCursor } = await client.listTools()
    expect([tools.length, typeof nextCursor]).toEqual([4, 'string'])
    expect(textOf(await callTool(client, 'read_file', { path: 'README.md' }))).toContain('# Hello')
    expect((await callTool(client, 'read_file', { path: 7 })).isError).toBe(true)
    await expect(callTool(client, 'nope')).rejects.toMatchObject({ code: ErrorCode.InvalidParams })
    expect((await client.readResource({ uri: 'workspace:///src/a.ts' })).contents[0]).toMatchObject({ text: 'export const a = 1\n' })
    const seen = await progressOf(client, 'one', 'two')
    expect(seen.map(({ message }) => message).join('')).toBe('one\ntwo\n')
  })

  it('calls every tool', async () => {
    const { url, runtime } = await setup({}, standardRuntime({ checkpoints: { automatic: true } }))
    const checkpoint = async () => (await runtime.workspace.checkpoints())[0]?.id ?? ''
    expect(await callEveryTool(await connect(url), { checkpoint })).toEqual([])
  })

  it('cancels a looping program in a worker', async () => {
    const { url, runtime } = await setup({}, standardRuntime({ js: createQuickJs({ worker }) }))
    const client = await connect(url)
    await cancelLoop(client, runtime, JS_LOOP)
    expect(textOf(await callTool(client, 'run_js', { code: 'console.log("still here")' }))).toContain('still here')
  })

  it('cancels a running loop', async () => {
    const { url, runtime } = await setup()
    const client = await connect(url)
    await cancelLoop(client, runtime)
  })

  it('gets the right answers to many concurrent calls, beside another client', async () => {
    const { url, runtime } = await setup()
    for (let i = 0; i < 100; i++) await runtime.workspace.writeText(`many/${i}.txt`, `content of ${i}\n`)
    const clients = [await connect(url), await connect(url)]
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        callTool(clients[i % 2] ?? newClient(), 'read_file', { path: `many/${i % 100}.txt`, numbered: false }, PATIENT),
      ),
    )
    answers.forEach((answer, i) => {
      expect(textOf(answer).trim()).toBe(`content of ${i % 100}`)
    })
  })

  it('is notified of changed files and tools, also by others, and asked for its roots', async () => {
    const roots: unknown[] = []
    const { url } = await setup({ onRoots: (all) => roots.push(all) })
    const watching = newClient({ roots: { listChanged: true } })
    let now = [{ uri: 'file:///one' }]
    watching.setRequestHandler(ListRootsRequestSchema, () => ({ roots: now }))
    const seen: string[] = []
    watching.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void seen.push(params.uri))
    watching.setNotificationHandler(ToolListChangedNotificationSchema, () => void seen.push('tools'))
    await connect(url, watching)
    await until(() => roots.length > 0)
    now = [{ uri: 'file:///two' }]
    await watching.sendRootsListChanged()
    await until(() => roots.length > 1)
    expect(roots).toEqual([[{ uri: 'file:///one' }], now])
    await watching.subscribeResource({ uri: 'workspace:///README.md' })
    const other = await connect(url)
    await callTool(other, 'write_file', { path: 'README.md', content: 'new' })
    await until(() => seen.length > 0)
    await callTool(other, 'create_persistent_tool', { name: 'greet', description: 'Greets.', handler_code: 'return "hello"' })
    await until(() => seen.length > 1)
    expect(seen).toEqual(['workspace:///README.md', 'tools'])
  })

  it('can end its session', async () => {
    const { url } = await setup()
    const client = await connect(url)
    const transport = client.transport as StreamableHTTPClientTransport
    const session = { 'mcp-session-id': transport.sessionId ?? '' }
    await transport.terminateSession()
    expect((await post(url, '{"jsonrpc":"2.0","id":2,"method":"ping"}', session)).status).toBe(404)
  })
})

describe('HTTP sessions', () => {
  it('end above the maximum, least recently used first, and when they are idle', async () => {
    const host = createTestHost()
    const { url } = await setup({ maxSessions: 2, idleMs: 1000 }, standardRuntime({ host }))
    const begin = async () => (await post(url, JSON.stringify(INITIALIZE))).headers.get('mcp-session-id') ?? ''
    const ping = async (id: string) => (await post(url, '{"jsonrpc":"2.0","id":2,"method":"ping"}', { 'mcp-session-id': id })).status
    const [one, two] = [await begin(), await begin()]
    expect(await ping(one)).toBe(200)
    const three = await begin()
    expect([await ping(one), await ping(two), await ping(three)]).toEqual([200, 404, 200])
    await host.advance(2000)
    const four = await begin()
    expect([await ping(one), await ping(three), await ping(four)]).toEqual([404, 404, 200])
  })

  it('can be disabled', async () => {
    const { url, runtime } = await setup({ sessions: false })
    const client = await connect(url)
    expect((client.transport as StreamableHTTPClientTransport).sessionId).toBeUndefined()
    expect(textOf(await callTool(client, 'read_file', { path: 'README.md' }))).toContain('# Hello')
    const seen = await progressOf(client, 'one')
    expect(seen).toHaveLength(1)
    expect((await fetch(url, { headers: { accept: 'text/event-stream' } })).status).toBe(405)
    // A client that disconnects aborts its calls.
    const leave = new AbortController()
    const ended = new Promise((resolve) => runtime.on((event) => event.type === 'call_end' && resolve(event.result)))
    const params = { name: 'bash', arguments: { command: 'while true; do :; done' } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/call', params })
    const asked = await fetch(url, { method: 'POST', body, headers: HEADERS, signal: leave.signal })
    expect(asked.status).toBe(200)
    leave.abort()
    expect(await ended).toMatchObject({ output: { aborted: true } })
  })
})

it('a failing response breaks the connection', async () => {
  let closed = 0
  const failing = (): Response => {
    let pulled = false
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
      if (pulled) controller.error(new Error('failed'))
      else controller.enqueue(new Uint8Array([1]))
      pulled = true
    }
    return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }))
  }
  const server = createServer(
    toNodeListener(async () =>
      closingAfter(failing(), async () => {
        closed++
      }),
    ),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => server.close(resolve)))
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  await expect(response.arrayBuffer()).rejects.toThrow()
  expect(closed).toBe(1)
})

it('requests of web pages are rejected unless their origin is allowed', async () => {
  const { url } = await setup({ origins: ['https://app.example'] })
  const status = async (origin: string) => (await post(url, JSON.stringify(INITIALIZE), { origin })).status
  expect([await status('https://evil.example'), await status('null'), await status('https://app.example')]).toEqual([403, 403, 200])
})

it.each([
  [{}, 'http://localhost:3000', 'localhost', 'this Origin. Send the request from http://localhost, or without an Origin.'],
  [
    { origins: ['https://app.example'], hosts: ['my.example'] },
    'null',
    'my.example',
    'this Origin. Send the request from https://app.example, or without an Origin.',
  ],
  [{ hosts: ['my.example'] }, 'null', 'my.example', 'this Origin. Send the request without an Origin.'],
  [{}, undefined, 'evil.example:1', 'this Host. Use localhost or 127.0.0.1 or [::1].'],
  [{ hosts: ['my.example', 'app.example'] }, undefined, 'localhost', 'this Host. Use my.example or app.example.'],
] as const)('with %j, a rejected request learns what the server accepts (Origin %s, Host %s)', async (options, origin, host, words) => {
  const { url } = await setup(options)
  const request = httpRequest(url, { method: 'POST', headers: { ...HEADERS, host, ...(origin && { origin }) } })
  request.end(JSON.stringify(INITIALIZE))
  const [response] = await once(request, 'response')
  expect(JSON.parse(await text(response)).error.message).toBe(`Cannot answer the request: the server does not accept ${words}`)
})

it('requests of a page served under the same host and port are accepted', async () => {
  const { url } = await setup()
  const status = async (origin: string, host = url.host) => {
    const request = httpRequest(url, { method: 'POST', headers: { ...HEADERS, origin, host } })
    request.end(JSON.stringify(INITIALIZE))
    const [response] = await once(request, 'response')
    response.resume()
    return response.statusCode
  }
  expect(await status(url.origin)).toBe(200)
  const otherPort = `http://127.0.0.1:${Number(url.port) + 1}`
  expect([await status(otherPort), await status('http://evil.example', 'evil.example'), await status('null')]).toEqual([403, 403, 403])
})

it('createMcpHandler rejects invalid options', async () => {
  const runtime = standardRuntime()
  closing.push(() => runtime.dispose())
  for (const options of [{ maxSessions: 0 }, { idleMs: -1 }, { maxBodyBytes: 0.5 }, { bodyMs: 0 }, { pageSize: 0 }]) {
    expect(() => createMcpHandler(runtime, options)).toThrow(RangeError)
  }
})
