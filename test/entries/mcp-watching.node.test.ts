// @module-tag mcp
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { createRuntime, type FsAdapter, fileTools, type ToolRuntime } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createMcpHandler, type McpHandlerOptions } from 'toolport/mcp'
import { createNodeRuntime } from 'toolport/node'
import { createTestHost } from 'toolport/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { callTool, connectInMemory, HEADERS, INITIALIZE, standardRuntime } from './mcp-support.js'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

function heard(client: Client): string[] {
  const seen: string[] = []
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void seen.push(params.uri))
  return seen
}

async function subscribed(runtime: ToolRuntime, path: string, pollMs?: number) {
  closing.push(() => runtime.dispose())
  const { client, mcp } = await connectInMemory(runtime, pollMs === undefined ? {} : { pollMs })
  closing.push(() => mcp.close())
  const seen = heard(client)
  await client.subscribeResource({ uri: `workspace:///${path}` })
  return { client, mcp, seen }
}

/** Counts the calls of a file system. */
function counting(fs: FsAdapter) {
  const count = { read: 0, lstat: 0 }
  const counted = new Proxy(fs, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown => {
        if (name === 'read' || name === 'lstat') count[name]++
        return Reflect.apply(value, target, args)
      }
    },
  })
  return { fs: counted, count }
}

describe('an MCP subscription', () => {
  it('reports changes of other programs', async () => {
    const root = await mkdtemp(join(tmpdir(), 'toolport-'))
    closing.push(() => rm(root, { recursive: true }))
    await writeFile(join(root, 'a.txt'), 'one')
    const { seen } = await subscribed(createNodeRuntime({ root }), 'a.txt', 50)
    await writeFile(join(root, 'a.txt'), 'changed')
    await expect.poll(() => seen).toEqual(['workspace:///a.txt'])
  })

  it('reports changes of a background command before the next poll', async () => {
    const { client, seen } = await subscribed(standardRuntime(), 'README.md', 1_000_000)
    await callTool(client, 'bash', { command: 'sleep 0.3; echo bg > README.md', run_in_background: true })
    await expect.poll(() => seen).toEqual(['workspace:///README.md'])
    await callTool(client, 'bash', { command: 'sleep 0.3; echo more > README.md; echo done; sleep 1000', run_in_background: true })
    await expect.poll(() => seen.length).toBe(2)
  })

  it('compares versions every 3 seconds, without reading files', async () => {
    const host = createTestHost()
    const { fs, count } = counting(createMemoryFs({ files: { 'a.txt': 'one' } }))
    const { client, mcp, seen } = await subscribed(createRuntime({ fs, host, tools: fileTools() }), 'a.txt')
    expect(host.sleeping).toBe(1)
    const before = count.lstat
    await host.advance(3000)
    await host.advance(3000)
    expect(count.read).toBe(0)
    expect(count.lstat).toBeGreaterThan(before)
    await fs.write('/a.txt', new TextEncoder().encode('two'))
    await host.advance(3000)
    await expect.poll(() => seen.length).toBe(1)
    await client.unsubscribeResource({ uri: 'workspace:///a.txt' })
    await vi.waitFor(() => expect(host.sleeping).toBe(0))
    await client.subscribeResource({ uri: 'workspace:///a.txt' })
    expect(host.sleeping).toBe(1)
    await mcp.close()
    await vi.waitFor(() => expect(host.sleeping).toBe(0))
  })
})

/** A handler whose sessions each have their own runtime. */
function served(options: McpHandlerOptions) {
  const count = { disposed: 0 }
  const host = createTestHost()
  const handler = createMcpHandler(() => {
    const runtime = createRuntime({ fs: createMemoryFs(), host, tools: fileTools() })
    const { dispose } = runtime
    return Object.assign(runtime, {
      dispose: () => {
        count.disposed++
        return dispose.call(runtime)
      },
    })
  }, options)
  closing.push(() => handler.close())
  const send = (message: object, id?: string, method = 'POST') =>
    handler(
      new Request('http://localhost/', {
        method,
        headers: {
          'content-type': 'application/json',
          accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
          ...(id !== undefined && { 'mcp-session-id': id }),
        },
        ...(method === 'POST' && { body: JSON.stringify(message) }),
      }),
    )
  const begin = async (): Promise<string> => {
    const response = await send(INITIALIZE)
    await response.text()
    return response.headers.get('mcp-session-id') ?? ''
  }
  return { count, host, send, begin }
}

describe('an idle MCP session', () => {
  it('ends together with its runtime', async () => {
    const { count, host, send, begin } = served({ idleMs: 100 })
    const id = await begin()
    await begin()
    await host.advance(100)
    await expect.poll(() => count.disposed).toBe(2)
    expect((await send({ jsonrpc: '2.0', id: 2, method: 'tools/list' }, id)).status).toBe(404)
    // Later sessions end too.
    await begin()
    await host.advance(100)
    await expect.poll(() => count.disposed).toBe(3)
  })

  it('does not end while a client listens', async () => {
    const { count, host, send, begin } = served({ idleMs: 100 })
    const response = await send({}, await begin(), 'GET')
    expect(response.status).toBe(200)
    await host.advance(500)
    expect(count.disposed).toBe(0)
    await response.body?.cancel()
    await expect
      .poll(async () => {
        await host.advance(100)
        return count.disposed
      })
      .toBe(1)
  })

  it('leaves no timer when it or the handler ends', async () => {
    const host = createTestHost()
    const runtime = createRuntime({ fs: createMemoryFs(), host, tools: fileTools() })
    closing.push(() => runtime.dispose())
    const handler = createMcpHandler(runtime, { idleMs: 1000 })
    const request = { method: 'POST', headers: HEADERS, body: JSON.stringify(INITIALIZE) }
    const begin = async () => (await handler(new Request('http://localhost/', request))).text()
    await begin()
    expect(host.sleeping).toBe(1)
    await host.advance(1000)
    await vi.waitFor(() => expect(host.sleeping).toBe(0))
    await begin()
    await begin()
    expect(host.sleeping).toBe(1)
    await handler.close()
    await vi.waitFor(() => expect(host.sleeping).toBe(0))
  })
})
