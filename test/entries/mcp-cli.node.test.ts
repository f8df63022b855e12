// @module-tag mcp
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CLI, ended, type McpHttp, startCli, startMcpHttp } from './cli-support.js'
import { callTool, HEADERS, INITIALIZE, newClient, textOf } from './mcp-support.js'

let root: string
const closing: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'toolport-mcp-cli-')))
  for (const name of ['one', 'two', 'a\\b']) {
    await mkdir(join(root, name))
    await writeFile(join(root, name, 'a.txt'), `in ${name}\n`)
  }
})

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await rm(root, { recursive: true, force: true, maxRetries: 10 })
})

async function connect(args: readonly string[], client: Client = newClient()): Promise<Client> {
  const transport = new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp', ...args], cwd: root, stderr: 'ignore' })
  closing.push(() => client.close())
  await client.connect(transport)
  return client
}

async function serve(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<McpHttp> {
  const served = await startMcpHttp(root, args, env)
  closing.push(served.stop)
  return served
}

const post = (url: URL, authorization?: string): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { ...HEADERS, ...(authorization && { authorization }) }, body: JSON.stringify(INITIALIZE) })

describe('toolport mcp --http', () => {
  it('serves only clients with the token', async () => {
    const { url, token = '' } = await serve(['--root', 'one'])
    expect([(await post(url)).status, (await post(url, 'Bearer x')).status]).toEqual([401, 401])
    const client = newClient()
    const requestInit = { headers: { authorization: `Bearer ${token}` } }
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }) as Transport)
    closing.push(() => client.close())
    expect(textOf(await callTool(client, 'read_file', { path: 'a.txt' }))).toContain('in one')
  })

  it('rejects at once after many wrong tokens, and still serves the right one', async () => {
    const { url, stderr } = await serve(['--memory'], { ...process.env, TOOLPORT_MCP_TOKEN: 'mine\n' })
    expect(stderr).not.toContain('mine')
    const statuses = (await Promise.all(Array.from({ length: 60 }, () => post(url, 'Bearer x')))).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    expect((await post(url, 'bearer mine')).status).toBe(200)
  })

  it.each([
    ['', 'it is empty'],
    [' \n', 'it is empty'],
    ['€uro', 'it contains other characters'],
    ['two words', 'it contains other characters'],
    ['a\u0001b', 'it contains other characters'],
    ['a=b', 'it contains other characters'],
  ])('rejects the token %j, which no client can send', async (token, why) => {
    const message = `toolport: Cannot use the token in TOOLPORT_MCP_TOKEN: ${why}. Use letters, digits and - . _ ~ + /, and = at the end\n`
    await expect(serve(['--memory'], { ...process.env, TOOLPORT_MCP_TOKEN: token })).rejects.toThrow(message)
  })

  it('accepts every character of a bearer token, and ignores the variable with --no-token', async () => {
    const token = 'aZ09-._~+/=='
    const { url } = await serve(['--memory'], { ...process.env, TOOLPORT_MCP_TOKEN: token })
    expect((await post(url, `Bearer ${token}`)).status).toBe(200)
    const open = await serve(['--memory', '--no-token'], { ...process.env, TOOLPORT_MCP_TOKEN: '€' })
    expect((await post(open.url)).status).toBe(200)
  })

  it('uses the given port, and serves every local client with --no-token', async () => {
    const { url } = await serve(['--memory', '--no-token'])
    expect((await post(url)).status).toBe(200)
    const busy = createServer()
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve))
    closing.push(() => new Promise((resolve) => busy.close(resolve)))
    const { port } = busy.address() as AddressInfo
    const { code, stderr } = await ended(startCli(root, ['mcp', '--http', '--memory', '--port', String(port)]))
    expect([code, stderr]).toEqual([2, expect.stringContaining(`Cannot listen on port ${port}: EADDRINUSE`)])
  })
})

describe('toolport mcp with several --root', () => {
  it('serves each directory under its name, and cannot write elsewhere', async () => {
    const client = await connect(['--root', 'one', '--root', join(root, 'two')])
    expect(textOf(await callTool(client, 'read_file', { path: 'two/a.txt' }))).toContain('in two')
    await callTool(client, 'write_file', { path: 'one/new/b.txt', content: 'new\n' })
    expect(await readFile(join(root, 'one/new/b.txt'), 'utf8')).toBe('new\n')
    for (const path of ['c.txt', 'three/c.txt']) {
      const refused = await callTool(client, 'write_file', { path, content: 'lost' })
      expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('write into one of the directories one, two')])
    }
    const config = await callTool(client, 'write_file', { path: 'two/toolport.config.json', content: '{}' })
    expect(config.isError).toBe(true)
  })

  it.each([
    [['--root', 'one', '--root', 'one'], 'another directory has the name "one" too'],
    [['--root', 'one', '--root', 'none'], 'there is no such directory'],
    [['--root', 'one', '--root', 'a\\b'], 'tools cannot use paths with a backslash'],
    [['--root', 'one', '--root', 'two', '--shell', 'node'], '--shell node works in one directory'],
    [['--root', 'one', '--root', 'two', '--js', 'node'], '--js node works in one directory'],
  ])('rejects %j', async (args, message) => {
    const { code, stderr } = await ended(startCli(root, ['mcp', ...args]))
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  it('is rejected for other commands', async () => {
    const { code, stderr } = await ended(startCli(root, ['tools', '--root', 'one', '--root', 'two']))
    expect([code, stderr]).toEqual([2, expect.stringContaining('--root is given 2 times')])
  })
})

it.each([
  [[], true],
  [['--no-checkpoints'], false],
])('toolport mcp %j creates checkpoints before changes: %s', async (args, made) => {
  const client = await connect(['--root', 'one', ...args])
  await callTool(client, 'write_file', { path: 'a.txt', content: 'changed\n' })
  expect(textOf(await callTool(client, 'list_checkpoints')).includes('write_file a.txt')).toBe(made)
})

it('toolport mcp names the custom tools of the workspace, with their files', async () => {
  await mkdir(join(root, 'one/.toolport/tools'), { recursive: true })
  await writeFile(join(root, 'one/.toolport/tools/c.mjs'), `export const name = 'c'; export const run = () => 'fine'`)
  const server = startCli(root, ['mcp', '--root', 'one', '--js'])
  server.stdin.end()
  expect((await ended(server)).stderr).toMatch(/the workspace contains the tools c \(\/.*\/\.toolport\/tools\/c\.mjs\)/)
})

it('--compact keeps the file in the description of a custom tool', async () => {
  await mkdir(join(root, 'one/.toolport/tools'), { recursive: true })
  const tool = `export const name = 'd'; export const description = 'Does it'; export const run = () => 'fine'`
  await writeFile(join(root, 'one/.toolport/tools/d.mjs'), tool)
  const { tools } = await (await connect(['--root', 'one', '--js', '--compact'])).listTools()
  const description = tools.find(({ name }) => name === 'd')?.description
  expect(description).toMatch(/^Does it\n\nThis tool comes from \/.*\/\.toolport\/tools\/d\.mjs in the workspace\.$/)
})

describe('an approval', () => {
  const policy = { root: 'one', policy: { tools: [{ tools: 'write_file', action: 'ask', reason: 'it writes' }] } }
  beforeEach(() => writeFile(join(root, 'ask.json'), JSON.stringify(policy)))

  it.each(['accept', 'decline', 'cancel'] as const)('is asked of the client: %s', async (action) => {
    const client = newClient({ elicitation: {} })
    const asked: string[] = []
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message)
      return action === 'accept' ? { action, content: {} } : { action }
    })
    await connect(['--config', join(root, 'ask.json')], client)
    const result = await callTool(client, 'write_file', { path: 'n.txt', content: 'x\u202e' })
    expect(asked).toEqual([expect.stringContaining('"write_file" needs an approval: it writes')])
    expect(asked[0]).toContain('\\u{202e}')
    expect(result.isError ?? false).toBe(action !== 'accept')
  })

  it('an approval of a client that cannot ask is a denial', async () => {
    const client = await connect(['--config', join(root, 'ask.json')])
    expect((await callTool(client, 'write_file', { path: 'n.txt', content: 'x' })).isError).toBe(true)
  })
})

it('resources have media types and sizes, and their paths can be completed', async () => {
  await writeFile(join(root, 'one/b.md'), '# B\n')
  const client = await connect(['--root', 'one'])
  const { resources } = await client.listResources()
  expect(resources.find(({ name }) => name === 'b.md')).toMatchObject({ mimeType: 'text/markdown', size: 4 })
  const ref = { type: 'ref/resource', uri: 'workspace:///{+path}' } as const
  const { completion } = await client.complete({ ref, argument: { name: 'path', value: 'a' } })
  expect(completion).toEqual({ values: ['a.txt'], total: 1 })
})

it.each(['standard', 'loom', 'loaf', 'loom-elixir', 'zeroclaw'])(
  'docs/mcp.md has the sizes of the tool list of the preset %s',
  async (preset) => {
    const docs = await readFile(new URL('../../docs/mcp.md', import.meta.url), 'utf8')
    const args = ['--memory', '--shell', 'virtual', '--js', '--preset', preset]
    const sizes = [args, [...args, '--compact']].map(async (each) => {
      const { tools } = await (await connect(each)).listTools()
      return [tools.length, Buffer.byteLength(JSON.stringify(tools)).toLocaleString('en')] as const
    })
    const [[count, full], [, compact]] = (await Promise.all(sizes)) as [readonly [number, string], readonly [number, string]]
    expect(docs).toContain(`| \`${preset}\` | ${count} | ${full} | ${compact} |`)
  },
)

it('--tools and --compact reduce the tools and their descriptions', async () => {
  const full = (await (await connect(['--root', 'one'])).listTools()).tools
  const client = await connect(['--root', 'one', '--tools', 'files, list_checkpoints', '--compact'])
  const { tools } = await client.listTools()
  const names = tools.map(({ name }) => name)
  expect(names).toContain('grep')
  expect(names.filter((name) => name.includes('checkpoint'))).toEqual(['list_checkpoints'])
  for (const tool of tools) {
    const whole = full.find(({ name }) => name === tool.name)
    expect(JSON.stringify(tool).length).toBeLessThan(JSON.stringify(whole).length)
    expect(tool.inputSchema.required).toEqual(whole?.inputSchema.required)
  }
  // A parameter that the schema does not list still works.
  expect(textOf(await callTool(client, 'grep', { pattern: 'IN ONE', ignore_case: true }))).toContain('a.txt')
  await expect(callTool(client, 'restore_checkpoint', { checkpoint: 'x' })).rejects.toThrow('this server does not offer it')
  const { code, stderr } = await ended(startCli(root, ['mcp', '--memory', '--tools', 'files,nonsense']))
  expect([code, stderr]).toEqual([2, expect.stringContaining('"nonsense"')])
})

it.each(['bash', 'shell'])('the tool or group %s without its adapter is rejected with the option to add', async (name) => {
  const { code, stderr } = await ended(startCli(root, ['mcp', '--memory', '--shell', 'none', '--tools', `files,${name}`]))
  expect([code, stderr]).toEqual([2, expect.stringContaining(`"${name}" cannot be offered without --shell`)])
})
