// @module-tag mcp
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { InMemoryTransport as OldInMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { defineTool } from 'toolport'
import { createMcpServer } from 'toolport/mcp'
import { afterEach, describe, expect, it } from 'vitest'
import { CLI } from './cli-support.js'
import { HEADERS, serveHttp, standardRuntime, until } from './mcp-support.js'

const VERSION = '2026-07-28'
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const newClient = (mode: 'auto' | 'legacy'): Client => new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })

type Connect = (client: Client) => Promise<void>

/** Starts a server that has `a.txt`, and returns a way to connect to it. */
const SERVERS: Readonly<Record<string, () => Promise<Connect>>> = {
  async stdio() {
    const root = await mkdtemp(join(tmpdir(), 'toolport-modern-'))
    await writeFile(join(root, 'a.txt'), 'hello\n')
    closing.push(() => rm(root, { recursive: true, force: true, maxRetries: 10 }))
    const args = [CLI, 'mcp', '--root', root]
    return (client) => client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }))
  },
  async HTTP() {
    const runtime = standardRuntime()
    await runtime.workspace.writeText('a.txt', 'hello\n')
    const served = await serveHttp(runtime)
    closing.push(
      () => runtime.dispose(),
      () => served.close(),
    )
    return (client) => client.connect(new StreamableHTTPClientTransport(served.url))
  },
  async memory() {
    const runtime = standardRuntime()
    await runtime.workspace.writeText('a.txt', 'hello\n')
    const server = createMcpServer(runtime)
    closing.push(
      () => runtime.dispose(),
      () => server.close(),
    )
    const [near, far] = InMemoryTransport.createLinkedPair()
    await server.connect(far as unknown as OldInMemoryTransport)
    return (client) => client.connect(near)
  },
}

describe.each(Object.keys(SERVERS))('a client of SDK 2 over %s', (transport) => {
  it.each([
    ['auto', VERSION],
    ['legacy', '2025-11-25'],
  ] as const)('negotiates: %s uses %s', async (mode, version) => {
    const client = newClient(mode)
    await (await SERVERS[transport]?.())?.(client)
    closing.push(() => client.close())
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    expect(client.getServerVersion()?.name).toBe('toolport')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('read_file')
    const { content } = await client.callTool({ name: 'read_file', arguments: { path: 'a.txt' } })
    expect(JSON.stringify(content)).toContain('hello')
    const { contents } = await client.readResource({ uri: 'workspace:///a.txt' })
    expect(contents[0]).toMatchObject({ text: 'hello\n', mimeType: 'text/plain' })
    await expect(client.readResource({ uri: 'workspace:///none.txt' })).rejects.toThrow('none.txt')
    const refused = { code: -32602, message: expect.stringMatching(/^(?:MCP error -32602: )?(?!MCP error)/) }
    await expect(client.callTool({ name: 'nope' })).rejects.toMatchObject(refused)
  })
})

describe.each(Object.keys(SERVERS))('a subscription of SDK 2 over %s', (transport) => {
  it('is acknowledged first and misses no later change', async () => {
    const client = newClient('auto')
    await (await SERVERS[transport]?.())?.(client)
    closing.push(() => client.close())
    const updated: string[] = []
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri))
    const resourceSubscriptions = ['workspace:///a.txt', 'workspace:///none.txt', 'workspace:///a.txt']
    const subscription = await client.listen({ toolsListChanged: true, promptsListChanged: true, resourceSubscriptions })
    expect(subscription.honoredFilter).toEqual({ toolsListChanged: true, resourceSubscriptions: ['workspace:///a.txt'] })
    await client.callTool({ name: 'delete_file', arguments: { path: 'a.txt' } })
    await until(() => updated.length > 0)
    expect(updated).toEqual(['workspace:///a.txt'])
    await subscription.close()
    expect(await subscription.closed).toBe('local')
  })
})

const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** A server in this process that exchanges plain messages. */
async function plain() {
  const runtime = standardRuntime()
  const server = createMcpServer(runtime, { pollMs: 20 })
  closing.push(
    () => runtime.dispose(),
    () => server.close(),
  )
  const [near, far] = OldInMemoryTransport.createLinkedPair()
  await server.connect(far)
  const received: unknown[] = []
  const onReceive: ((message: { readonly method?: string }) => void)[] = []
  near.onmessage = (message) => {
    received.push(message)
    for (const receive of onReceive) receive(message as { readonly method?: string })
  }
  await near.start()
  const send = (message: object) => near.send({ jsonrpc: '2.0', ...message } as JSONRPCMessage)
  return { runtime, server, received, send, onReceive }
}

describe('the protocol without a handshake', () => {
  it('notifies subscribers of changed files and tools until they cancel, with the id of the request', async () => {
    const { runtime, received, send } = await plain()
    const notifications = { toolsListChanged: true, resourceSubscriptions: ['workspace:///README.md'] }
    await send({ id: 'mine', method: 'subscriptions/listen', params: { _meta: META, notifications } })
    const _meta = { 'io.modelcontextprotocol/subscriptionId': 'mine' }
    await until(() => received.length === 1)
    expect(received[0]).toMatchObject({ method: 'notifications/subscriptions/acknowledged', params: { notifications, _meta } })
    await runtime.workspace.writeText('README.md', 'changed\n')
    await until(() => received.length === 2)
    expect(received[1]).toMatchObject({ method: 'notifications/resources/updated', params: { uri: 'workspace:///README.md', _meta } })
    await send({ method: 'notifications/cancelled', params: { requestId: 'mine' } })
    await runtime.workspace.writeText('README.md', 'again\n')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(received.length).toBe(2)
  })

  it('acknowledges a subscription before any other message', async () => {
    const { runtime, received, send, onReceive } = await plain()
    onReceive.push(({ method }) => {
      if (method?.endsWith('acknowledged')) void runtime.workspace.writeText('README.md', 'at once\n')
    })
    const notifications = { toolsListChanged: true, resourceSubscriptions: ['workspace:///README.md', 'workspace:///none.md', 7] }
    await send({ id: 'mine', method: 'subscriptions/listen', params: { _meta: META, notifications } })
    // If the tools change before the acknowledgement, the server announces the change after it.
    runtime.registry.register(defineTool({ name: 'late', description: 'Late.', inputSchema: { type: 'object' }, run: () => '' }))
    await send({ id: 2, method: 'tools/call', params: { _meta: META, name: 'late', arguments: {} } })
    await until(() => received.length === 4)
    const [first, ...others] = received.filter((message) => !('id' in (message as object)))
    expect(first).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true, resourceSubscriptions: ['workspace:///README.md'] } },
    })
    expect(others.map((message) => (message as { method: string }).method).sort()).toEqual([
      'notifications/resources/updated',
      'notifications/tools/list_changed',
    ])
  })

  it('ends subscriptions with a result on close, and at once if nothing is supported', async () => {
    const { server, received, send } = await plain()
    const listen = (id: string, notifications: object) =>
      send({ id, method: 'subscriptions/listen', params: { _meta: META, notifications } })
    await listen('none', { promptsListChanged: true })
    await listen('tools', { toolsListChanged: true })
    await until(() => received.length === 3)
    await server.close()
    const results = received.filter((message) => 'result' in (message as object))
    expect(results).toMatchObject(
      ['none', 'tools'].map((id) => ({ id, result: { resultType: 'complete', _meta: { 'io.modelcontextprotocol/subscriptionId': id } } })),
    )
  })

  it('sends log messages only to requests that set a level', async () => {
    const { received, send } = await plain()
    const params = { name: 'nope.txt', arguments: {} }
    await send({ id: 1, method: 'tools/call', params: { ...params, _meta: META } })
    const call = { name: 'read_file', arguments: { path: 'none' } }
    await send({ id: 2, method: 'tools/call', params: { ...call, _meta: META } })
    await until(() => received.length === 2)
    expect(received.filter((message) => JSON.stringify(message).includes('notifications/message'))).toEqual([])
    await send({ id: 3, method: 'tools/call', params: { ...call, _meta: { ...META, 'io.modelcontextprotocol/logLevel': 'debug' } } })
    await until(() => received.some((message) => (message as { id?: unknown }).id === 3))
    expect(received.slice(2)).toContainEqual(expect.objectContaining({ method: 'notifications/message' }))
  })

  it.each([
    ['ping', META, -32601],
    ['initialize', META, -32601],
    ['tools/list', { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }, -32022],
    ['tools/list', { 'io.modelcontextprotocol/protocolVersion': VERSION }, -32602],
    ['tools/list', { ...META, 'io.modelcontextprotocol/logLevel': 'loud' }, -32602],
    ['server/discover', {}, -32602],
    ['subscriptions/listen', {}, -32602],
  ])('answers %s with %j by %i', async (method, _meta, code) => {
    const { received, send } = await plain()
    await send({ id: 1, method, params: { _meta } })
    await until(() => received.length === 1)
    expect(received).toEqual([
      { jsonrpc: '2.0', id: 1, error: expect.objectContaining({ code, message: expect.stringMatching(/^Cannot /) }) },
    ])
  })

  it('the protocol over HTTP requires headers that match the body', async () => {
    const runtime = standardRuntime()
    const { url, close } = await serveHttp(runtime)
    closing.push(() => runtime.dispose(), close)
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'glob', arguments: { pattern: '*' }, _meta: META },
    })
    const status = async (headers: Record<string, string>) => {
      const response = await fetch(url, { method: 'POST', headers: { ...HEADERS, ...headers }, body })
      return [response.status, /"code":(-\d+)/.exec(await response.text())?.[1]]
    }
    const right = { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/call', 'mcp-name': 'glob' }
    expect(await status(right)).toEqual([200, undefined])
    expect(await status({ ...right, 'mcp-name': `=?base64?${btoa('glob')}?=` })).toEqual([200, undefined])
    for (const wrong of [{ ...right, 'mcp-name': 'grep' }, { ...right, 'mcp-method': 'tools/list' }, {}, { ...right, 'mcp-name': '' }]) {
      expect(await status(wrong)).toEqual([400, '-32020'])
    }
    const get = await fetch(url, { headers: { ...HEADERS, ...right } })
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
  })
})
