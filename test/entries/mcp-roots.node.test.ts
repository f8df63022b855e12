// @module-tag mcp
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { servedDirectories } from '../../src/entries/cli/mcp.js'
import { beginByHand, connectRoots, initialize, messagesOf, uriOf } from './mcp-roots-support.js'
import { callTool, textOf } from './mcp-support.js'

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

const connect = (args: readonly string[], roots: readonly string[] | undefined) => connectRoots(clients, root, args, roots)

describe('toolport mcp --root', () => {
  it('warns if the client has other roots, and continues', async () => {
    const { client, told } = await connect(['--root', root], [uriOf(other), 'file://host/x'])
    await expect.poll(() => told.logged.length).toBe(1)
    expect(told.logged).toMatchObject([{ level: 'warning', data: { message: expect.stringContaining(root) } }])
    await expect.poll(() => told.stderr).toContain(`The tools work in ${root}, which is not inside the client's roots: ${uriOf(other)}`)
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

describe('toolport mcp --root-from-client', () => {
  it('works in the only root of the client and nowhere else', async () => {
    const { client, told } = await connect(['--root-from-client'], [uriOf(other)])
    expect(client.getServerCapabilities()).toMatchObject({ tools: { listChanged: true }, resources: { subscribe: true }, logging: {} })
    expect(textOf(await callTool(client, 'read_file', { path: 'there.txt' }))).toContain('there')
    expect((await callTool(client, 'read_file', { path: join(root, 'above.txt') })).isError).toBe(true)
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['workspace:///there.txt'])
    expect(told.stderr).toBe('')
  })

  it.each([
    ['names a missing directory', ['file:///no/such/place'], 'there is no such directory'],
    ['names two directories with the same name', ['file:///no/a', 'file:///such/a'], 'another directory has the name "a" too'],
  ])('exits if the client %s', async (_, roots, why) => {
    const { client, told } = await connect(['--root-from-client'], roots)
    await expect(client.listTools()).rejects.toThrow()
    await expect.poll(() => told.stderr).toContain(why)
    expect(told.stderr).not.toContain('    at ')
  })

  const directoriesOf = (uris: readonly string[]): readonly string[] => servedDirectories(uris.map((uri) => ({ uri })))

  it.each([
    ['no roots', [], 'names no directory'],
    ['a root on another machine', ['file://host/x'], 'names no directory'],
    ['a root that is not a file URL', ['https://example.com/'], 'names no directory'],
    ['the root of the file system', ['file:///'], 'the whole file system'],
  ])('rejects a client with %s', (_, roots, why) => expect(() => directoriesOf(roots)).toThrow(why))

  it('treats two names of one directory as one root', async () => {
    await symlink(other, join(root, 'link'))
    expect(directoriesOf([uriOf(other), uriOf(join(root, 'link'))])).toEqual([other])
  })

  it('leaves out a directory inside another root', () => {
    const [a, b, inner] = [join(root, 'a'), join(root, 'b'), join(root, 'a', 'inner')]
    expect(directoriesOf([uriOf(inner), uriOf(b), uriOf(a)])).toEqual([a, b])
  })

  it('answers requests even if stdin ends with the roots', async () => {
    const { child, end, say } = beginByHand(root)
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
    ['disconnects before it answers', { roots: {} }, 0, 'disconnected'],
  ])('answers waiting requests with an error if the client %s', async (_, capabilities, exit, why) => {
    const { child, end, say } = beginByHand(root)
    say(initialize(capabilities), { method: 'notifications/initialized' }, READ)
    child.stdin.end()
    const { code, stdout, stderr } = await end
    expect([code, stderr === '']).toEqual([exit, exit === 0])
    expect(messagesOf(stdout)).toContainEqual({ jsonrpc: '2.0', id: 2, error: { code: -32603, message: expect.stringContaining(why) } })
  })

  it('exits quietly if nobody reads', async () => {
    const { child, end, say } = beginByHand(root)
    child.stdout.destroy()
    for (let id = 10; id < 20; id++) say({ id, method: 'ping' })
    child.stdin.on('error', () => {})
    const interval = setInterval(() => child.stdin.writable && say({ id: 99, method: 'ping' }), 20)
    const { code, stderr } = await end
    clearInterval(interval)
    expect([code, stderr]).toEqual([0, ''])
  })

  it('exits at the end of stdin', async () => {
    const { child, end } = beginByHand(root)
    child.stdin.end()
    expect(await end).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})
