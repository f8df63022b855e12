// @module-tag proxy
import { connect } from 'node:net'
import { createRuntime, type RuntimeEvent, toModelText } from 'toolport'
import { createTestHost, createTestWorkspace } from 'toolport/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createFetch } from '../../adapters/fetch/index.js'
import { proxy } from '../../src/entries/cli/proxy.js'
import { serve } from '../../src/entries/proxy/node-server.js'
import { createProxy, type ProxyOptions } from '../../src/entries/proxy.js'
import { webTools } from '../../src/tools/web/index.js'
import { type Answer, json, redirect, reset, silent, startUpstream, truncated } from '../adapters/fetch-upstream.js'

const KEY = 'ex4-key-123456'
const TOKEN = 'pr0xy-token-1234'
const EXA = json({ results: [{ title: 'T', url: 'https://example.com/', highlights: ['S'], score: 0.5 }], requestId: 'r' })
const found = { results: [{ title: 'T', url: 'https://example.com/', snippet: 'S', score: 0.5 }], provider: 'exa' }

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A search service, and a proxy in front of it, both on the loopback interface. */
async function setup(answer: Answer = EXA, options: Partial<ProxyOptions> = {}) {
  const service = await startUpstream({ '/search': answer })
  const exa = { url: `${service.origin}/search`, key: KEY }
  const server = await serve((client) => createProxy({ exa, token: TOKEN, client, origins: ['http://page.test'], ...options }), {
    host: '127.0.0.1',
    port: 0,
  })
  closing.push(service.close, server.close)
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/proxy/exa`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}`, ...headers },
    })
  return { service, server, post }
}

describe('web_search, the proxy and a search service', () => {
  it('work together without revealing a key cap:38 cap:41', async () => {
    const { service, server } = await setup()
    const events: RuntimeEvent[] = []
    const { workspace } = createTestWorkspace()
    const runtime = createRuntime({
      workspace,
      host: createTestHost(),
      tools: webTools({ provider: 'exa', baseUrl: server.url, headers: { authorization: `Bearer ${TOKEN}` } }),
      fetch: createFetch({ origins: [server.url] }),
      hooks: { onEvent: (event) => events.push(event) },
    })
    const first = await runtime.execute({ name: 'web_search', input: { query: 'q', include_domains: ['example.com'] } })
    const again = await runtime.execute({ name: 'web_search', input: { query: ' q', include_domains: ['EXAMPLE.com'] } })
    expect([first, again]).toMatchObject([
      { ok: true, output: found },
      { ok: true, output: found },
    ])
    expect(service.seen.length).toBe(1)
    expect(service.seen[0]?.headers).toMatchObject({ 'x-api-key': KEY })
    expect(JSON.stringify(service.seen)).not.toContain(TOKEN)
    const told = JSON.stringify([first, again, toModelText(first), events])
    for (const key of [KEY, TOKEN]) expect(told).not.toContain(key)
  })
})

describe('the proxy server', () => {
  it('answers /health, and rejects requests without a token or from other origins', async () => {
    const { service, server, post } = await setup()
    expect(await (await fetch(`${server.url}/health`)).json()).toEqual({ status: 'ok', providers: ['exa'] })
    expect((await post('{"query":"q"}', { authorization: 'Bearer x' })).status).toBe(401)
    expect((await post('{"query":"q"}', { origin: 'http://evil.test' })).status).toBe(403)
    expect(service.seen.length).toBe(0)
    const page = await post('{"query":"q"}', { origin: 'http://page.test' })
    expect([page.status, page.headers.get('access-control-allow-origin')]).toEqual([200, 'http://page.test'])
  })

  it.each([
    ['500', json({ error: KEY }, 500), 502],
    ['429', json({ error: KEY }, 429, { 'retry-after': '9' }), 503],
    ['broken JSON', ((response) => void response.end('{"results": [}')) as Answer, 502],
    ['a truncated body', truncated, 502],
    ['a connection reset', reset, 502],
    ['a redirect elsewhere', redirect('http://127.0.0.1:1/'), 502],
    ['a redirect loop', redirect('/search', 307), 502],
    ['a huge body', json({ results: ['x'.repeat(5_000_000)] }), 502],
  ])('maps the response of the service: %s', async (_, answer, status) => {
    const { post } = await setup(answer)
    const response = await post('{"query":"q"}')
    expect([response.status, response.headers.get('retry-after')]).toEqual([status, status === 503 ? '9' : null])
    expect((await response.text()) + JSON.stringify([...response.headers])).not.toContain(KEY)
  })

  it('answers 504 for a slow service', async () => {
    const host = createTestHost()
    const { service, post } = await setup(silent, { host })
    const answer = post('{"query":"q"}')
    while (service.seen.length === 0) await host.yield()
    await host.advance(10_000)
    expect((await answer).status).toBe(504)
  })

  it('aborts the upstream request if the client disconnects', async () => {
    let gone = false
    const { service, server } = await setup((response) => void response.on('close', () => (gone = true)))
    const controller = new AbortController()
    const request = fetch(`${server.url}/proxy/exa`, {
      method: 'POST',
      body: '{"query":"q"}',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
      signal: controller.signal,
    }).catch(() => {})
    while (service.seen.length === 0) await new Promise((resolve) => setImmediate(resolve))
    controller.abort()
    await request
    while (!gone) await new Promise((resolve) => setImmediate(resolve))
  })

  it('rejects a body that is too large, also without a content length', async () => {
    const { server, post, service } = await setup()
    expect((await post('x'.repeat(20_000))).status).toBe(413)
    const raw = await exchange(
      server.url,
      `POST /proxy/exa HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n` +
        `8000\r\n${'x'.repeat(0x8000)}\r\n`,
    )
    expect(raw).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close/i)
    expect(service.seen.length).toBe(0)
  })

  it('handles unusual requests', async () => {
    const { server } = await setup()
    expect(await exchange(server.url, 'GET //health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 404 /)
    expect(await exchange(server.url, 'GET http://evil.test/health HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 404 /,
    )
    expect(await exchange(server.url, 'TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
    expect(await exchange(server.url, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
  })

  it('counts requests by client address', async () => {
    const clients: string[] = []
    const { post } = await setup(EXA, { rate: { requests: 1, perMs: 60_000 } })
    expect([(await post('{"query":"q"}')).status, (await post('{"query":"q"}')).status]).toEqual([200, 429])
    const server = await serve((client) => async (request) => new Response(clients.push(client(request)).toString()), {
      host: '127.0.0.1',
      port: 0,
    })
    closing.push(server.close)
    await fetch(server.url)
    expect(clients).toEqual(['127.0.0.1'])
  })
})

/** Sends raw bytes and returns everything that the server answers until it closes the connection. */
function exchange(url: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes))
    socket.setEncoding('utf8').on('data', (piece) => {
      text += piece
    })
    socket.on('close', () => resolve(text))
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? resolve(text) : reject(error)))
  })
}

describe('toolport proxy', () => {
  it('listens on loopback until it is stopped', async () => {
    const service = await startUpstream({ '/search': EXA })
    closing.push(service.close)
    const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const controller = new AbortController()
    const environment = { TOOLPORT_EXA_URL: `${service.origin}/search`, TOOLPORT_EXA_KEY: KEY }
    const ended = proxy(
      ['--port', '0', '--origin', 'http://a.test', '--origin', 'http://b.test', '--rate', '2'],
      environment,
      controller.signal,
    )
    await vi.waitFor(() => expect(printed).toHaveBeenCalled(), 30_000)
    const line = String(printed.mock.calls[0]?.[0])
    printed.mockRestore()
    expect(line).toMatch(/^toolport proxy: http:\/\/127\.0\.0\.1:\d+ \(exa\)\n$/)
    const [url = ''] = /http:\S+/.exec(line) ?? []
    const post = (origin: string) =>
      fetch(`${url}/proxy/exa`, { method: 'POST', body: '{"query":"q"}', headers: { origin, 'content-type': 'application/json' } })
    const statuses = []
    for (const origin of ['http://a.test', 'http://b.test', 'http://c.test', 'http://a.test']) statuses.push((await post(origin)).status)
    expect(statuses).toEqual([200, 200, 403, 429])
    controller.abort()
    expect(await ended).toBe(0)
    await expect(fetch(`${url}/health`)).rejects.toThrow(TypeError)
  })

  it.each([
    [[], {}, 'needs the key'],
    [['--port', '99999'], {}, '--port'],
    [['--port', 'x'], {}, '--port'],
    [['--rate', '0'], {}, '--rate'],
    [['--host='], {}, '--host'],
    [['--nope'], {}, '--nope'],
    [['extra'], {}, 'extra'],
    [[], { TOOLPORT_EXA_KEY: KEY }, 'TOOLPORT_EXA_URL is not set'],
    [[], { TOOLPORT_CSE_KEY: KEY, TOOLPORT_CSE_URL: 'https://x.test' }, 'TOOLPORT_CSE_ENGINE is not set'],
    [[], { TOOLPORT_EXA_KEY: KEY, TOOLPORT_EXA_URL: 'x' }, 'address of exa'],
    [['--origin', '*'], { TOOLPORT_EXA_KEY: KEY, TOOLPORT_EXA_URL: 'https://x.test' }, 'origin'],
    [['--host', '0.0.0.0'], { TOOLPORT_EXA_KEY: KEY, TOOLPORT_EXA_URL: 'https://x.test' }, 'TOOLPORT_PROXY_TOKEN'],
    [
      [],
      { TOOLPORT_EXA_KEY: KEY, TOOLPORT_EXA_URL: 'https://x.test', TOOLPORT_PROXY_TOKEN: 'a b' },
      'Cannot use the token in TOOLPORT_PROXY_TOKEN',
    ],
  ])('rejects %j with %j', async (args, environment, words) => {
    const error = await proxy(args, environment, new AbortController().signal).catch((thrown) => thrown)
    expect([error.name, error.message]).toEqual(['UsageError', expect.stringContaining(words)])
    expect(error.message).not.toContain(KEY)
  })

  it('reports a port in use', async () => {
    const { server } = await setup()
    const args = ['--port', new URL(server.url).port]
    const environment = { TOOLPORT_EXA_KEY: KEY, TOOLPORT_EXA_URL: 'https://x.test' }
    await expect(proxy(args, environment, new AbortController().signal)).rejects.toThrow('EADDRINUSE')
  })
})
