// @module-tag edge
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { CallToolResult, Progress } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Client, Edge, PATIENT, until } from './support.js'

let edge: Edge
beforeAll(async () => {
  edge = await Edge.start({ bindings: { OPEN: 'true', CREATIONS_PER_MINUTE: '1000', HEARTBEAT_MS: '500', BURST: '100000', ...PATIENT } })
})
afterAll(() => edge?.stop())

async function connect(client: Client): Promise<McpClient> {
  const mcp = new McpClient({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(`${edge.address}${client.path}/mcp`), {
    requestInit: { headers: { ...client.headers } },
  })
  await mcp.connect(transport as Transport)
  return mcp
}

/** Endless loops that print one line first. */
const LOOPS = {
  'a command that computes': { name: 'bash', arguments: { command: 'echo go; while true; do :; done' } },
  'a command that waits': { name: 'bash', arguments: { command: 'echo go; while true; do sleep 60; done' } },
  'a program that waits': {
    name: 'run_js',
    arguments: { code: "console.log('go'); for (;;) await new Promise((go) => setTimeout(go, 5))" },
  },
  'a program that yields': { name: 'run_js', arguments: { code: "console.log('go'); for (;;) await null" } },
}

it('the SDK client initializes, lists, calls, reads resources, and gets errors', async () => {
  const client = await edge.create({ files: { 'a.txt': 'one\n', 'src/b.ts': 'b' } })
  const mcp = await connect(client)
  expect(mcp.getServerVersion()).toMatchObject({ name: 'toolport' })
  const { tools } = await mcp.listTools()
  const names = tools.map(({ name }) => name)
  for (const name of ['read_file', 'bash', 'run_js', 'read_background_bash']) expect(names).toContain(name)
  const read = (await mcp.callTool({ name: 'read_file', arguments: { path: 'a.txt' } })) as CallToolResult
  expect(read.content[0]).toMatchObject({ text: expect.stringContaining('one') })
  const bad = (await mcp.callTool({ name: 'read_file', arguments: { path: 7 } })) as CallToolResult
  expect(bad).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('path') }] })
  await expect(mcp.callTool({ name: 'nothing', arguments: {} })).rejects.toThrow('nothing')
  expect((await mcp.listResources()).resources.map(({ name }) => name)).toEqual(['a.txt', 'src/b.ts'])
  expect((await mcp.readResource({ uri: 'workspace:///a.txt' })).contents[0]).toMatchObject({ text: 'one\n' })
  await expect(mcp.readResource({ uri: 'workspace:///../etc/passwd' })).rejects.toThrow()
  await mcp.close()
})

it('an MCP call reports progress', async () => {
  const client = await edge.create()
  const mcp = await connect(client)
  const seen: Progress[] = []
  const call = { name: 'bash', arguments: { command: 'echo one; sleep 0.2; echo two' } }
  await mcp.callTool(call, undefined, { onprogress: (progress) => seen.push(progress) })
  expect(seen.map(({ message }) => message)).toEqual(['one\n', 'two\n'])
  await mcp.close()
})

it.each(Object.entries(LOOPS))('%s ends when it is cancelled', async (_, loop) => {
  const client = await edge.create()
  const mcp = await connect(client)
  const cancel = new AbortController()
  await new Promise<void>((resolve) => {
    mcp.callTool(loop, undefined, { signal: cancel.signal, onprogress: () => resolve() }).catch(() => {})
  })
  expect((await client.describe()).usage.calls).toBe(1)
  cancel.abort()
  await until(async () => (await client.describe()).usage.calls === 0)
  await mcp.close()
})

it('a call without a session ends when its client disconnects', async () => {
  const client = await edge.create()
  const left = new AbortController()
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'bash', arguments: { command: 'sleep 100000' } } }
  const asked = edge.fetch(`${client.path}/mcp`, {
    method: 'POST',
    headers: {
      ...client.headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': 'x',
    },
    body: JSON.stringify(body),
    signal: left.signal,
  })
  asked.then((response) => response.text()).catch(() => {})
  await until(async () => (await client.describe()).usage.calls === 1)
  left.abort()
  await until(async () => (await client.describe()).usage.calls === 0)
})

it('clients that disconnected silently do not block new ones', async () => {
  const client = await edge.create({ files: { 'a.txt': 'a' } })
  const all: McpClient[] = []
  for (let at = 0; at < 70; at++) all.push(await connect(client))
  const mcp = await connect(client)
  expect(JSON.stringify(await mcp.callTool({ name: 'read_file', arguments: { path: 'a.txt' } }))).toContain('a')
  // A client whose session was ended to make room is still served, without a session.
  expect(JSON.stringify(await all[0]?.callTool({ name: 'read_file', arguments: { path: 'a.txt' } }))).toContain('a')
  await Promise.all([mcp, ...all].map((one) => one.close()))
})

it('a client continues after a restart, which ended its session', async () => {
  const client = await edge.create({ files: { 'a.txt': 'kept' } })
  const mcp = await connect(client)
  const read = async (): Promise<string> => JSON.stringify(await mcp.callTool({ name: 'read_file', arguments: { path: 'a.txt' } }))
  expect(await read()).toContain('kept')
  await edge.restart()
  expect(await read()).toContain('kept')
  expect((await mcp.listTools()).tools.length).toBeGreaterThan(20)
  await mcp.close()
})

it('requests without a token and invalid messages are rejected', async () => {
  const client = await edge.create()
  const post = (body: string, headers: Readonly<Record<string, string>>): Promise<Response> =>
    edge.fetch(`${client.path}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body,
    })
  expect((await post('{}', {})).status).toBe(401)
  expect((await post('{}', { authorization: 'Bearer x' })).status).toBe(401)
  for (const body of ['', '{', '[]', '{}', '1', 'null']) {
    const response = await post(body, client.headers)
    expect({ body, status: response.status }).toEqual({ body, status: 400 })
    expect(await response.json()).toHaveProperty('error')
  }
})
