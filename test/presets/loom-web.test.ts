// @module-tag loom
import {
  createRuntime,
  type FetchAdapter,
  type FetchResponse,
  NetworkError,
  type RuntimeEvent,
  type ToolResult,
  toModelText,
} from 'toolport'
import { loom } from 'toolport/presets/loom'
import { createTestWorkspace } from 'toolport/testing'
import { describe, expect, it } from 'vitest'

const KEY = 'k3y-0123456789'
const REPLY = { query: 'q', results: [{ title: 'T', url: 'https://example.com/', snippet: 'S', rank: 1 }] }

type Answer = (request: Parameters<FetchAdapter['fetch']>[0]) => FetchResponse | Promise<FetchResponse>

const answer = (body: unknown, status = 200, headers: Record<string, string> = {}): Answer => {
  return () => Response.json(body, { status, headers })
}
const connectionLost: Answer = () => {
  throw new NetworkError('network', `Cannot fetch "http://proxy.test/?${KEY}": the connection failed`, { retryable: true })
}

/** The network returns these answers in order, and repeats the last one. Waits are recorded and skipped. */
function setup(answers: readonly [Answer, ...Answer[]], name = 'web_search') {
  const { workspace, host } = createTestWorkspace()
  const sent: unknown[] = []
  const waits: number[] = []
  const events: RuntimeEvent[] = []
  const runtime = createRuntime({
    workspace,
    host: { ...host, sleep: async (ms, signal) => (ms < 20_000 ? void waits.push(ms) : host.sleep(ms, signal)) },
    preset: loom({ webSearch: { baseUrl: 'http://proxy.test/base/', headers: () => ({ authorization: `Bearer ${KEY}` }) } }),
    fetch: {
      name: 'table',
      async fetch(request) {
        sent.push([request.url, request.method, request.body])
        return (answers[Math.min(sent.length, answers.length) - 1] as Answer)(request)
      },
    },
    hooks: { onEvent: (event) => events.push(event) },
  })
  const search = async (input: object = { query: 'q' }, signal?: AbortSignal): Promise<ToolResult> => {
    const result = await runtime.execute({ name, input }, signal && { signal })
    expect(JSON.stringify([result, toModelText(result), runtime.toWire(result, { name }), events])).not.toContain(KEY)
    return result
  }
  return { search, sent, waits }
}

describe('the web searches of loom', () => {
  it.each([
    ['web_search', '/proxy/cse'],
    ['web_search_serper', '/proxy/serper'],
  ])('%s uses its own path below the proxy URL cap:38 cap:39', async (name, path) => {
    const { search, sent } = setup([answer(REPLY)], name)
    expect(await search({ query: ' two words ' })).toEqual({ ok: true, output: REPLY })
    expect(sent).toEqual([[`http://proxy.test/base${path}`, 'POST', '{"query":" two words ","max_results":5}']])
  })

  it('contain no character that changes the text direction', async () => {
    const text = `a\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069b`
    const row = { title: text, url: `https://a.test/${text}`, snippet: text, display_link: text, published_date: text }
    const result = await setup([answer({ query: text, results: [row] })]).search()
    expect(result).toMatchObject({
      output: { query: 'ab', results: [{ title: 'ab', snippet: 'ab', display_link: 'ab', published_date: 'ab' }] },
    })
    expect(JSON.stringify(result)).not.toMatch(/\p{Bidi_C}/u)
  })

  it.each([
    ['408', answer({}, 408)],
    ['429', answer({}, 429)],
    ['500', answer({ error: KEY }, 500)],
    ['502', answer({}, 502)],
    ['503', answer({}, 503)],
    ['504', answer({}, 504)],
    ['a failed connection', connectionLost],
  ])('are retried after %s, with growing random delays cap:40', async (_, fault) => {
    const { search, sent, waits } = setup([fault, fault, answer(REPLY)])
    expect(await search()).toMatchObject({ ok: true })
    expect(sent.length).toBe(3)
    const [first = -1, second = -1] = waits
    expect([waits.length, first >= 0 && first <= 200, second >= 0 && second <= 400]).toEqual([2, true, true])
  })

  it.each([
    ['503', answer({ error: KEY }, 503), 'Error: Internal error: web_search proxy error: HTTP 503'],
    ['a failed connection', connectionLost, 'Error: IO error: Cannot fetch "http://proxy.test/?[key]": the connection failed'],
  ])('give up after three attempts: %s cap:40 cap:41', async (_, fault, text) => {
    const { search, sent } = setup([fault])
    expect(toModelText(await search())).toBe(text)
    expect(sent.length).toBe(3)
  })

  it('wait as long as Retry-After says cap:40', async () => {
    const { search, waits } = setup([answer({}, 429, { 'retry-after': '7' }), answer(REPLY)])
    expect(await search()).toMatchObject({ ok: true })
    expect(waits).toEqual([7000])
  })

  it.each([400, 401, 403, 404, 501])('are not retried after %i cap:40', async (status) => {
    const { search, sent } = setup([answer({ error: KEY }, status)])
    expect(toModelText(await search())).toBe(`Error: Internal error: web_search proxy error: HTTP ${status}`)
    expect(sent.length).toBe(1)
  })

  it('end on abort cap:40', async () => {
    const controller = new AbortController()
    const stop: Answer = () => {
      controller.abort()
      return Response.json({}, { status: 503 })
    }
    const { search, sent } = setup([stop])
    expect(await search({ query: 'q' }, controller.signal)).toMatchObject({ ok: false, output: { status: 'aborted' } })
    expect(sent.length).toBe(1)
  })

  it('return the proxy’s rows without keys, control characters and invalid URLs cap:38 cap:41', async () => {
    const row = { title: `a\u0000b ${KEY}`, url: `https://example.com/${KEY}`, snippet: 's', display_link: 'example.com', rank: 4, more: 1 }
    const rows = [row, { ...row, url: 'javascript:alert(1)' }, { ...row, url: 'file:///etc/passwd' }, null, 5]
    const { search } = setup([answer({ query: KEY, results: rows, secret: KEY })])
    const results = [{ title: 'ab [key]', url: 'https://example.com/[key]', snippet: 's', display_link: 'example.com', rank: 4 }]
    expect(await search()).toEqual({ ok: true, output: { query: '[key]', results } })
  })
})
