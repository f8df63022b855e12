import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { CallToolResult, Progress } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Client, Edge, until } from './support.js'

let edge: Edge
beforeAll(async () => {
  edge = await Edge.start({ bindings: { OPEN: 'true', CREATIONS_PER_MINUTE: '1000' } })
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

const LOOP = { name: 'bash', arguments: { command: 'echo go; while true; do :; done' } }

it('the client of the SDK initializes, lists, calls, reads resources, and is told what is wrong', async () => {
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

it('a call tells its progress, and a cancelled one ends', async () => {
  const client = await edge.create()
  const mcp = await connect(client)
  const seen: Progress[] = []
  const call = { name: 'bash', arguments: { command: 'echo one; sleep 0.2; echo two' } }
  await mcp.callTool(call, undefined, { onprogress: (progress) => seen.push(progress) })
  expect(seen.map(({ message }) => message)).toEqual(['one\n', 'two\n'])

  const cancel = new AbortController()
  const began = new Promise<void>((resolve) => {
    mcp.callTool(LOOP, undefined, { signal: cancel.signal, onprogress: () => resolve() }).catch(() => {})
  })
  await began
  expect((await client.describe()).usage.calls).toBe(1)
  cancel.abort()
  await until(async () => (await client.describe()).usage.calls === 0)
  await mcp.close()
})

it('a client goes on after a restart, which has ended its session', async () => {
  const client = await edge.create({ files: { 'a.txt': 'kept' } })
  const mcp = await connect(client)
  const read = async (): Promise<string> => JSON.stringify(await mcp.callTool({ name: 'read_file', arguments: { path: 'a.txt' } }))
  expect(await read()).toContain('kept')
  await edge.restart()
  expect(await read()).toContain('kept')
  expect((await mcp.listTools()).tools.length).toBeGreaterThan(20)
  await mcp.close()
})

it('is refused to others, and messages that are none are told so', async () => {
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
