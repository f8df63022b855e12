// @module-tag loom
import { createRuntime, type ToolResult, toModelText } from 'toolport'
import { createFetch } from 'toolport/adapters/fetch'
import { loom } from 'toolport/presets/loom'
import { createTestHost, createTestWorkspace } from 'toolport/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { serve } from '../../src/entries/proxy/node-server.js'
import { createProxy } from '../../src/entries/proxy.js'
import { type Answer, json, redirect, silent, startUpstream } from '../adapters/fetch-upstream.js'

const KEY = 'upstream-key-123456'
const TOKEN = 'pr0xy-token-1234'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const ROW = { title: 'T', link: 'https://example.com/', snippet: 'S' }

/** The tools, the proxy and search services, all over HTTP on the loopback interface. */
async function setup(google: Answer, serper: Answer = google) {
  const service = await startUpstream({ '/cse': google, '/serper': serper })
  const options = {
    google: { url: `${service.origin}/cse`, key: KEY, engine: 'engine' },
    serper: { url: `${service.origin}/serper`, key: KEY },
    token: TOKEN,
  }
  const server = await serve((client) => createProxy({ ...options, client }), { host: '127.0.0.1', port: 0 })
  closing.push(service.close, server.close)
  return { service, search: searchAt(server.url).search }
}

/** The tools without a proxy. Waits between attempts are skipped. */
function searchAt(origin: string) {
  const host = createTestHost()
  const { workspace } = createTestWorkspace()
  const impatient = { ...host, sleep: async (ms: number, signal?: AbortSignal) => (ms < 20_000 ? undefined : host.sleep(ms, signal)) }
  const runtime = createRuntime({
    workspace,
    host: impatient,
    preset: loom({ webSearch: { baseUrl: origin, headers: { authorization: `Bearer ${TOKEN}` } } }),
    fetch: createFetch({ origins: [origin], host }),
  })
  const search = async (name: string, input: object): Promise<ToolResult> => {
    const result = await runtime.execute({ name, input })
    const told = JSON.stringify([result, toModelText(result)])
    for (const key of [KEY, TOKEN]) expect(told).not.toContain(key)
    return result
  }
  return { host, search }
}

describe('loom, the proxy and the search services over HTTP', () => {
  it('return the documented results, with keys only on the server cap:38 cap:39 cap:41', async () => {
    const { service, search } = await setup(json({ items: [{ ...ROW, displayLink: 'example.com' }] }), json({ organic: [ROW, ROW] }))
    expect(await search('web_search', { query: 'rust async', max_results: 3 })).toEqual({
      ok: true,
      output: {
        query: 'rust async',
        results: [{ title: 'T', url: 'https://example.com/', snippet: 'S', display_link: 'example.com', rank: 1 }],
      },
    })
    expect(await search('web_search_serper', { query: 'rust async', max_results: 100 })).toMatchObject({
      ok: true,
      output: { query: 'rust async', results: [{ rank: 1 }, { rank: 2 }] },
    })
    expect(service.seen.map(({ path, body }) => [path.replace(/\?.*/, ''), body])).toEqual([
      ['/cse', ''],
      ['/serper', '{"q":"rust async","num":100}'],
    ])
    expect(service.seen[0]?.path).toContain('num=3')
    await search('web_search', { query: ' rust  async', max_results: 3 })
    expect(service.seen.length).toBe(2)
  })

  it('report that a service is down cap:40', async () => {
    const { service, search } = await setup(json({ error: KEY }, 500))
    expect(toModelText(await search('web_search', { query: 'q' }))).toBe('Error: Internal error: web_search proxy error: HTTP 502')
    expect(service.seen.length).toBe(3)
  })
})

describe('loom and a failing proxy', () => {
  async function proxy(first: Answer, ...more: readonly Answer[]) {
    let count = 0
    const answers = [first, ...more]
    const other = await startUpstream({ '/': json({ results: [] }) })
    const upstream = await startUpstream({
      '/proxy/cse': (response, request) => (answers[Math.min(count++, more.length)] as Answer)(response, request, other.origin),
    })
    closing.push(other.close, upstream.close)
    return { upstream, other, ...searchAt(upstream.origin) }
  }

  it.each([
    [
      'broken JSON',
      (response: Parameters<Answer>[0]) => void response.end('{"results": ['),
      'Serialization error: the proxy did not answer with JSON',
    ],
    ['a page', (response: Parameters<Answer>[0]) => void response.end('<html>'), 'Serialization error: the proxy did not answer with JSON'],
    ['other JSON', json([1]), 'Serialization error: the proxy answered with JSON of another shape'],
    ['a refusal', json({ error: TOKEN }, 403), 'Internal error: web_search proxy error: HTTP 403'],
  ])('reports %s cap:38', async (_, answer, text) => {
    const { search, upstream } = await proxy(answer)
    expect(toModelText(await search('web_search', { query: 'q' }))).toBe(`Error: ${text}`)
    expect(upstream.seen.length).toBe(1)
  })

  it('retries temporary failures cap:40', async () => {
    const bad = json({}, 503)
    const { search, upstream } = await proxy(bad, bad, json({ query: 'q', results: [] }))
    expect(await search('web_search', { query: 'q' })).toEqual({ ok: true, output: { query: 'q', results: [] } })
    expect(upstream.seen.length).toBe(3)
  })

  it('follows no redirect to another origin cap:41', async () => {
    const { search, other } = await proxy(redirect((origin) => `${origin}/`, 307))
    expect(toModelText(await search('web_search', { query: 'q' }))).toMatch(/^Error: IO error: .* its origin is not allowed$/)
    expect(other.seen.length).toBe(0)
  })

  it('times out after 30 s per attempt cap:38 cap:40', async () => {
    const { search, upstream, host } = await proxy(silent)
    const result = search('web_search', { query: 'q' })
    for (let attempt = 1; attempt <= 3; attempt++) {
      while (upstream.seen.length < attempt) await host.yield()
      await host.advance(30_000)
    }
    expect(toModelText(await result)).toBe('Error: Tool execution timed out')
  })
})
