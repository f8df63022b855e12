// @module-tag mcp
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runs } from './cli-support.js'
import { beginByHand, connectRoots, initialize, type Message, uriOf } from './mcp-roots-support.js'
import { callTool, textOf, until } from './mcp-support.js'

let root: string
let one: string
let two: string
let three: string
const clients: Client[] = []

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'toolport-roots-')))
  ;[one, two, three] = ['one', 'two', 'three'].map((name) => join(root, name)) as [string, string, string]
  for (const path of [one, two, three]) {
    await mkdir(path)
    await writeFile(join(path, 'name.txt'), `this is ${path}\n`)
  }
})

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  await rm(root, { recursive: true, force: true, maxRetries: 10 })
})

const connect = (first: readonly string[], ...args: readonly string[]) =>
  connectRoots(clients, root, ['--root-from-client', ...args], first.map(uriOf))

const read = async (client: Client, path = 'name.txt'): Promise<string> => textOf(await callTool(client, 'read_file', { path }))

/** Runs a command that creates a file and then runs for a minute. Resolves when the file exists. */
async function runLong(client: Client): Promise<{ readonly error: Promise<Error>; readonly pid: number }> {
  const error = callTool(client, 'bash', { command: 'echo $$ > pid.txt; sleep 60; echo late > late.txt' }).then(
    () => new Error('The call was not stopped'),
    (stopped: Error) => stopped,
  )
  const path = join(one, 'pid.txt')
  await until(async () => existsSync(path) && (await readFile(path, 'utf8')).endsWith('\n'))
  return { error, pid: Number(await readFile(path, 'utf8')) }
}

describe('toolport mcp --root-from-client with several roots', () => {
  it('serves each root under its name, and nothing else', async () => {
    const { client, told } = await connect([two, one])
    expect(await read(client, 'two/name.txt')).toContain(`this is ${two}`)
    await callTool(client, 'write_file', { path: 'one/new.txt', content: 'new\n' })
    expect(await readFile(join(one, 'new.txt'), 'utf8')).toBe('new\n')
    for (const path of ['three/name.txt', join(root, 'three/name.txt'), '../three/name.txt'])
      expect((await callTool(client, 'read_file', { path })).isError).toBe(true)
    expect(told).toMatchObject({ stderr: '', logged: [] })
  })

  it('serves a root with the name __proto__', async () => {
    const proto = join(root, '__proto__')
    await mkdir(proto)
    const { client } = await connect([proto, one])
    await callTool(client, 'write_file', { path: '__proto__/new.txt', content: 'new\n' })
    expect(await readFile(join(proto, 'new.txt'), 'utf8')).toBe('new\n')
  })

  it('ignores roots that are not file URLs', async () => {
    const { client, told } = await connectRoots(clients, root, ['--root-from-client'], ['https://example.com/', uriOf(one)])
    expect(await read(client)).toContain(`this is ${one}`)
    expect(told.stderr).toBe('')
  })

  it('rejects an unknown tool in --tools', async () => {
    const { client, told } = await connect([one], '--tools', 'bogus')
    await expect(client.listTools()).rejects.toThrow()
    await expect.poll(() => told.stderr).toContain('"tools" has "bogus"')
    expect(told.stderr).not.toContain('    at ')
  })

  it('rejects a real shell', async () => {
    const { client, told } = await connect([one, two], '--shell', 'node')
    await expect(client.listTools()).rejects.toThrow()
    await expect.poll(() => told.stderr).toContain('--shell node works in one directory')
  })
})

describe('toolport mcp --root-from-client after a change of the roots', () => {
  it('serves only the new roots, and names them', async () => {
    const { client, told, change } = await connect([one])
    expect(await read(client)).toContain(`this is ${one}`)
    await change(uriOf(two))
    expect(await read(client)).toContain(`this is ${two}`)
    expect((await callTool(client, 'read_file', { path: join(one, 'name.txt') })).isError).toBe(true)
    const message = `The tools now work in ${two}: the client's roots have changed`
    expect(told).toMatchObject({ logged: [{ level: 'notice', data: { message } }], stderr: `toolport: ${message}\n`, toolChanges: 0 })
    await change(uriOf(two), uriOf(three))
    expect(await read(client, 'three/name.txt')).toContain(`this is ${three}`)
    await change(uriOf(one))
    expect(await read(client)).toContain(`this is ${one}`)
  })

  it('keeps the log level, and reports a changed list of tools', async () => {
    await mkdir(join(two, '.toolport/tools'), { recursive: true })
    await writeFile(join(two, '.toolport/tools/c.mjs'), `export const name = 'c'; export const run = () => 'fine'`)
    const { client, told, change } = await connect([one], '--js')
    await client.setLoggingLevel('debug')
    await expect(client.setLoggingLevel('bogus' as 'debug')).rejects.toThrow('level')
    await change(uriOf(two))
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('c')
    expect(told.toolChanges).toBe(1)
    expect(told.levels).toEqual(['notice'])
    await read(client)
    expect(told.levels).toContain('debug')
  })

  it('keeps its directory if the new one lacks a tool of --tools', async () => {
    await mkdir(join(one, '.toolport/tools'), { recursive: true })
    await writeFile(join(one, '.toolport/tools/c.mjs'), `export const name = 'c'; export const run = () => 'fine'`)
    const { client, told, change } = await connect([one], '--js', '--tools', 'c,read_file')
    expect(textOf(await callTool(client, 'c'))).toBe('fine')
    await change(uriOf(two))
    expect(await read(client)).toContain(`this is ${one}`)
    expect(textOf(await callTool(client, 'c'))).toBe('fine')
    expect(told.stderr).toContain(`The tools still work in ${one}, because the server cannot serve the client's new roots`)
  })

  it('waits for a short call, and answers later requests from the new roots', async () => {
    const { client, change } = await connect([one], '--shell', 'node')
    const short = callTool(client, 'bash', { command: 'touch begun; sleep 0.3; cat name.txt' })
    await until(() => existsSync(join(one, 'begun')))
    await change(uriOf(two))
    const later = read(client)
    expect(textOf(await short)).toContain(`this is ${one}`)
    expect(await later).toContain(`this is ${two}`)
  })

  it('stops a long call and its processes, and answers with an error', async () => {
    const { client, change } = await connect([one], '--shell', 'node')
    const { error, pid } = await runLong(client)
    await change(uriOf(two))
    const later = read(client)
    expect((await error).message).toContain("The client's roots have changed")
    expect(runs(pid)).toBe(false)
    expect(await later).toContain(`this is ${two}`)
  })

  it('serves the last roots after two quick changes', async () => {
    const { client, roots, told, change } = await connect([one])
    expect(await read(client)).toContain(`this is ${one}`)
    let answer = (): void => {}
    roots.answered = new Promise((resolve) => {
      answer = resolve
    })
    await change(uriOf(two))
    await until(() => told.asked === 2)
    await change(uriOf(three))
    const later = read(client)
    answer()
    expect(await later).toContain(`this is ${three}`)
    expect(told.stderr).not.toContain(two)
  })

  it('follows a change while another change waits for a call', async () => {
    const { client, told, change } = await connect([one], '--shell', 'node')
    const { error } = await runLong(client)
    await change(uriOf(two))
    await until(() => told.asked === 2)
    const between = read(client)
    await change(uriOf(three))
    expect((await error).message).toContain('roots have changed')
    expect(await between).toContain(`this is ${three}`)
  })

  it.each([
    ['to none', () => [], 'the client names no directory'],
    ['to a URL that is not a file URL', () => ['https://example.com/'], 'the client names no directory'],
    ['to a missing directory', () => [join(root, 'missing')], 'there is no such directory'],
    ['to a file', () => [join(two, 'name.txt')], 'Cannot work in'],
    ['to the whole file system', () => ['/', two], 'the whole file system'],
    ['to two directories with the same name', () => [one, join(two, 'one')], 'another directory has the name "one" too'],
  ])('keeps its directory and running calls if the roots change %s', async (_, paths, why) => {
    const { client, told, change } = await connect([one], '--shell', 'virtual')
    const running = callTool(client, 'bash', { command: 'touch begun; sleep 1.1; cat name.txt' })
    await until(() => existsSync(join(one, 'begun')))
    await change(...paths().map((path) => (path.startsWith('https:') ? path : uriOf(path))))
    await expect.poll(() => told.logged).toMatchObject([{ level: 'warning', data: { message: expect.stringContaining(why) } }])
    expect(told.stderr).toContain(`The tools still work in ${one}, because`)
    expect(await read(client)).toContain(`this is ${one}`)
    expect(textOf(await running)).toContain(`this is ${one}`)
  })

  it('keeps its runtime if the roots are the same', async () => {
    const { client, told, change } = await connect([one, two], '--shell', 'virtual')
    await callTool(client, 'bash', { command: 'sleep 60', run_in_background: true })
    await change(uriOf(two), uriOf(one), uriOf(join(one, 'inner')))
    expect(textOf(await callTool(client, 'list_background_bash'))).toContain('running')
    expect(told).toMatchObject({ asked: 2, stderr: '', logged: [], toolChanges: 0 })
  })
})

/** Starts a server for a hand-written client. The client answers each `roots/list` with the next directory. */
function begin(answers: string[], ...args: readonly string[]) {
  const server = beginByHand(root, args)
  const answered = new Set<number>()
  server.child.stdout.on('data', () => {
    for (const { id, method } of server.received()) {
      if (method !== 'roots/list' || id === undefined || answered.has(id) || answers.length === 0) continue
      answered.add(id)
      server.say({ id, result: { roots: [{ uri: uriOf(answers.shift() as string) }] } })
    }
  })
  server.say(initialize({ roots: {}, elicitation: {} }), { method: 'notifications/initialized' })
  return server
}

const call = (id: number, name: string, input: object): object => ({ id, method: 'tools/call', params: { name, arguments: input } })
const CHANGED = { method: 'notifications/roots/list_changed' }

describe('a client whose roots change', () => {
  const isAnswerTo =
    (id: number) =>
    (message: Message): boolean =>
      message.id === id && message.method === undefined

  it('gets an error for a waiting request if it disconnects before it names its roots', async () => {
    const { child, end, say, received } = begin([one])
    say(call(2, 'list_files', {}))
    await until(() => received().some(isAnswerTo(2)))
    say(CHANGED, call(3, 'list_files', {}))
    child.stdin.end()
    expect(await end).toMatchObject({ code: 0, stderr: '' })
    expect(received().filter(isAnswerTo(3))).toMatchObject([{ error: { message: expect.stringContaining('disconnected') } }])
  })

  it.each([0, 500, 990, 1100])('ends the server within 2 seconds if it disconnects %i ms after the change', async (ms) => {
    const { child, end, say, received } = begin([one, two], '--shell', 'node')
    say(call(2, 'bash', { command: 'echo $$ > pid.txt; sleep 60' }))
    const path = join(one, 'pid.txt')
    await until(async () => existsSync(path) && (await readFile(path, 'utf8')).endsWith('\n'))
    say(CHANGED, call(3, 'read_file', { path: 'name.txt' }))
    await new Promise((resolve) => setTimeout(resolve, ms))
    const from = performance.now()
    child.stdin.end()
    expect((await end).code).toBe(0)
    expect(performance.now() - from).toBeLessThan(2000)
    expect(runs(Number(await readFile(path, 'utf8')))).toBe(false)
    expect(received().filter(isAnswerTo(3))).toHaveLength(1)
  })

  it('cannot approve a call with the response to an earlier approval request', async () => {
    const policy = { policy: { tools: [{ tools: 'write_file', action: 'ask', reason: 'it writes' }] } }
    await writeFile(join(root, 'ask.json'), JSON.stringify(policy))
    const { child, end, say, received } = begin([one, two], '--config', 'ask.json')
    const questions = (): readonly Message[] => received().filter(({ method }) => method === 'elicitation/create')
    say(call(2, 'write_file', { path: 'new.txt', content: 'first' }))
    await until(() => questions().length === 1)
    say(CHANGED, call(3, 'write_file', { path: 'new.txt', content: 'second' }))
    await until(() => questions().length === 2)
    const [first, second] = questions()
    expect(received()).toContainEqual(
      expect.objectContaining({ method: 'notifications/cancelled', params: expect.objectContaining({ requestId: first?.id }) }),
    )
    say({ id: first?.id, result: { action: 'accept', content: {} } }, { id: second?.id, result: { action: 'decline' } })
    await until(() => received().some(isAnswerTo(3)))
    expect(received().find(isAnswerTo(3))).toMatchObject({ result: { isError: true } })
    expect([one, two].map((path) => existsSync(join(path, 'new.txt')))).toEqual([false, false])
    child.stdin.end()
    expect((await end).code).toBe(0)
    for (const id of [2, 3]) expect(received().filter(isAnswerTo(id))).toHaveLength(1)
  })

  it('can cancel a request that waits for the new roots', async () => {
    const { child, end, say, received } = begin([one])
    say(call(2, 'list_files', {}))
    await until(() => received().some(isAnswerTo(2)))
    say(CHANGED, call(3, 'write_file', { path: 'new.txt', content: '' }), { method: 'notifications/cancelled', params: { requestId: 3 } })
    await until(() => received().filter(({ method }) => method === 'roots/list').length === 2)
    const question = received().findLast(({ method }) => method === 'roots/list')
    say({ id: question?.id, result: { roots: [{ uri: uriOf(two) }] } }, call(4, 'list_files', {}))
    await until(() => received().some(isAnswerTo(4)))
    child.stdin.end()
    await end
    expect([existsSync(join(two, 'new.txt')), received().filter(isAnswerTo(3)).length]).toEqual([false, 0])
  })
})
