// @module-tag mcp
import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ErrorCode, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CLI, ended, startCli } from './cli-support.js'
import { mcpEndCases } from './mcp-end-cases.js'
import { callEveryTool, callTool, newClient, PATIENT, progressOf, textOf, until } from './mcp-support.js'

const LOOP = 'while true; do echo x >> ticks; done'

let root: string
const clients: Client[] = []

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'toolport-mcp-')))
  await mkdir(join(root, 'src'))
  await writeFile(join(root, 'src/a.ts'), 'export const a = 1\n')
  await writeFile(join(root, 'README.md'), '# Hello\n')
})

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  await rm(root, { recursive: true, force: true, maxRetries: 10 })
})

async function connect(...args: string[]) {
  const transport = new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp', ...args], cwd: root, stderr: 'pipe' })
  let stderr = ''
  transport.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  const client = newClient()
  clients.push(client)
  const strange: Error[] = []
  client.onerror = (error) => strange.push(error)
  await client.connect(transport)
  return { client, transport, strange, stderr: () => stderr }
}

describe('toolport mcp', () => {
  it('serves tools and files of a directory, with only messages on stdout', async () => {
    const { client, strange, stderr } = await connect('--root', root)
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
    expect(client.getServerVersion()).toEqual({ name: 'toolport', version })
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('edit_file')
    const edits = [{ old_string: '1', new_string: '2' }]
    expect((await callTool(client, 'edit_file', { path: 'src/a.ts', edits })).isError).toBeUndefined()
    expect(await readFile(join(root, 'src/a.ts'), 'utf8')).toBe('export const a = 2\n')
    expect((await client.readResource({ uri: 'workspace:///src/a.ts' })).contents[0]).toMatchObject({ text: 'export const a = 2\n' })
    expect((await callTool(client, 'read_file', { path: '/etc/passwd' })).isError).toBe(true)
    expect((await callTool(client, 'read_file', {})).isError).toBe(true)
    await expect(callTool(client, 'nope')).rejects.toMatchObject({ code: ErrorCode.InvalidParams })
    expect([strange, stderr()]).toEqual([[], ''])
  })

  it('sends progress and file changes', async () => {
    const { client } = await connect('--root', root, '--shell', 'virtual')
    const seen = await progressOf(client, 'one', 'two')
    expect(seen.map(({ message }) => message).join('')).toBe('one\ntwo\n')
    const changed: string[] = []
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void changed.push(params.uri))
    await client.subscribeResource({ uri: 'workspace:///README.md' })
    await callTool(client, 'bash', { command: 'echo more >> README.md' })
    await until(() => changed.length > 0)
    expect(changed).toEqual(['workspace:///README.md'])
  })

  it('stops a cancelled loop', async () => {
    const { client } = await connect('--root', root, '--shell', 'virtual')
    const ticks = async () => (await stat(join(root, 'ticks')).catch(() => undefined))?.size ?? 0
    const cancel = new AbortController()
    const call = client.callTool({ name: 'bash', arguments: { command: LOOP } }, undefined, { signal: cancel.signal })
    const refused = expect(call).rejects.toThrow()
    await until(async () => (await ticks()) > 0)
    cancel.abort('enough')
    await refused
    expect(textOf(await callTool(client, 'bash', { command: 'echo still here' }, PATIENT))).toContain('still here')
    // The server is another process, so this test cannot see when the loop ends. `npm run bench -- --filter MCP` measures that.
    await until(async () => {
      const then = await ticks()
      await callTool(client, 'bash', { command: 'sleep 0.05' })
      return (await ticks()) === then
    })
  })

  it('answers invalid lines and continues', async () => {
    const child = startCli(root, ['mcp', '--memory'])
    const end = ended(child)
    const ping = { jsonrpc: '2.0', id: 3, method: 'ping' }
    const lines = [
      '{"jsonrpc"',
      JSON.stringify([ping]),
      '{"id":7,"method":"ping"}',
      '{"error":{},"id":null}',
      '',
      'null',
      JSON.stringify(ping),
    ]
    child.stdin.end(`${lines.join('\r\n')}\n`)
    const { code, stdout, stderr } = await end
    expect(stderr).toMatch(/^(toolport: Cannot .+\n){5}$/)
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(code).toBe(0)
    const error = (wrong: number, id: unknown) => ({
      jsonrpc: '2.0',
      id,
      error: { code: wrong, message: expect.stringMatching(/^Cannot /) },
    })
    const { InvalidRequest, ParseError } = ErrorCode
    const wrong = [error(ParseError, null), error(InvalidRequest, null), error(InvalidRequest, 7), error(InvalidRequest, null)]
    expect(answers).toEqual([...wrong, { jsonrpc: '2.0', id: 3, result: {} }])
  })

  it('answers many concurrent calls correctly', async () => {
    const { client } = await connect('--memory')
    for (let i = 0; i < 100; i++) await callTool(client, 'write_file', { path: `many/${i}.txt`, content: `content of ${i}\n` })
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => callTool(client, 'read_file', { path: `many/${i % 100}.txt`, numbered: false }, PATIENT)),
    )
    answers.forEach((answer, i) => {
      expect(textOf(answer).trim()).toBe(`content of ${i % 100}`)
    })
  })

  it('can be killed and restarted on the same directory', async () => {
    const first = await connect('--root', root, '--shell', 'virtual')
    await callTool(first.client, 'write_file', { path: 'kept.txt', content: 'kept\n' })
    const lost = expect(callTool(first.client, 'bash', { command: 'sleep 60' })).rejects.toThrow('Connection closed')
    process.kill(first.transport.pid ?? 0, 'SIGKILL')
    await lost
    const second = await connect('--root', root)
    expect(textOf(await callTool(second.client, 'read_file', { path: 'kept.txt' }))).toContain('kept')
  })

  it('calls every tool', async () => {
    const { client } = await connect('--memory', '--seed', root, '--js')
    // The calls make no checkpoints here.
    expect(await callEveryTool(client)).toEqual(['diff_checkpoint', 'restore_checkpoint'])
  })

  it('answers requests that were sent before stdin ended', async () => {
    const child = startCli(root, ['mcp', '--root', root])
    const end = ended(child)
    const params = { name: 'read_file', arguments: { path: 'README.md' } }
    child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`)
    expect(JSON.parse((await end).stdout)).toMatchObject({ id: 1, result: { content: [{ text: expect.stringContaining('# Hello') }] } })
  })
})

mcpEndCases('node')
mcpEndCases('virtual', ['the end of stdin'])

it('continues if nobody reads stderr', async () => {
  const child = startCli(root, ['mcp', '--memory'])
  const read = ended(child)
  child.stderr.destroy()
  child.stdin.write('{ "broken\n')
  child.stdin.write(Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":6,"method":"'), Buffer.of(0xff), Buffer.from('"}\n')]))
  child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' })}\n`)
  const { code, stdout } = await read
  expect([code, stdout]).toEqual([0, expect.stringContaining('"id":7')])
  expect(stdout).toContain('it is not valid UTF-8')
})
