// @module-tag mcp
import {
  ErrorCode,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { defineTool, type ToolRuntime, toModelText, type Workspace } from 'toolport'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { createTestHost } from 'toolport/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { Subscriptions } from '../../src/entries/mcp/subscriptions.js'
import { webTools } from '../../src/tools/web/index.js'
import type { AnyTool } from '../../src/types/tool.js'
import { jsWorkers } from '../adapters/node-workers.js'
import {
  callEveryTool,
  callTool,
  cancelLoop,
  connectInMemory,
  FILES,
  JS_LOOP,
  LOOP,
  newClient,
  nextCall,
  PATIENT,
  progressOf,
  standardRuntime,
  textOf,
  until,
} from './mcp-support.js'

const worker = await jsWorkers()
const open: ToolRuntime[] = []
afterEach(async () => {
  for (const runtime of open.splice(0)) await runtime.dispose()
})

function newRuntime(options: Parameters<typeof standardRuntime>[0] = {}): ToolRuntime {
  const runtime = standardRuntime(options)
  open.push(runtime)
  return runtime
}

const shape = defineTool({
  name: 'my.shape',
  description: 'Answers with an object.',
  inputSchema: { type: 'object', properties: { sides: { type: 'number' }, any: true, none: false } },
  outputSchema: { type: 'object', properties: { sides: { type: 'number' } }, required: ['sides'] },
  annotations: { title: 'Shape', readOnlyHint: true },
  run: ({ sides = 3 }) => ({ sides }),
})

describe('MCP tools', () => {
  it('are listed in pages with aliases, titles, schemas and annotations', async () => {
    const runtime = newRuntime()
    runtime.registry.register(shape)
    const { client } = await connectInMemory(runtime, { pageSize: 10, structuredContent: true })
    const first = await client.listTools()
    const second = await client.listTools({ cursor: first.nextCursor })
    const third = await client.listTools({ cursor: second.nextCursor })
    expect([first.tools.length, second.tools.length, third.nextCursor]).toEqual([10, 10, undefined])
    const tools = [first, second, third].flatMap((page) => page.tools)
    const manifest = runtime.getModelManifest()
    expect(tools.map(({ name }) => name)).toEqual(manifest.map(({ alias }) => alias))
    expect(tools.find(({ name }) => name === 'read_file')).toMatchObject({ title: 'Read file', annotations: { readOnlyHint: true } })
    expect(tools.find(({ title }) => title === 'Shape')).toMatchObject({
      inputSchema: { type: 'object', properties: { any: {}, none: { not: {} } } },
      outputSchema: { type: 'object', required: ['sides'] },
    })
  })

  it('reject an unknown cursor', async () => {
    const { client } = await connectInMemory(newRuntime(), { pageSize: 1 })
    const { nextCursor } = await client.listResources()
    for (const cursor of ['', 'x', 'äöü', 'AAAA', nextCursor, `${nextCursor} `]) {
      await expect(client.listTools({ cursor })).rejects.toMatchObject({ code: ErrorCode.InvalidParams })
    }
  })

  it('can be called by alias and name, with declared structured content', async () => {
    const runtime = newRuntime()
    runtime.registry.register(shape)
    const { client } = await connectInMemory(runtime, { structuredContent: true })
    const alias = runtime.getModelManifest().find(({ name }) => name === 'my.shape')?.alias ?? ''
    expect(alias).not.toBe('my.shape')
    // After this, the client validates results against the schemas.
    await client.listTools()
    for (const name of [alias, 'my.shape']) {
      expect(await callTool(client, name, { sides: 4 })).toEqual({
        content: [{ type: 'text', text: '{"sides":4}' }],
        structuredContent: { sides: 4 },
      })
    }
  })

  it('all work, with output that matches their schemas', async () => {
    const runtime = newRuntime({ checkpoints: { automatic: true } })
    const { client } = await connectInMemory(runtime, { pageSize: 5, structuredContent: true })
    const checkpoint = async () => (await runtime.workspace.checkpoints())[0]?.id ?? ''
    expect(await callEveryTool(client, { checkpoint })).toEqual([])
    const bare = (await client.listTools()).tools.filter(({ outputSchema }) => outputSchema?.type !== 'object')
    expect(bare.map(({ name }) => name)).toEqual([])
  })

  it('return structured content and the model text', async () => {
    const runtime = newRuntime()
    const { client } = await connectInMemory(runtime, { structuredContent: true })
    const result = await runtime.execute({ name: 'read_file', input: { path: 'src/a.ts' } })
    if (!result.ok) throw new Error(result.error)
    // Works without listing the tools first, because another connection may have listed them.
    expect(await callTool(client, 'read_file', { path: 'src/a.ts' })).toEqual({
      content: [{ type: 'text', text: toModelText(result) }],
      structuredContent: result.output,
    })
  })

  it('fail if their output does not match their schema', async () => {
    const runtime = newRuntime()
    runtime.registry.register({ ...shape, name: 'liar', run: () => 'no object' } as AnyTool)
    const { client } = await connectInMemory(runtime, { structuredContent: true })
    await client.listTools()
    const result = await callTool(client, 'liar')
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('its output schema promises')])
  })

  it('return only text by default', async () => {
    const runtime = newRuntime()
    runtime.registry.register(shape)
    const { client } = await connectInMemory(runtime)
    expect((await client.listTools()).tools.filter(({ outputSchema }) => outputSchema)).toEqual([])
    expect(await callTool(client, 'my.shape', { sides: 4 })).toEqual({ content: [{ type: 'text', text: '{"sides":4}' }] })
  })

  it('keep the dialect of their schema', async () => {
    const $schema = 'http://json-schema.org/draft-07/schema#'
    const runtime = newRuntime()
    runtime.registry.register({ ...shape, name: 'old', inputSchema: { $schema, type: 'object' } } as AnyTool)
    const { client } = await connectInMemory(runtime)
    const { tools } = await client.listTools()
    expect(tools.find(({ name }) => name === 'old')?.inputSchema).toEqual({ $schema, type: 'object' })
    expect(tools.find(({ name }) => name === 'read_file')?.inputSchema).not.toHaveProperty('$schema')
  })

  it('have openWorldHint', async () => {
    const { client } = await connectInMemory(newRuntime())
    const { tools } = await client.listTools()
    expect(tools.filter(({ annotations }) => annotations?.openWorldHint === undefined)).toEqual([])
    expect(tools.find(({ name }) => name === 'grep')?.annotations?.openWorldHint).toBe(false)
    expect(tools.find(({ name }) => name === 'bash')?.annotations?.openWorldHint).toBe(true)
  })

  it('report the total of their progress if it is known', async () => {
    const runtime = newRuntime()
    const run = (_: unknown, { progress }: { readonly progress: (update: object) => void }) => {
      for (const update of [{ done: 2, total: 4, text: 'half' }, { text: 'a word' }, { done: 1, total: 4 }, { done: 4, total: 4 }])
        progress(update)
      return {}
    }
    runtime.registry.register({ ...shape, name: 'steps', run } as unknown as AnyTool)
    const { client } = await connectInMemory(runtime)
    const seen: unknown[] = []
    await callTool(client, 'steps', {}, { onprogress: (progress) => seen.push(progress) })
    await until(() => seen.length === 4)
    expect(seen).toMatchObject([{ progress: 2, total: 4, message: 'half' }, { progress: 3 }, { progress: 4 }, { progress: 5 }])
  })

  it('tools whose output schema does not load are listed without it', async () => {
    const runtime = newRuntime()
    const outputSchema = () => Promise.reject(new Error('offline'))
    runtime.registry.register({ ...shape, name: 'offline', outputSchema } as AnyTool)
    const { client } = await connectInMemory(runtime, { structuredContent: true })
    expect((await client.listTools()).tools.find(({ name }) => name === 'offline')).not.toHaveProperty('outputSchema')
    expect(await callTool(client, 'offline', { sides: 4 })).toEqual({ content: [{ type: 'text', text: '{"sides":4}' }] })
  })

  it('return images as images', async () => {
    const { client } = await connectInMemory(newRuntime())
    const { content } = await callTool(client, 'read_file', { path: 'pixel.png' })
    expect(content).toContainEqual({ type: 'image', mimeType: 'image/png', data: Buffer.from(FILES['pixel.png']).toString('base64') })
  })

  it('return failures as results with the model text', async () => {
    const { client } = await connectInMemory(newRuntime())
    for (const [name, input] of [
      ['read_file', { path: 'nope' }],
      ['read_file', { path: 7 }],
      ['read_file', { path: '../../etc/passwd' }],
      ['edit_file', { path: 'README.md', edits: [{ old_string: 'absent', new_string: '' }] }],
      ['grep', {}],
    ] as const) {
      const result = await callTool(client, name, input)
      expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(/^Error: /)])
    }
    await expect(callTool(client, 'nope')).rejects.toMatchObject({ code: ErrorCode.InvalidParams, message: expect.stringMatching(/nope/) })
  })

  it('answer 1,000 concurrent calls correctly', async () => {
    const runtime = newRuntime()
    const { client } = await connectInMemory(runtime)
    for (let i = 0; i < 100; i++) await runtime.workspace.writeText(`many/${i}.txt`, `content of ${i}\n`)
    const answers = await Promise.all(
      Array.from({ length: 1000 }, (_, i) => callTool(client, 'read_file', { path: `many/${i % 100}.txt`, numbered: false }, PATIENT)),
    )
    answers.forEach((answer, i) => {
      expect(textOf(answer).trim()).toBe(`content of ${i % 100}`)
    })
  })

  it('cause one notification when they change', async () => {
    const runtime = newRuntime()
    const { client, mcp } = await connectInMemory(runtime)
    let changes = 0
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      changes++
    })
    await callTool(client, 'create_persistent_tool', { name: 'greet', description: 'Greets.', handler_code: 'return "hello"' })
    expect(changes).toBe(1)
    expect(textOf(await callTool(client, 'greet'))).toBe('hello')
    runtime.registry.disable('grep')
    mcp.toolsChanged()
    mcp.toolsChanged()
    await callTool(client, 'glob', { pattern: '*' })
    expect(changes).toBe(2)
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('grep')
  })
})

describe('an MCP call', () => {
  it('reports progress with increasing numbers', async () => {
    const { client } = await connectInMemory(newRuntime())
    const seen = await progressOf(client, 'one', 'two')
    expect(seen.map(({ message }) => message).join('')).toBe('one\ntwo\n')
    expect(seen.map(({ progress }) => progress)).toEqual(seen.map((_, i) => i + 1))
  })

  it('can be cancelled', async () => {
    const runtime = newRuntime()
    const { client } = await connectInMemory(runtime)
    await cancelLoop(client, runtime)
    expect((await callTool(client, 'bash', { command: 'echo still here' })).isError).toBeUndefined()
  })

  it('a call of JavaScript in a worker can be cancelled', async () => {
    const runtime = newRuntime({ js: createQuickJs({ worker }) })
    const { client } = await connectInMemory(runtime)
    await cancelLoop(client, runtime, JS_LOOP)
    expect(textOf(await callTool(client, 'run_js', { code: 'console.log("still here")' }))).toContain('still here')
  })

  it('logs from the level that the client set', async () => {
    const runtime = newRuntime()
    runtime.registry.register(
      defineTool({
        name: 'talk',
        description: 'Logs.',
        inputSchema: { type: 'object' },
        run: (_, { log }) => {
          log('said', { n: 1 })
          return 'ok'
        },
      }),
    )
    const { client } = await connectInMemory(runtime)
    const seen: string[] = []
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
      seen.push(`${params.level} ${params.logger} ${(params.data as { message: string }).message}`)
    })
    await callTool(client, 'talk')
    expect(seen.splice(0)).toEqual(['info talk said'])
    // The log does not contain the error, which may quote the input.
    await callTool(client, 'read_file', { path: 'nope' })
    expect(seen.splice(0)).toEqual(['warning read_file The call has failed'])
    await client.setLoggingLevel('debug')
    await callTool(client, 'talk')
    expect(seen.splice(0)).toEqual(['debug talk The call begins', 'info talk said', 'debug talk The call has ended'])
    await client.setLoggingLevel('error')
    await callTool(client, 'talk')
    await callTool(client, 'read_file', { path: 'nope' })
    expect(seen).toEqual([])
  })

  it('is visible to its own client only', async () => {
    const runtime = newRuntime()
    const one = await connectInMemory(runtime, { logLevel: 'debug' })
    const other = await connectInMemory(runtime, { logLevel: 'debug' })
    const seen: unknown[] = []
    other.client.setNotificationHandler(LoggingMessageNotificationSchema, (message) => {
      seen.push(message)
    })
    await callTool(one.client, 'glob', { pattern: '*' })
    expect(seen).toEqual([])
  })

  it('ends with its connection and is aborted', async () => {
    const runtime = newRuntime()
    const { client } = await connectInMemory(runtime)
    const { running, ended } = nextCall(runtime)
    const refused = expect(client.callTool(LOOP)).rejects.toThrow('Connection closed')
    await running
    await client.close()
    await refused
    expect(await ended).toMatchObject({ output: { aborted: true } })
  })
})

describe('MCP resources', () => {
  it('are listed in pages', async () => {
    const { client } = await connectInMemory(newRuntime(), { pageSize: 4 })
    const first = await client.listResources()
    const second = await client.listResources({ cursor: first.nextCursor })
    expect(first.resources.map(({ uri }) => uri)).toEqual([
      'workspace:///README.md',
      'workspace:///data.bin',
      'workspace:///docs/%C3%A4%231.md',
      'workspace:///pixel.png',
    ])
    expect([second.resources.map(({ name }) => name), second.nextCursor]).toEqual([['src/a.ts', 'src/b c.ts'], undefined])
    await expect(client.listResources({ cursor: 'x' })).rejects.toMatchObject({ code: ErrorCode.InvalidParams })
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1)
  })

  it('are read as text or bytes', async () => {
    const { client } = await connectInMemory(newRuntime())
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0]
    expect(await read('workspace:///docs/%C3%A4%231.md')).toMatchObject({ mimeType: 'text/markdown', text: '# One\n' })
    expect(await read('workspace:///src/b%20c.ts')).toMatchObject({ text: 'export const b = 2\n' })
    expect(await read('workspace:///data.bin')).toMatchObject({ mimeType: 'application/octet-stream', blob: 'AQD/' })
    expect(await read('workspace:///pixel.png')).toMatchObject({ mimeType: 'image/png', blob: expect.stringMatching(/^iVBOR/) })
  })

  it('follow the workspace policy', async () => {
    const runtime = newRuntime({ policy: { paths: [{ paths: 'secret', action: 'deny', reason: 'private' }] } })
    const { client } = await connectInMemory(runtime, { maxResourceBytes: 18 })
    for (const [uri, code] of [
      ['workspace:///secret/key', ErrorCode.InvalidParams],
      ['workspace:///nope', -32002],
      ['workspace:///README.md/x', -32002],
      ['workspace:///src', ErrorCode.InvalidParams],
      ['workspace:///', ErrorCode.InvalidParams],
      ['workspace:///src//a.ts', ErrorCode.InvalidParams],
      ['workspace:///../etc/passwd', ErrorCode.InvalidParams],
      ['workspace:///src/%2e%2e/README.md', ErrorCode.InvalidParams],
      ['workspace:///src/..%2f..%2fREADME.md', ErrorCode.InvalidParams],
      ['workspace:///README.md%00', ErrorCode.InvalidParams],
      ['workspace:///%zz', ErrorCode.InvalidParams],
      ['workspace:///README.md?x', ErrorCode.InvalidParams],
      ['workspace://host/README.md', ErrorCode.InvalidParams],
      ['file:///etc/passwd', ErrorCode.InvalidParams],
      ['workspace:///src/a.ts', ErrorCode.InvalidParams],
    ] as const) {
      await expect(client.readResource({ uri }), uri).rejects.toMatchObject({ code })
      if (uri !== 'workspace:///src/a.ts') await expect(client.subscribeResource({ uri }), uri).rejects.toMatchObject({ code })
    }
  })

  it('cause notifications while subscribed', async () => {
    const { client } = await connectInMemory(newRuntime())
    const seen: string[] = []
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      seen.push(params.uri)
    })
    await client.subscribeResource({ uri: 'workspace:///README.md' })
    await client.subscribeResource({ uri: 'workspace:///src/a.ts' })
    await callTool(client, 'read_file', { path: 'README.md' })
    await callTool(client, 'write_file', { path: 'README.md', content: 'new' })
    await until(() => seen.length > 0)
    await callTool(client, 'bash', { command: 'rm src/a.ts' })
    await until(() => seen.length > 1)
    await client.unsubscribeResource({ uri: 'workspace:///README.md' })
    await callTool(client, 'write_file', { path: 'README.md', content: 'newer' })
    await callTool(client, 'glob', { pattern: '*' })
    expect(seen).toEqual(['workspace:///README.md', 'workspace:///src/a.ts'])
  })

  it('allow at most 1,000 subscriptions, also concurrently', async () => {
    const changed: string[] = []
    let version = '1'
    const stat = async (path: string) => {
      await new Promise((resolve) => setTimeout(resolve))
      if (path === '/absent') throw new Error('absent')
      return { kind: 'file', version }
    }
    const subscriptions = new Subscriptions({ stat, host: createTestHost() } as unknown as Workspace, (uri) => void changed.push(uri))
    await expect(subscriptions.add('absent', '/absent')).rejects.toThrow('absent')
    const all = Array.from({ length: 1001 }, (_, i) => subscriptions.add(`${i}`, `/${i}`))
    for (let i = 1; i < 1000; i++) subscriptions.delete(`${i}`)
    const settled = await Promise.allSettled(all)
    expect(settled.map(({ status }) => status).indexOf('rejected')).toBe(1000)
    version = '2'
    await subscriptions.check()
    expect(changed).toEqual(['0'])
  })

  it('can be disabled', async () => {
    const { client } = await connectInMemory(newRuntime(), { resources: false })
    expect(client.getServerCapabilities()).not.toHaveProperty('resources')
    await expect(client.listResources()).rejects.toThrow()
  })
})

describe('an MCP client', () => {
  it('gets the name, version and instructions', async () => {
    const { client } = await connectInMemory(newRuntime(), { name: 'mine', version: '1.2.3' })
    expect(client.getServerVersion()).toEqual({ name: 'mine', version: '1.2.3' })
    expect(client.getInstructions()).toContain('/workspace')
  })

  it('gets web search results without characters that change the text direction', async () => {
    const text = 'a\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069b'
    const results = [{ title: text, url: `https://a.test/${text}`, snippet: text, published_date: text }]
    const fetch = { name: 'one answer', fetch: async () => Response.json({ query: text, results }) }
    const tools = webTools({ provider: 'google', baseUrl: 'https://proxy.test' })
    const { client } = await connectInMemory(newRuntime({ tools, fetch }), { structuredContent: true })
    const result = await callTool(client, 'web_search', { query: 'q' })
    expect(textOf(result)).toContain('1. ab')
    expect(JSON.stringify(result)).not.toMatch(/\p{Bidi_C}/u)
  })

  it('is asked for its roots if it has any', async () => {
    const client = newClient({ roots: { listChanged: true } })
    let roots = [{ uri: 'file:///one', name: 'one' }]
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }))
    const seen: unknown[] = []
    const { mcp } = await connectInMemory(newRuntime(), { onRoots: (all) => seen.push(all) }, client)
    await until(() => seen.length === 1)
    roots = [{ uri: 'file:///two', name: 'two' }]
    await client.sendRootsListChanged()
    await until(() => seen.length === 2)
    expect(seen).toEqual([[{ uri: 'file:///one', name: 'one' }], roots])
    expect(await mcp.roots()).toEqual(roots)
    expect(await (await connectInMemory(newRuntime())).mcp.roots()).toEqual([])
  })
})

it('createMcpServer rejects invalid options', async () => {
  const runtime = newRuntime()
  await expect(connectInMemory(runtime, { pageSize: 0 })).rejects.toThrow(RangeError)
  await expect(connectInMemory(runtime, { maxResourceBytes: 0.5 })).rejects.toThrow(RangeError)
})
