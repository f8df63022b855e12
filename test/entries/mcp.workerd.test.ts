// @module-tag mcp
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { createWorkerRuntime } from 'toolport/cloudflare'
import { createMcpHandler } from 'toolport/mcp'
import { expect } from 'vitest'
import { inside } from '../adapters/durable-object-support.workerd.js'

for (const sessions of [true, false]) {
  inside(`the SDK's client works with the handler ${sessions ? 'in a session' : 'without sessions'}`, async (storage) => {
    const runtime = createWorkerRuntime({ waitUntil: () => undefined, storage }, { files: { 'a.txt': 'one\n' } })
    const handler = createMcpHandler(runtime, { sessions })
    const client = new Client({ name: 'test', version: '1' })
    const transport = new StreamableHTTPClientTransport(new URL('http://worker/mcp'), {
      fetch: (url, init) => handler(new Request(url, init)),
    })
    await client.connect(transport as Transport)
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('bash')
    const result = (await client.callTool({ name: 'bash', arguments: { command: 'cat a.txt' } })) as CallToolResult
    expect(result.content[0]).toMatchObject({ text: expect.stringContaining('one') })
    const input = { path: 'a.txt', edits: [{ old_string: 'absent', new_string: '' }] }
    expect((await client.callTool({ name: 'edit_file', arguments: input })).isError).toBe(true)
    expect((await client.readResource({ uri: 'workspace:///a.txt' })).contents[0]).toMatchObject({ text: 'one\n' })
    await client.close()
    await handler.close()
    await runtime.dispose()
  })
}

inside('a call cancelled by its client ends, and the session continues until it is closed', async (storage) => {
  const runtime = createWorkerRuntime({ waitUntil: () => undefined, storage }, {})
  const handler = createMcpHandler(runtime, { structuredContent: true })
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL('http://worker/mcp'), {
    fetch: (url, init) => handler(new Request(url, init)),
  })
  await client.connect(transport as Transport)
  const cancel = new AbortController()
  const ended = new Promise((resolve) => runtime.on((event) => event.type === 'call_end' && resolve(event.result)))
  const call = { name: 'bash', arguments: { command: 'echo go; while true; do :; done' } }
  const onprogress = (): void => cancel.abort()
  const refused = expect(client.callTool(call, undefined, { signal: cancel.signal, onprogress })).rejects.toThrow()
  expect(await ended).toMatchObject({ output: { aborted: true } })
  await refused
  expect(await client.callTool({ name: 'bash', arguments: { command: 'echo on' } })).toMatchObject({
    structuredContent: { stdout: 'on\n' },
  })
  await client.close()
  await handler.close()
  expect((await handler(new Request('http://worker/mcp', { method: 'POST' }))).status).toBe(503)
  await runtime.dispose()
})
