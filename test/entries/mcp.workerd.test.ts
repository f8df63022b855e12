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
