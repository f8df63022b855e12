// @module-tag mcp
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ListRootsRequestSchema, LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { soleDirectory } from '../../src/entries/cli/mcp.js'
import { CLI, ended, startCli } from './cli-support.js'
import { callTool, newClient, textOf } from './mcp-support.js'

let root: string
let other: string
const clients: Client[] = []

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'toolport-roots-')))
  other = join(root, 'other ä')
  await mkdir(other)
  await writeFile(join(other, 'there.txt'), 'there\n')
  await writeFile(join(root, 'above.txt'), 'above\n')
})

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  await rm(root, { recursive: true, force: true, maxRetries: 10 })
})

const uriOf = (path: string): string => pathToFileURL(path).href

/** Connects a client whose roots may change. Records the log messages, and the server's stderr. */
async function connect(args: readonly string[], first: readonly string[] | undefined) {
  const roots = { now: first }
  const transport = new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp', ...args], cwd: root, stderr: 'pipe' })
  const told = { stderr: '', logged: [] as unknown[], asked: 0 }
  transport.stderr?.on('data', (chunk) => {
    told.stderr += chunk
  })
  const client = newClient(first && { roots: { listChanged: true } })
  clients.push(client)
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void told.logged.push(params))
  if (first)
    client.setRequestHandler(ListRootsRequestSchema, () => {
      told.asked++
      return { roots: (roots.now ?? []).map((uri) => ({ uri })) }
    })
  await client.connect(transport)
  return { client, roots, told }
}

describe('toolport mcp --root', () => {
  it('warns if the client has other roots, and continues', async () => {
    const { client, told } = await connect(['--root', root], [uriOf(other), 'file://host/x'])
    await expect.poll(() => told.logged.length).toBe(1)
    expect(told.logged).toMatchObject([{ level: 'warning', data: { message: expect.stringContaining(root) } }])
    await expect.poll(() => told.stderr).toContain(`The tools work in ${root}, which is not in what the client works in: ${uriOf(other)}`)
    expect(textOf(await callTool(client, 'read_file', { path: 'above.txt' }))).toContain('above')
  })

  it('warns after a change, and is silent while its root is included', async () => {
    await symlink(other, join(root, 'link'))
    const { client, roots, told } = await connect(['--root', join(root, 'link')], [uriOf(join(root, 'x')), uriOf(root)])
    await expect.poll(() => told.asked).toBe(1)
    await callTool(client, 'read_file', { path: 'there.txt' })
    expect(told).toMatchObject({ stderr: '', logged: [] })
    roots.now = [uriOf(join(root, 'oth'))]
    await client.sendRootsListChanged()
    await expect.poll(() => told.logged.length).toBe(1)
    expect((await callTool(client, 'read_file', { path: join(root, 'above.txt') })).isError).toBe(true)
  })
})

describe('toolport mcp with several --root', () => {
  it('warns of each root that is outside, also after a change', async () => {
    await mkdir(join(root, 'second'))
    const { client, roots, told } = await connect(['--root', other, '--root', join(root, 'second')], [uriOf(other)])
    await expect.poll(() => told.logged.length).toBe(1)
    expect(told.logged).toMatchObject([{ data: { message: expect.stringContaining(`The tools work in ${join(root, 'second')}`) } }])
    roots.now = [uriOf(join(root, 'second'))]
    await client.sendRootsListChanged()
    await expect.poll(() => told.logged.length).toBe(2)
    expect(told.logged[1]).toMatchObject({ data: { message: expect.stringContaining(`The tools work in ${other}`) } })
  })

  it('removes characters that change the text direction from printed roots', async () => {
    const { told } = await connect(['--root', root], ['file:///x\u202e\u2066y'])
    await expect.poll(() => told.stderr).toContain('file:///xy')
    expect(told.stderr).not.toMatch(/\p{Bidi_C}/u)
  })
})

const READ = { id: 2, method: 'tools/call', params: { name: 'read_file', arguments: { path: 'there.txt' } } }

const initialize = (capabilities: object): object => ({
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities, clientInfo: { name: 'test', version: '1' } },
})

const messagesOf = (stdout: string): readonly unknown[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/** Starts a server whose client is written by hand. */
function begin() {
  const child = startCli(root, ['mcp', '--root-from-client'])
  const say = (...messages: readonly object[]): void => {
    for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }
  return { child, end: ended(child), say }
}

describe('toolport mcp --root-from-client', () => {
  it('works in the only root of the client and nowhere else', async () => {
    const { client, told } = await connect(['--root-from-client'], [uriOf(other)])
    expect(client.getServerCapabilities()).toMatchObject({ tools: { listChanged: true }, resources: { subscribe: true }, logging: {} })
    expect(textOf(await callTool(client, 'read_file', { path: 'there.txt' }))).toContain('there')
    expect((await callTool(client, 'read_file', { path: join(root, 'above.txt') })).isError).toBe(true)
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['workspace:///there.txt'])
    expect(told.stderr).toBe('')
  })

  it('keeps its directory when the roots change, and warns', async () => {
    const { client, roots, told } = await connect(['--root-from-client'], [uriOf(other)])
    await client.ping()
    roots.now = [uriOf(root)]
    await callTool(client, 'read_file', { path: 'there.txt' })
    await client.sendRootsListChanged()
    await callTool(client, 'read_file', { path: 'there.txt' })
    // The chosen directory is still among the roots.
    expect(told.logged).toEqual([])
    expect((await callTool(client, 'read_file', { path: join(root, 'above.txt') })).isError).toBe(true)
    roots.now = [uriOf(join(root, 'elsewhere'))]
    await client.sendRootsListChanged()
    await expect.poll(() => told.logged.length).toBe(1)
    await expect.poll(() => told.stderr).toContain('is not in what the client works in')
  })

  it.each([
    ['names several roots', ['file:///a', 'file:///b'], 'names several directories'],
    ['names a missing directory', ['file:///no/such/place'], 'there is no such directory'],
  ])('exits if the client %s', async (_, roots, why) => {
    const { client, told } = await connect(['--root-from-client'], roots)
    await expect(client.listTools()).rejects.toThrow()
    await expect.poll(() => told.stderr).toContain(why)
    expect(told.stderr).not.toContain('    at ')
  })

  const directoryOf = (uris: readonly string[]): string => soleDirectory(uris.map((uri) => ({ uri })))

  it.each([
    ['no roots', [], 'names no directory'],
    ['a root on another machine', ['file://host/x'], 'names no directory'],
    ['a root that is not a file URL', ['https://example.com/'], 'names no directory'],
    ['the root of the file system', ['file:///'], 'all of the file system'],
  ])('rejects a client with %s', (_, roots, why) => expect(() => directoryOf(roots)).toThrow(why))

  it('treats two names of one directory as one root', async () => {
    await symlink(other, join(root, 'link'))
    expect(directoryOf([uriOf(other), uriOf(join(root, 'link'))])).toBe(other)
  })

  it('answers requests even if stdin ends with the roots', async () => {
    const { child, end, say } = begin()
    say(initialize({ roots: {} }), { method: 'notifications/initialized' }, READ)
    child.stdout.on('data', (text: string) => {
      const question = text.split('\n').find((line) => line.includes('roots/list'))
      if (question === undefined) return
      say({ id: JSON.parse(question).id, result: { roots: [{ uri: uriOf(other) }] } }, { ...READ, id: 3 })
      child.stdin.end()
    })
    const { code, stdout, stderr } = await end
    expect([code, stderr]).toEqual([0, ''])
    for (const id of [2, 3])
      expect(messagesOf(stdout)).toContainEqual(
        expect.objectContaining({ id, result: expect.objectContaining({ content: expect.anything() }) }),
      )
  })

  it.each([
    ['has no roots', {}, 2, 'names no directory'],
    ['disconnects before it answers', { roots: {} }, 0, 'has gone'],
  ])('answers waiting requests with an error if the client %s', async (_, capabilities, exit, why) => {
    const { child, end, say } = begin()
    say(initialize(capabilities), { method: 'notifications/initialized' }, READ)
    child.stdin.end()
    const { code, stdout, stderr } = await end
    expect([code, stderr === '']).toEqual([exit, exit === 0])
    expect(messagesOf(stdout)).toContainEqual({ jsonrpc: '2.0', id: 2, error: { code: -32603, message: expect.stringContaining(why) } })
  })

  it('exits quietly if nobody reads', async () => {
    const { child, end, say } = begin()
    child.stdout.destroy()
    for (let id = 10; id < 20; id++) say({ id, method: 'ping' })
    child.stdin.on('error', () => {})
    const interval = setInterval(() => child.stdin.writable && say({ id: 99, method: 'ping' }), 20)
    const { code, stderr } = await end
    clearInterval(interval)
    expect([code, stderr]).toEqual([0, ''])
  })

  it('exits at the end of stdin', async () => {
    const { child, end } = begin()
    child.stdin.end()
    expect(await end).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})
