// @module-tag mcp
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { InMemoryTransport as OldInMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { defineTool, type PathRule, type RuntimePolicy } from 'toolport'
import { approveByMcpClient, createMcpServer } from 'toolport/mcp'
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
type Policy = RuntimePolicy & { readonly paths?: readonly PathRule[] }

const askingRuntime = (policy: Policy) => standardRuntime({ policy: { ...policy, approve: approveByMcpClient } })

/** Starts a server that has `a.txt`, and returns a way to connect to it. */
const SERVERS: Readonly<Record<string, (policy?: Policy) => Promise<Connect>>> = {
  async stdio(policy = {}) {
    const root = await mkdtemp(join(tmpdir(), 'toolport-modern-'))
    await writeFile(join(root, 'a.txt'), 'hello\n')
    closing.push(() => rm(root, { recursive: true, force: true, maxRetries: 10 }))
    const config = join(await mkdtemp(join(tmpdir(), 'toolport-modern-')), 'config.json')
    closing.push(() => rm(dirname(config), { recursive: true, force: true, maxRetries: 10 }))
    await writeFile(config, JSON.stringify({ root, policy }))
    const args = [CLI, 'mcp', '--config', config]
    return (client) => client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }))
  },
  async HTTP(policy = {}) {
    const runtime = askingRuntime(policy)
    await runtime.workspace.writeText('a.txt', 'hello\n')
    const served = await serveHttp(runtime)
    closing.push(
      () => runtime.dispose(),
      () => served.close(),
    )
    return (client) => client.connect(new StreamableHTTPClientTransport(served.url))
  },
  async memory(policy = {}) {
    const runtime = askingRuntime(policy)
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

type Action = 'accept' | 'decline' | 'cancel'

const WRITES = { tools: 'write_file', action: 'ask', reason: 'it writes' } as const
const SECRETS = { paths: '**/*.env', access: 'write', action: 'ask', reason: 'a secret' } as const

/** A client whose user gives these answers one after another. `asked` contains the messages that the user has seen. */
function askedClient(actions: readonly Action[], capabilities: object = { elicitation: { form: {} } }) {
  const client = new Client({ name: 'test', version: '1' }, { capabilities, versionNegotiation: { mode: 'auto' } })
  const asked: string[] = []
  if ('elicitation' in capabilities) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      // Nothing has run before the answer.
      await expect(client.readResource({ uri: 'workspace:///n.env' })).rejects.toThrow('n.env')
      return { action: actions[asked.push(params.message) - 1] ?? 'cancel' }
    })
  }
  return { client, asked }
}

describe.each(Object.keys(SERVERS))('an approval of SDK 2 over %s', (transport) => {
  const [tool, path] = [expect.stringContaining('needs an approval: it writes'), expect.stringContaining('needs an approval: a secret')]
  it.each<[string, Policy, readonly Action[], readonly unknown[], boolean]>([
    ['an accepted call runs', { tools: [WRITES] }, ['accept'], [tool], true],
    ['a declined call is denied', { tools: [WRITES] }, ['decline'], [tool], false],
    ['a cancelled call is denied', { tools: [WRITES] }, ['cancel'], [tool], false],
    ['a call runs after two accepted questions', { tools: [WRITES], paths: [SECRETS] }, ['accept', 'accept'], [tool, path], true],
    [
      'a call is denied if the second question is declined',
      { tools: [WRITES], paths: [SECRETS] },
      ['accept', 'decline'],
      [tool, path],
      false,
    ],
  ])('%s', async (_, policy, actions, questions, runs) => {
    const { client, asked } = askedClient(actions)
    await (await SERVERS[transport]?.(policy))?.(client)
    closing.push(() => client.close())
    expect(client.getNegotiatedProtocolVersion()).toBe(VERSION)
    const result = await client.callTool({ name: 'write_file', arguments: { path: 'n.env', content: 'x' } })
    expect(asked).toEqual(questions)
    expect(result.isError ?? false).toBe(!runs)
    const written = client.readResource({ uri: 'workspace:///n.env' }).then(
      () => true,
      () => false,
    )
    expect(await written).toBe(runs)
  })

  it.each([[{}], [{ elicitation: { url: {} } }]])(
    'a client with the capabilities %j is denied without a question',
    async (capabilities) => {
      const { client, asked } = askedClient(['accept'], capabilities)
      await (await SERVERS[transport]?.({ tools: [WRITES] }))?.(client)
      closing.push(() => client.close())
      const result = await client.callTool({ name: 'write_file', arguments: { path: 'n.env', content: 'x' } })
      expect([result.isError, asked]).toEqual([true, []])
    },
  )
})

const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** A server in this process that exchanges plain messages. */
async function plain(policy: Policy = {}) {
  const runtime = askingRuntime(policy)
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

const ASKING = { ...META, 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } }

interface Answered {
  readonly isError?: boolean
  readonly resultType: string
  readonly inputRequests?: Readonly<Record<string, { readonly params: { readonly message: string } }>>
}

/** A function that sends calls as plain messages, and returns the results and the keys of their questions. */
async function caller(policy: Policy, ...tools: readonly Parameters<typeof defineTool>[0][]) {
  const { runtime, received, send } = await plain(policy)
  for (const tool of tools) runtime.registry.register(defineTool(tool))
  let last = 0
  const call = async (name: string, input: object, answers: object = {}) => {
    const id = ++last
    await send({ id, method: 'tools/call', params: { _meta: ASKING, name, arguments: input, ...answers } })
    const find = () => received.find((message) => (message as { id?: unknown }).id === id)
    await until(() => find() !== undefined)
    const { result } = find() as { result: Answered }
    return { ...result, keys: Object.keys(result.inputRequests ?? {}) }
  }
  return { runtime, call }
}

const accepted = (keys: readonly string[]) => ({ inputResponses: Object.fromEntries(keys.map((key) => [key, { action: 'accept' }])) })

describe('the answer to a question', () => {
  it('approves only the same tool with the same input', async () => {
    const { runtime, call } = await caller({ tools: [{ tools: ['write_file', 'delete_file'], action: 'ask' }] })
    const input = { path: 'n.txt', content: 'x' }
    const { keys, resultType } = await call('write_file', input)
    expect([keys.length, resultType]).toEqual([1, 'input_required'])
    for (const [name, other] of [
      ['write_file', { ...input, content: 'y' }],
      ['write_file', { ...input, path: 'm.txt' }],
      ['write_file', { ...input, mode: 'create' }],
      ['delete_file', { path: 'n.txt' }],
    ] as const) {
      for (const answers of [accepted(keys), accepted([`${keys[0]} ${keys[0]}`])]) {
        const asked = await call(name, other, answers)
        expect([asked.resultType, asked.keys.includes(keys[0] ?? '')]).toEqual(['input_required', false])
      }
    }
    for (const answers of [{ inputResponses: [] }, { inputResponses: { other: { action: 'accept' } } }, { requestState: keys[0] }]) {
      expect((await call('write_file', input, answers)).keys).toEqual(keys)
    }
    for (const answer of [{}, 'accept', { action: 'decline' }, { action: ['accept'] }]) {
      expect(await call('write_file', input, { inputResponses: { [keys[0] ?? '']: answer } })).toMatchObject({ isError: true, keys: [] })
    }
    expect(await runtime.workspace.exists('n.txt')).toBe(false)
    expect(await call('write_file', input, accepted(keys))).toMatchObject({ resultType: 'complete', keys: [] })
    expect(await runtime.workspace.readText('n.txt')).toMatchObject({ text: 'x' })
  })

  it('approves only the path and the access that the question names', async () => {
    const { call } = await caller({ paths: [{ paths: ['one.txt', 'README.md'], action: 'ask' }] })
    const input = { from: 'README.md', to: 'one.txt' }
    const seen: string[] = []
    let result = await call('move_file', input)
    while (result.resultType === 'input_required') {
      const keys = result.keys[0]?.split(' ') ?? []
      // The id contains the accepted questions, and a new one.
      expect(keys.slice(0, -1)).toEqual(seen)
      seen.push(keys.at(-1) ?? '')
      expect(await call('move_file', input, { inputResponses: { [keys.join(' ')]: { action: 'decline' } } })).toMatchObject({
        isError: true,
      })
      result = await call('move_file', input, accepted(result.keys))
    }
    expect(result.isError).toBeUndefined()
    expect(new Set(seen).size).toBeGreaterThan(1)
  })

  it('approves a command before the command runs', async () => {
    const { runtime, call } = await caller({ commands: ({ command }) => (command.startsWith('echo') ? 'ask' : 'allow') })
    const input = { command: 'echo x >> log.txt' }
    const { keys } = await call('bash', input)
    expect(await runtime.workspace.exists('log.txt')).toBe(false)
    await call('bash', input, accepted(keys))
    expect(await runtime.workspace.readText('log.txt')).toMatchObject({ text: 'x\n' })
  })
})

it('a call that may have changed something is denied without a question', async () => {
  const inputSchema = { type: 'object' } as const
  const { runtime, call } = await caller(
    { tools: [{ tools: 'delete_file', action: 'ask' }], paths: [SECRETS] },
    {
      name: 'writes_two',
      description: 'Writes two files.',
      inputSchema,
      run: async (_, { workspace }) => {
        await workspace.writeText('first.txt', '')
        await workspace.writeText('second.env', '')
        return ''
      },
    },
    {
      name: 'nests',
      description: 'Calls a tool.',
      inputSchema,
      run: async (_, { invoke }) => String((await invoke?.('delete_file', { path: 'README.md' }))?.ok),
    },
  )
  expect(await call('writes_two', {})).toMatchObject({ isError: true, keys: [] })
  expect(await call('nests', {})).toMatchObject({ resultType: 'complete', keys: [], content: [{ text: expect.stringContaining('false') }] })
  expect(await call('bash', { command: 'echo x > s.env' })).toMatchObject({ resultType: 'complete', keys: [] })
  const patch = ['first.txt', 'third.env'].map((path) => `--- a/${path}\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`).join('')
  expect(await call('apply_patch', { patch, atomic: false })).toMatchObject({ isError: true, keys: [] })
  expect((await runtime.workspace.readText('first.txt')).text).toBe('x\n')
  expect(await call('apply_patch', { patch: patch.slice(patch.indexOf('--- a/third')) })).toMatchObject({ resultType: 'input_required' })
  for (const path of ['second.env', 's.env', 'third.env']) expect(await runtime.workspace.exists(path)).toBe(false)
  expect(await runtime.workspace.exists('README.md')).toBe(true)
})
