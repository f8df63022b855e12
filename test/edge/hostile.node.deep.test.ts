// @module-tag edge
import { type ClientRequest, request } from 'node:http'
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Attack, COMPUTING } from './attack.js'
import { tryOpen } from './socket-client.js'
import { type Client, Edge, errorOf, until } from './support.js'

const MIB = 1024 * 1024
const BODY_TIMEOUT_MS = 1500

let edge: Edge
beforeAll(async () => {
  const bindings = {
    OPEN: 'true',
    BODY_TIMEOUT_MS: String(BODY_TIMEOUT_MS),
    CREATIONS_PER_MINUTE: '1000',
    FAILURES_PER_MINUTE: '100',
    MAX_CALLS: '4',
    MAX_BYTES: '1000000',
  }
  edge = await Edge.start({ bindings })
})
afterAll(() => edge?.stop())

/** Maximum time that an honest request may wait, even on a slow machine, milliseconds. */
const LONGEST_WAIT_MS = 10_000

/** A client of another workspace, which the server has to serve during every attack. */
class Honest {
  served = 0
  longestMs = 0
  readonly #working: Promise<void>
  #answered = performance.now()
  #over = false

  constructor(client: Client) {
    this.#working = this.#work(client)
    this.#working.catch(() => {})
  }

  /** Runs an attack, and expects that the server has served this client meanwhile. */
  async during(attack: () => Promise<void>): Promise<void> {
    const before = this.served
    await attack()
    expect(this.served).toBeGreaterThan(before)
  }

  async stop(): Promise<void> {
    this.#over = true
    await this.#working
  }

  async #work(client: Client): Promise<void> {
    while (!this.#over) {
      expect(await client.output('read_file', { path: 'a.txt', numbered: false })).toMatchObject({ text: 'mine' })
      const now = performance.now()
      this.longestMs = Math.max(this.longestMs, now - this.#answered)
      this.#answered = now
      this.served++
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
  }
}

let honest: Honest
beforeEach(async () => {
  honest = new Honest(await edge.create({ files: { 'a.txt': 'mine' } }))
  await until(() => honest.served > 0)
})
afterEach(async () => {
  await honest.stop()
  expect(honest.longestMs).toBeLessThan(LONGEST_WAIT_MS)
})

interface Raw {
  readonly status: number
  readonly body: string
}

/** Starts a request. The test sends the body itself. */
function raw(
  client: Client,
  part: string,
  headers: Readonly<Record<string, string>>,
): { readonly sent: ClientRequest; readonly answer: Promise<Raw> } {
  const sent = request(edge.address + client.path + part, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...client.headers, ...headers },
    agent: false,
  })
  const answer = new Promise<Raw>((resolve, reject) => {
    // After the response has arrived, a connection reset is not an error.
    let isAnswered = false
    sent.on('error', (error) => isAnswered || reject(error))
    sent.on('response', (response) => {
      isAnswered = true
      let body = ''
      response.on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
      response.on('error', reject)
    })
  })
  return { sent, answer }
}

describe.each(['/calls', '/mcp'])('the request body for %s', (part) => {
  it('a body with a too large Content-Length is rejected before it arrives', async () => {
    const client = await edge.create()
    const { sent, answer } = raw(client, part, { 'content-length': String(5 * MIB) })
    sent.write('{')
    expect(await answer).toMatchObject({ status: 413, body: expect.stringContaining('body_too_large') })
    sent.destroy()
  })

  it('a body that becomes too large is rejected', async () => {
    const client = await edge.create()
    const { sent, answer } = raw(client, part, { 'transfer-encoding': 'chunked' })
    answer.catch(() => {})
    const chunk = Buffer.alloc(256 * 1024, ' ')
    for (let at = 0; at < 17 && !sent.destroyed; at++) await new Promise((resolve) => sent.write(chunk, resolve))
    expect(await answer).toMatchObject({ status: 413, body: expect.stringContaining('body_too_large') })
    sent.destroy()
  })

  it.each<Record<string, string>>([{ 'transfer-encoding': 'chunked' }, { 'content-length': '100000' }])(
    'a body that never ends is rejected at the timeout, with %j',
    async (headers) => {
      const client = await edge.create()
      await honest.during(async () => {
        const { sent, answer } = raw(client, part, headers)
        const drip = setInterval(() => sent.write(' '), 100)
        expect(await answer).toMatchObject({ status: 408, body: expect.stringContaining('body_timeout') })
        clearInterval(drip)
        sent.destroy()
      })
    },
  )

  it('a slow body cannot use more places than calls may run', async () => {
    const client = await edge.create()
    const headers = { 'content-length': String(3 * MIB) }
    const slow = Array.from({ length: 8 }, () => raw(client, part, headers))
    for (const { sent } of slow) sent.write('{')
    const statuses = (await Promise.all(slow.map(({ answer }) => answer))).map(({ status }) => status)
    for (const { sent } of slow) sent.destroy()
    expect(statuses.sort()).toEqual([408, 408, 408, 408, 429, 429, 429, 429])
    expect(await client.call('read_file', { path: 'a' })).toMatchObject({ ok: false, output: { code: 'ENOENT' } })
  })

  it('a body that is not JSON is rejected', async () => {
    const client = await edge.create()
    for (const body of ['', '{', '{"name":', '\xff\xfe', 'name=read_file', '[[[', '{"name":"read_file"}}']) {
      const response = await edge.fetch(client.path + part, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...client.headers },
        body: Buffer.from(body, 'latin1'),
      })
      expect(response.status).toBe(400)
      expect(await response.text()).not.toMatch(/at \w+ \(|\.ts:|\.js:/)
    }
  })
})

it('a body of another content type is rejected', async () => {
  const client = await edge.create()
  expect(await errorOf(await client.post({ name: 'read_file' }, { 'content-type': 'text/plain' }))).toMatchObject({
    status: 415,
    code: 'not_json',
  })
})

it('deep, wide or unusual input is rejected, and the workspace continues', async () => {
  const client = await edge.create()
  const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000)
  const send = (body: string): Promise<Response> =>
    edge.fetch(`${client.path}/calls`, { method: 'POST', headers: { 'content-type': 'application/json', ...client.headers }, body })
  for (const body of [
    `{"name":"read_file","input":{"path":${deep}}}`,
    `{"name":"read_file","input":{"__proto__":{"path":"a"},"constructor":1}}`,
    `{"name":"__proto__","input":{}}`,
    `{"name":"${'x'.repeat(100_000)}","input":{}}`,
    `{"name":"read_file","input":{"path":"${'../'.repeat(10_000)}etc/passwd"}}`,
  ]) {
    const response = await send(body)
    const text = await response.text()
    expect([200, 400]).toContain(response.status)
    expect(text.length).toBeLessThan(20_000)
    expect(JSON.parse(text)).toMatchObject(response.status === 200 ? { ok: false } : { error: { message: expect.any(String) } })
  }
  expect((await client.get()).status).toBe(200)
})

it.each(['../../etc/passwd', '/etc/passwd', '/workspace/../etc/passwd', 'a\0b', '..\\..\\x', 'file:///etc/passwd', 'C:\\x', 'a/../../b'])(
  'a call with the path %j is rejected',
  async (path) => {
    const client = await edge.create()
    for (const [name, input] of [
      ['read_file', { path }],
      ['write_file', { path, content: 'x' }],
      ['list_files', { path }],
      ['delete_file', { path }],
    ] as const) {
      const result = await client.call(name, input)
      expect(result).toMatchObject({
        ok: false,
        output: { code: expect.stringMatching(/^(path_outside_workspace|invalid_path|invalid_input|ENOENT)$/) },
      })
    }
    expect((await client.describe()).usage.files).toBe(0)
  },
)

it('URL paths lead to no other workspace and no file', async () => {
  const client = await edge.create({ files: { 'a.txt': 'secret' } })
  for (const path of [
    `${client.path}/files/a.txt`,
    `${client.path}/../${client.id}`,
    `${client.path}//calls`,
    `${client.path}/calls/../../x`,
    `${client.path}%2fcalls`,
    `${client.path}/`,
    `//${client.id}`,
    '/workspaces//',
    `/workspaces/${client.id.toUpperCase()}`,
    `/workspaces/${client.id}%00`,
    '/%c0%ae%c0%ae/',
    '/workspaces/__proto__',
  ]) {
    const response = await new Promise<Raw>((resolve, reject) => {
      // Does not use `fetch`, which would normalize the path.
      const sent = request(edge.address, { path, headers: client.headers, agent: false }, (got) => {
        let body = ''
        got.on('data', (chunk) => {
          body += chunk
        })
        got.on('end', () => resolve({ status: got.statusCode ?? 0, body }))
      })
      sent.on('error', reject)
      sent.end()
    })
    expect({ path, ok: [401, 404].includes(response.status) || response.body.includes(client.id) }).toEqual({ path, ok: true })
    expect(response.body).not.toContain('secret')
  }
})

/** The same id with some letters in upper case. The bits of `number` say which ones. */
function spelt(path: string, number: number): string {
  let bit = 0
  const spell = (letter: string): string => ((number >> (bit++ % 9)) & 1 ? letter.toUpperCase() : letter)
  return path.replace(/[0-9a-f]{64}$/, (id) => id.replace(/[a-f]/g, spell))
}

it('wrong tokens are rejected in every spelling of the id, and after several the address waits for that workspace', async () => {
  const client = await edge.create()
  const statuses = new Map<number, number>()
  await honest.during(async () => {
    for (let round = 0; round < 30; round++) {
      const responses = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          edge.fetch(spelt(client.path, round * 10 + at), { headers: { authorization: 'Bearer guess' } }),
        ),
      )
      for (const response of responses) {
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
        if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
        await response.text()
      }
    }
  })
  expect([...statuses.keys()].sort()).toEqual([401, 429])
  expect(statuses.get(401)).toBeLessThan(200)
  const other = await edge.create()
  expect((await other.get()).status).toBe(200)
})

it('10,000 calls, MCP messages and sockets of one workspace are served up to its rate, and the rest is rejected', async () => {
  const client = await edge.create({ files: { 'a.txt': 'a' } })
  const call = { name: 'read_file', arguments: { path: 'a.txt' } }
  const accept = { ...client.headers, accept: 'application/json, text/event-stream' }
  const kinds: readonly (() => Promise<number>)[] = [
    async () => read(await client.post({ name: 'read_file', input: { path: 'a.txt' } })),
    async () =>
      read(
        await edge.post(
          `${client.path}/mcp`,
          { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
          { ...accept, 'mcp-session-id': 'x' },
        ),
      ),
    async () => {
      const { status, socket } = await tryOpen(client, client.headers)
      socket?.close()
      return status
    },
    async () => read(await client.get('/tools')),
  ]
  const statuses: Record<number, number> = {}
  await honest.during(async () => {
    for (let round = 0; round < 100; round++) {
      const all = await Promise.all(Array.from({ length: 100 }, (_, at) => kinds[at % kinds.length]?.() ?? 0))
      for (const status of all) statuses[status] = (statuses[status] ?? 0) + 1
    }
  })
  expect(Object.keys(statuses)).toEqual(['101', '200', '429'])
  expect(statuses[429]).toBeGreaterThan(5000)
  await until(async () => (await client.get()).status === 200)
})

async function read(response: Response): Promise<number> {
  await response.text()
  return response.status
}

it('10,000 requests of one workspace are served up to its rate, and the rest is rejected', async () => {
  const client = await edge.create({ files: { 'a.txt': 'a' } })
  const statuses: Record<number, number> = {}
  await honest.during(async () => {
    for (let round = 0; round < 100; round++) {
      const responses = await Promise.all(Array.from({ length: 100 }, () => client.get('/tools?format=none')))
      for (const response of responses) {
        statuses[response.status] = (statuses[response.status] ?? 0) + 1
        if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
        await response.body?.cancel()
      }
    }
  })
  expect(Object.keys(statuses)).toEqual(['400', '429'])
  expect(statuses[429]).toBeGreaterThan(5000)
  await until(async () => (await client.get()).status === 200)
})

it('calls above the concurrency limit are rejected, over MCP too, until one ends', async () => {
  const client = await edge.create()
  const loops = Array.from({ length: 4 }, (_, index) =>
    client.post({ id: `loop${index}`, name: 'bash', input: { command: 'while true; do sleep 0.05; done' } }),
  )
  await until(async () => (await client.describe()).usage.calls === 4)
  const refused = await client.post({ name: 'read_file', input: { path: 'a' } })
  expect(refused.headers.get('retry-after')).toBe('1')
  expect(await errorOf(refused)).toMatchObject({ status: 429, code: 'too_many_requests' })
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read_file', arguments: { path: 'a' } } }
  expect(
    (await edge.post(`${client.path}/mcp`, message, { ...client.headers, accept: 'application/json, text/event-stream' })).status,
  ).toBe(429)
  expect((await client.delete('/calls/loop0')).status).toBe(204)
  await until(async () => (await client.describe()).usage.calls === 3)
  expect(await client.call('read_file', { path: 'a' })).toMatchObject({ ok: false, output: { code: 'ENOENT' } })
  for (const index of [1, 2, 3]) await client.delete(`/calls/loop${index}`)
  await Promise.all(loops.map(async (loop) => (await loop).text()))
})

it('concurrent MCP calls are limited, and can be cancelled when all places are taken', async () => {
  const client = await edge.create()
  const mcp = new McpClient({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(`${edge.address}${client.path}/mcp`), {
    requestInit: { headers: { ...client.headers } },
  })
  await mcp.connect(transport as Transport)
  const cancel = new AbortController()
  const loop = { name: 'bash', arguments: { command: 'while true; do sleep 0.05; done' } }
  let refused = 0
  for (let at = 0; at < 12; at++) {
    mcp.callTool(loop, undefined, { signal: cancel.signal }).catch((error: Error) => {
      if (error.message.includes('too_many_requests')) refused++
    })
  }
  await until(() => refused === 8)
  await until(async () => (await client.describe()).usage.calls === 4)
  cancel.abort()
  await until(async () => (await client.describe()).usage.calls === 0)
  await until(async () => (await client.call('read_file', { path: 'a' })).ok === false)
  await mcp.close()
})

it('a workspace at its quota stays unchanged and reports it', async () => {
  const client = await edge.create({ files: { 'a.txt': 'a'.repeat(600_000) } })
  expect(await client.call('write_file', { path: 'b.txt', content: 'b'.repeat(600_000) })).toMatchObject({
    ok: false,
    output: { code: 'ENOSPC' },
  })
  expect(await client.output('bash', { command: 'cp a.txt c.txt' })).toMatchObject({ exit_code: 1 })
  expect((await client.describe()).usage).toMatchObject({ bytes: 600_000, files: 1 })
  expect(await errorOf(await edge.post('/workspaces', { files: { 'a.txt': 'a'.repeat(1_100_000) } }))).toMatchObject({
    status: 400,
    code: 'invalid_files',
  })
})

describe('a workspace with 15 concurrent computing programs', () => {
  let busy: Edge
  beforeAll(async () => {
    // Longer limits, because a program of the victim takes longer on a loaded machine and must not be ended.
    busy = await Edge.start({ bindings: { OPEN: 'true', BURST: '100000', STRETCH_MS: '2000', PROGRAM_MS: '30000' } })
  })
  afterAll(() => busy?.stop())

  it.each(Object.entries(COMPUTING))('%s does not delay other workspaces, and is rejected when its time is used up', async (_, code) => {
    const [attacker, victim] = [await busy.create(), await busy.create({ files: { 'a.txt': 'mine' } })]
    const attack = new Attack(attacker, code)
    try {
      for (let round = 0; round < 4; round++) {
        await new Promise((resolve) => setTimeout(resolve, 500))
        for (let call = 0; call < 2; call++) {
          expect(await victim.output('read_file', { path: 'a.txt', numbered: false })).toMatchObject({ text: 'mine' })
        }
        expect(await victim.output('run_js', { code: 'export default 1' })).toMatchObject({ result: 1 })
      }
      // The victim was served while the attacker still had processor time left.
      expect(attack.refused).toBe('')
      await expect.poll(() => attack.refused).toMatch(/used up their processor time; try again in \d+ s/)
    } finally {
      attack.stop()
    }
  })
})
