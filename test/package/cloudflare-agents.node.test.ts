// @module-tag clients
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectHttp } from '../entries/mcp-support.js'
import { examplesOf, root } from './docs/examples.js'

// Runs the program of docs/clients.md with the package `agents` in workerd, and two more agents: a client of MCP, and one with a model.

const MORE = `
import { generateText, isStepCount } from 'ai'
import { toAiSdkTools } from 'toolport/formats'
import { scriptedModel } from 'toolport/testing'

export class Reader extends Agent {
  async onRequest(request) {
    await this.addMcpServer('files', await request.text(), { transport: { type: 'streamable-http' } })
    await this.mcp.waitForConnections()
    const tools = this.mcp.getAITools()
    const read = Object.entries(tools).find(([name]) => name.endsWith('_read_file'))?.[1]
    return Response.json({ names: Object.keys(tools), answer: await read.execute({ path: 'a.txt' }, { toolCallId: 'c', messages: [] }) })
  }
}

export class Thinker extends Agent {
  runtime = createWorkerRuntime(this.ctx, { files: { 'a.txt': 'from a file' } })
  async onRequest() {
    const model = scriptedModel([{ name: 'read_file', input: { path: 'a.txt' } }, 'Read.'])
    const tools = toAiSdkTools(this.runtime)
    const { text, steps } = await generateText({ model, tools, prompt: 'Read a.txt.', stopWhen: isStepCount(3) })
    return Response.json({ text, told: steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output)) })
  }
}
`

const CLASSES = ['Workspace', 'Files', 'Reader', 'Thinker']
let worker: Miniflare
let address: URL

beforeAll(async () => {
  const program = examplesOf('docs/clients.md', 'js').find(({ code }) => code.includes("from 'agents'"))
  const { outputFiles } = await build({
    stdin: { contents: `${program?.code}${MORE}`, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    // As wrangler does, for a dependency of `agents`.
    alias: { path: 'node:path' },
    write: false,
    logLevel: 'silent',
  })
  worker = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: outputFiles[0]?.text ?? '',
      host: '127.0.0.1',
      compatibilityDate: '2026-07-01',
      compatibilityFlags: ['nodejs_compat'],
      durableObjects: Object.fromEntries(CLASSES.map((className) => [className, { className, useSQLite: true }])),
    }),
  )
  address = await worker.ready
})
afterAll(() => worker?.dispose())

const connect = (path: string) => connectHttp(new URL(path, address))

describe.each([
  ['Agent', '/agents/workspace/mine'],
  ['McpAgent', '/mcp'],
])('%s of agents', (_, path) => {
  it('serves the tools of its workspace over MCP', async () => {
    const client = await connect(path)
    try {
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['read_file', 'write_file', 'bash', 'grep']))
      const call = (name: string, input: Record<string, unknown>) => client.callTool({ name, arguments: input })
      expect(await call('write_file', { path: 'a.txt', content: 'hello' })).not.toHaveProperty('isError')
      expect(await call('bash', { command: 'cat a.txt | tr a-z A-Z' })).toMatchObject({ content: [{ text: 'HELLO' }] })
      expect(await call('read_file', { path: 'none' })).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('ENOENT: Cannot read "/workspace/none"') }],
      })
      await expect(call('nothing', {})).rejects.toThrow('unknown tool: nothing')
    } finally {
      await client.close()
    }
  })
})

it('keeps the workspace of an Agent for the next client, and gives another name another one', async () => {
  const read = async (name: string) => {
    const client = await connect(`/agents/workspace/${name}`)
    try {
      return await client.callTool({ name: 'read_file', arguments: { path: 'a.txt' } })
    } finally {
      await client.close()
    }
  }
  expect(await read('mine')).toMatchObject({ content: [{ text: expect.stringContaining('hello') }] })
  expect(await read('other')).toMatchObject({ isError: true })
})

it('gives an Agent that is a client of MCP every tool', async () => {
  const server = await connect('/agents/workspace/served')
  await server.callTool({ name: 'write_file', arguments: { path: 'a.txt', content: 'served' } })
  const names = (await server.listTools()).tools.map(({ name }) => name)
  await server.close()
  const response = await fetch(new URL('/agents/reader/me', address), {
    method: 'POST',
    body: new URL('/agents/workspace/served', address).href,
  })
  const read = (await response.json()) as { names: string[]; answer: unknown }
  // The client puts `tool_`, a random id that may contain `_`, and `_` before each name.
  expect(read.names).toHaveLength(names.length)
  for (const name of names) expect(read.names).toContainEqual(expect.stringMatching(new RegExp(`^tool_.+_${name}$`)))
  expect(read.answer).toMatchObject({ content: [{ text: expect.stringContaining('served') }] })
})

it('gives the model of an Agent the tools with toAiSdkTools', async () => {
  const response = await fetch(new URL('/agents/thinker/me', address))
  expect(await response.json()).toMatchObject({ text: 'Read.', told: [expect.objectContaining({ ok: true })] })
})

it('serves nothing else', async () => {
  expect((await fetch(new URL('/elsewhere', address))).status).toBe(404)
})
