// @module-tag proxy
import { createTestHost } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { networkOf } from '../../src/entries/proxy/rate-limit.js'
import { createProxy, type ProxyOptions } from '../../src/entries/proxy.js'

const KEYS = { google: 'g00gle-key-123', serper: 's3rper-key-123', exa: 'ex4-key-123456' }
const PAGE = 'https://page.test'

interface Sent {
  readonly url: string
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: string
}

/** A proxy whose `fetch` returns real responses. Checks that no answer of the proxy contains a key. */
function setup(upstream: (sent: Sent) => Response | Promise<Response> = () => Response.json({}), options: Partial<ProxyOptions> = {}) {
  const sent: Sent[] = []
  const host = createTestHost()
  const proxy = createProxy({
    google: { url: 'https://google.test/v1', key: KEYS.google, engine: 'engine-1' },
    serper: { url: 'https://serper.test/search', key: KEYS.serper },
    exa: { url: 'https://exa.test/search', key: KEYS.exa },
    origins: [PAGE],
    host,
    fetch: async (url, init) => {
      const headers = Object.fromEntries(new Headers(init.headers))
      const entry = { url, method: init.method ?? '', headers, body: await new Response(init.body).text() }
      sent.push(entry)
      return upstream(entry)
    },
    ...options,
  })
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await proxy(new Request(`https://proxy.test${path}`, init))
    const text = await response.text()
    const headers = Object.fromEntries(response.headers)
    for (const key of Object.values(KEYS)) expect(text + JSON.stringify(headers)).not.toContain(key)
    return { status: response.status, headers, body: text === '' ? undefined : JSON.parse(text) }
  }
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    ask(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } })
  return { proxy, ask, post, sent, host }
}

const item = (n: number) => ({ title: `Page ${n}`, link: `https://example.com/${n}`, snippet: `About ${n}`, displayLink: 'example.com' })
const refused = (status: number, code: string, words = '') => ({
  status,
  body: { error: { code, message: expect.stringContaining(words) } },
})

describe('POST /proxy/cse', () => {
  it('queries Google with the key and returns the documented rows cap:38 cap:39 cap:41', async () => {
    const { post, sent } = setup(() => Response.json({ items: [item(1), item(2), { title: 'x', link: 'javascript:1' }, null] }))
    expect(await post('/proxy/cse', { query: '  a   b ', max_results: 3 })).toMatchObject({
      status: 200,
      headers: { 'x-cache': 'miss', 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' },
      body: {
        query: 'a b',
        results: [
          { title: 'Page 1', url: 'https://example.com/1', snippet: 'About 1', display_link: 'example.com', rank: 1 },
          { title: 'Page 2', url: 'https://example.com/2', snippet: 'About 2', display_link: 'example.com', rank: 2 },
        ],
      },
    })
    expect(sent).toMatchObject([{ method: 'GET', url: `https://google.test/v1?key=${KEYS.google}&cx=engine-1&q=a+b&num=3`, body: '' }])
  })

  it('returns no results if Google has none', async () => {
    expect(await setup(() => Response.json({ kind: 'search' })).post('/proxy/cse', { query: 'q' })).toMatchObject({
      body: { query: 'q', results: [] },
    })
  })
})

describe('POST /proxy/serper', () => {
  it('queries Serper with the key and returns the documented rows cap:38 cap:39 cap:41', async () => {
    const { post, sent } = setup(() => Response.json({ organic: [{ ...item(1), date: 'May 3, 2024' }] }))
    expect(await post('/proxy/serper', { query: 'q', max_results: 100 })).toMatchObject({
      status: 200,
      body: {
        query: 'q',
        results: [{ title: 'Page 1', url: 'https://example.com/1', snippet: 'About 1', published_date: 'May 3, 2024', rank: 1 }],
      },
    })
    expect(sent).toMatchObject([{ method: 'POST', url: 'https://serper.test/search', headers: { 'x-api-key': KEYS.serper } }])
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({ q: 'q', num: 100 })
  })
})

it.each(['cse', 'serper', 'exa'])('POST /proxy/%s removes characters that change the text direction', async (path) => {
  const text = `a\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069b`
  const row = { title: text, link: `https://a.com/${text}`, url: `https://a.com/${text}`, snippet: text, displayLink: text, date: text }
  const rows = [{ ...row, author: text, publishedDate: text, text, highlights: [text] }]
  const { post } = setup(() => Response.json({ items: rows, organic: rows, results: rows, requestId: text }))
  const { status, body } = await post(`/proxy/${path}`, { query: 'q' })
  expect([status, body.results[0].title]).toEqual([200, 'ab'])
  expect(JSON.stringify(body)).not.toMatch(/\p{Bidi_C}/u)
})

describe('POST /proxy/exa', () => {
  it('accepts and returns the format of Exa cap:86', async () => {
    const row = {
      title: 'A',
      url: 'https://a.com/',
      score: 0.5,
      author: 'x',
      publishedDate: '2024',
      text: 't',
      highlights: ['h'],
      highlightScores: [1],
    }
    const { post, sent } = setup(() => Response.json({ results: [{ ...row, more: 'left out' }], requestId: 'r-1', cost: 1 }))
    const body = {
      query: 'q',
      type: 'neural',
      numResults: 25,
      contents: { text: true, highlights: { query: 'h', numSentences: 8, highlightsPerUrl: 1 } },
      includeDomains: ['b.com', ' A.com ', 'a.com'],
    }
    expect(await post('/proxy/exa', { ...body, unknown: 1 })).toMatchObject({ status: 200, body: { results: [row], requestId: 'r-1' } })
    expect(sent).toMatchObject([{ method: 'POST', url: 'https://exa.test/search', headers: { 'x-api-key': KEYS.exa } }])
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({ ...body, highlights: body.contents.highlights, includeDomains: ['a.com', 'b.com'] })
  })
})

describe('GET /health', () => {
  it('lists the configured providers without a token or an upstream request', async () => {
    const { ask, sent } = setup(undefined, { token: 'secret-token' })
    expect(await ask('/health')).toMatchObject({ status: 200, body: { status: 'ok', providers: ['google', 'serper', 'exa'] } })
    expect(await setup(undefined, { google: undefined, exa: undefined } as never).ask('/health')).toMatchObject({
      body: { providers: ['serper'] },
    })
    expect(sent).toEqual([])
  })
})

describe('an invalid request to the proxy', () => {
  it.each([
    ['/proxy/cse', {}, '"query" must be text'],
    ['/proxy/cse', { query: '' }, '"query" must not be empty'],
    ['/proxy/cse', { query: ' \n ' }, '"query" must not be empty'],
    ['/proxy/cse', { query: 7 }, '"query" must be text'],
    ['/proxy/cse', { query: 'x'.repeat(2001) }, '"query" is longer than 2000 characters'],
    ['/proxy/cse', { query: 'q', max_results: 11 }, '"max_results" must be a whole number from 1 to 10'],
    ['/proxy/cse', { query: 'q', max_results: 0 }, '"max_results" must be a whole number from 1 to 10'],
    ['/proxy/cse', { query: 'q', max_results: '3' }, '"max_results" must be a whole number from 1 to 10'],
    ['/proxy/serper', { query: 'q', max_results: 101 }, '"max_results" must be a whole number from 1 to 100'],
    ['/proxy/exa', { query: 'q', numResults: 26 }, '"numResults" must be a whole number from 1 to 25'],
    ['/proxy/exa', { query: 'q', type: 'slow' }, '"type" must be one of'],
    ['/proxy/exa', { query: 'q', includeDomains: 'a.com' }, '"includeDomains" must be a list of at most 100 domains'],
    ['/proxy/exa', { query: 'q', excludeDomains: ['https://a.com/'] }, '"excludeDomains" must be a list of at most 100 domains'],
    ['/proxy/exa', { query: 'q', contents: { highlights: { numSentences: 99 } } }, 'must be a whole number from 1 to'],
    ['/proxy/exa', [], 'The body must be a JSON object'],
    ['/proxy/exa', 'text', 'The body must be a JSON object'],
    ['/proxy/exa', null, 'The body must be a JSON object'],
  ])('%s %j is rejected', async (path, body, words) => {
    const { post, sent } = setup()
    expect(await post(path, body)).toMatchObject(refused(400, 'invalid_request', words))
    expect(sent).toEqual([])
  })

  it('is answered with the matching status', async () => {
    const { ask, post, sent } = setup(undefined, { exa: undefined } as never)
    const headers = { 'content-type': 'application/json' }
    expect(await ask('/')).toMatchObject(refused(404, 'not_found'))
    expect(await ask('/proxy/other', { method: 'POST' })).toMatchObject(refused(404, 'not_found'))
    expect(await ask('/proxy/cse')).toMatchObject({ ...refused(405, 'method_not_allowed'), headers: { allow: 'POST, OPTIONS' } })
    expect(await ask('/health', { method: 'POST' })).toMatchObject(refused(405, 'method_not_allowed'))
    expect(await post('/proxy/exa', { query: 'q' })).toMatchObject(refused(500, 'not_configured'))
    expect(await ask('/proxy/cse', { method: 'POST', body: '{"query":"q"}' })).toMatchObject(refused(415, 'not_json'))
    expect(await ask('/proxy/cse', { method: 'POST', headers })).toMatchObject(refused(400, 'invalid_request'))
    expect(await ask('/proxy/cse', { method: 'POST', headers, body: '{"query":' })).toMatchObject(refused(400, 'invalid_request'))
    expect(await ask('/proxy/cse', { method: 'POST', headers, body: new Uint8Array([0x22, 0xff, 0x22]) })).toMatchObject(
      refused(400, 'invalid_request'),
    )
    expect(await post('/proxy/cse', { query: 'x'.repeat(20_000) })).toMatchObject(refused(413, 'too_large'))
    expect(sent).toEqual([])
  })

  it('is not read beyond the body limit', async () => {
    const body = JSON.stringify({ query: 'x'.repeat(80) })
    const { post } = setup(undefined, { maxBodyBytes: body.length })
    expect((await post('/proxy/cse', { query: 'x'.repeat(80) })).status).toBe(200)
    expect(await post('/proxy/cse', { query: 'x'.repeat(81) })).toMatchObject(refused(413, 'too_large'))
  })

  it('a request without the configured token is rejected', async () => {
    const { post, sent } = setup(undefined, { token: 'secret-token' })
    for (const authorization of [
      undefined,
      '',
      'secret-token',
      'Bearer',
      'Bearer secret-toke',
      'Bearer secret-token2',
      'Basic secret-token',
    ]) {
      const answer = await post('/proxy/cse', { query: 'q' }, authorization === undefined ? {} : { authorization })
      expect(answer).toMatchObject({ ...refused(401, 'unauthorized'), headers: { 'www-authenticate': 'Bearer' } })
    }
    expect(sent).toEqual([])
    expect((await post('/proxy/cse', { query: 'q' }, { authorization: 'Bearer secret-token' })).status).toBe(200)
  })
})

describe('web pages', () => {
  // A page cannot set its own Origin header, so these requests add the one that the browser would send.
  const from = (origin: string, init: { method: string; headers?: Record<string, string>; body?: string }) => {
    const request = new Request('https://proxy.test/proxy/cse', { method: init.method, ...(init.body && { body: init.body }) })
    const headers = new Map(Object.entries({ ...init.headers, origin }))
    return Object.defineProperty(request, 'headers', { value: { get: (name: string) => headers.get(name) ?? null } })
  }
  const search = { method: 'POST', body: '{"query":"q"}', headers: { 'content-type': 'application/json' } }

  it('web pages of an allowed origin can search and read errors', async () => {
    const { proxy } = setup()
    const preflight = await proxy(from(PAGE, { method: 'OPTIONS' }))
    expect([preflight.status, Object.fromEntries(preflight.headers)]).toEqual([
      204,
      expect.objectContaining({
        'access-control-allow-origin': PAGE,
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': 'Content-Type, Authorization',
        vary: 'Origin',
      }),
    ])
    const answer = await proxy(from(PAGE, search))
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, PAGE])
    const wrong = await proxy(from(PAGE, { method: 'POST', headers: {} }))
    expect([wrong.status, wrong.headers.get('access-control-allow-origin')]).toEqual([415, PAGE])
  })

  it('web pages of other origins are rejected', async () => {
    const { proxy, sent } = setup()
    for (const origin of ['https://evil.test', 'https://page.test.evil.test', 'http://page.test', 'null', 'https://page.test:8443', '']) {
      for (const init of [{ method: 'OPTIONS' }, search]) {
        const answer = await proxy(from(origin, init))
        expect([answer.status, answer.headers.get('access-control-allow-origin')], origin).toEqual([403, null])
      }
    }
    expect(sent).toEqual([])
  })

  it('are rejected by default', async () => {
    const { proxy } = setup(undefined, { origins: [] })
    expect((await proxy(from(PAGE, search))).status).toBe(403)
  })
})

describe('the proxy cache', () => {
  it('answers the same request for 24 hours cap:38', async () => {
    const { post, sent, host } = setup(() => Response.json({ items: [item(1)] }))
    const first = await post('/proxy/cse', { query: 'a b', max_results: 5 })
    const again = await post('/proxy/cse', { query: ' a \n b', ignored: 1 })
    expect([again.headers['x-cache'], again.body, sent.length]).toEqual(['hit', first.body, 1])
    await host.advance(24 * 3600_000 - 1)
    expect((await post('/proxy/cse', { query: 'a b' })).headers['x-cache']).toBe('hit')
    await host.advance(1)
    expect((await post('/proxy/cse', { query: 'a b' })).headers['x-cache']).toBe('miss')
  })

  it('separates providers, counts and spellings', async () => {
    const { post, sent } = setup(({ url }) => Response.json(url.includes('serper') ? { organic: [] } : { items: [] }))
    await post('/proxy/cse', { query: 'a' })
    await post('/proxy/cse', { query: 'A' })
    await post('/proxy/cse', { query: 'a', max_results: 6 })
    await post('/proxy/serper', { query: 'a' })
    expect(sent.length).toBe(4)
  })

  it('stores no failures', async () => {
    let status = 500
    const { post, sent } = setup(() => Response.json({ items: [] }, { status }))
    expect((await post('/proxy/cse', { query: 'q' })).status).toBe(502)
    status = 200
    expect((await post('/proxy/cse', { query: 'q' })).status).toBe(200)
    expect(sent.length).toBe(2)
  })

  it('is limited by entries: the least recently used is dropped', async () => {
    const { post } = setup(() => Response.json({ items: [] }), { cache: { entries: 2 } })
    const cached = async (query: string) => (await post('/proxy/cse', { query })).headers['x-cache']
    expect([await cached('a'), await cached('b'), await cached('a'), await cached('c')]).toEqual(['miss', 'miss', 'hit', 'miss'])
    expect([await cached('a'), await cached('c'), await cached('b')]).toEqual(['hit', 'hit', 'miss'])
  })

  it('is limited by bytes, and can be disabled', async () => {
    const answerOf = () => Response.json({ items: [{ ...item(1), snippet: 'x'.repeat(1000) }] })
    const { post } = setup(answerOf, { cache: { bytes: 2500 } })
    const cached = async (query: string) => (await post('/proxy/cse', { query })).headers['x-cache']
    expect([await cached('a'), await cached('b'), await cached('c')]).toEqual(['miss', 'miss', 'miss'])
    expect([await cached('b'), await cached('c'), await cached('a')]).toEqual(['hit', 'hit', 'miss'])
    const small = setup(answerOf, { cache: { bytes: 100 } })
    await small.post('/proxy/cse', { query: 'q' })
    expect((await small.post('/proxy/cse', { query: 'q' })).headers['x-cache']).toBe('miss')
    const off = setup(answerOf, { cache: false })
    await off.post('/proxy/cse', { query: 'q' })
    await off.post('/proxy/cse', { query: 'q' })
    expect(off.sent.length).toBe(2)
  })
})

describe('the rate limit of the proxy', () => {
  it('applies per client and refills evenly', async () => {
    const client = (request: Request) => request.headers.get('x-test-client') ?? ''
    const { post, host } = setup(() => Response.json({ items: [] }), { client, rate: { requests: 2, perMs: 60_000 } })
    const status = async (name: string) => (await post('/proxy/cse', { query: 'q' }, { 'x-test-client': name })).status
    expect([await status('a'), await status('a'), await status('a'), await status('b')]).toEqual([200, 200, 429, 200])
    const refusal = await post('/proxy/cse', { query: 'q' }, { 'x-test-client': 'a' })
    expect(refusal).toMatchObject({ ...refused(429, 'rate_limited'), headers: { 'retry-after': '30' } })
    await host.advance(29_999)
    expect(await status('a')).toBe(429)
    await host.advance(1)
    expect([await status('a'), await status('a')]).toEqual([200, 429])
  })

  it('applies to all clients together by default; /health and preflights are free', async () => {
    const { post, ask } = setup(() => Response.json({ items: [] }))
    for (let i = 0; i < 60; i++) expect((await post('/proxy/cse', { query: 'q' })).status).toBe(200)
    expect((await post('/proxy/cse', { query: 'q' })).status).toBe(429)
    expect([(await ask('/health')).status, (await ask('/proxy/cse', { method: 'OPTIONS' })).status]).toEqual([200, 204])
  })
})

describe('a failing search service', () => {
  const told = `your key ${Object.values(KEYS).join(' ')} is wrong`

  it.each([
    [400, 502, 'upstream_failed'],
    [401, 502, 'upstream_failed'],
    [403, 502, 'upstream_failed'],
    [404, 502, 'upstream_failed'],
    [500, 502, 'upstream_failed'],
    [429, 503, 'upstream_busy'],
    [503, 503, 'upstream_busy'],
  ])('a service with status %i gives %i, without its words', async (status, then, code) => {
    for (const path of ['/proxy/cse', '/proxy/serper', '/proxy/exa']) {
      const { post } = setup(() => Response.json({ error: told }, { status, headers: { 'retry-after': '17', 'x-key': told } }))
      const answer = await post(path, { query: 'q' })
      expect(answer).toMatchObject(refused(then, code))
      expect(answer.headers['retry-after']).toBe(then === 503 ? '17' : undefined)
    }
  })

  it.each(['', 'nonsense', '[]', 'null', '{"items": 7}', '{"results": {}}'])('an invalid response gives 502: %j', async (text) => {
    expect(await setup(() => new Response(text)).post('/proxy/exa', { query: 'q' })).toMatchObject(refused(502, 'upstream_failed'))
    if (text !== '{"results": {}}') {
      expect(await setup(() => new Response(text)).post('/proxy/cse', { query: 'q' })).toMatchObject(refused(502, 'upstream_failed'))
    }
  })

  it('a service with a broken connection, a redirect or a large response gives 502', async () => {
    const fault = (): never => {
      throw new TypeError(`cannot connect with ${told}`)
    }
    const away = (): Response => new Response(null, { status: 302, headers: { location: `https://evil.test/${KEYS.exa}` } })
    const large = (): Response => new Response('x'.repeat(5 * 1024 * 1024))
    for (const upstream of [fault, away, large]) {
      const { post, sent } = setup(upstream)
      expect(await post('/proxy/exa', { query: 'q' })).toMatchObject(refused(502, 'upstream_failed'))
      expect(sent.length).toBe(1)
    }
  })

  it('a service without an answer gives 504', async () => {
    const { post, host, sent } = setup(() => new Promise(() => {}))
    const answer = post('/proxy/cse', { query: 'q' })
    while (sent.length === 0) await host.yield()
    await host.advance(10_000)
    expect(await answer).toMatchObject(refused(504, 'upstream_timeout'))
  })

  it('a service that returns part of the key in a truncated text does not reveal it', async () => {
    const { post } = setup(() => Response.json({ organic: [{ title: `${'x'.repeat(292)}${KEYS.serper}`, link: 'https://a.com/' }] }))
    expect(JSON.stringify((await post('/proxy/serper', { query: 'q' })).body)).not.toContain(KEYS.serper.slice(0, 6))
  })

  it('a service that returns the key in its results does not reveal it cap:41', async () => {
    const { post } = setup(() =>
      Response.json({ items: [{ title: KEYS.google, link: `https://a.com/?key=${KEYS.google}`, snippet: 's' }] }),
    )
    expect(await post('/proxy/cse', { query: 'q' })).toMatchObject({
      body: { results: [{ title: '[key]', url: 'https://a.com/?key=[key]' }] },
    })
  })
})

describe('invalid options of createProxy', () => {
  it('are rejected without revealing a key', () => {
    const cases: ProxyOptions[] = [
      { exa: { url: 'exa.test', key: KEYS.exa } },
      { exa: { url: `https://u:${KEYS.exa}@exa.test`, key: 'k' } },
      { exa: { url: 'https://exa.test', key: `${KEYS.exa}\n` } },
      { exa: { url: 'https://exa.test', key: '' } },
      { token: 'a b' },
      { origins: ['https://page.test/'] },
      { origins: ['*'] },
      { rate: { requests: 0, perMs: 1000 } },
      { rate: { requests: 5, perMs: Number.NaN } },
      { rate: { requests: Number.NaN, perMs: 1000 } },
      { timeoutMs: Number.NaN },
      { timeoutMs: -1 },
      { maxBodyBytes: 0 },
      { cache: { ttlMs: Number.NaN } },
      { cache: { entries: -1 } },
      { cache: { bytes: Number.NaN } },
    ]
    for (const options of cases) {
      expect(() => createProxy(options)).toThrow(TypeError)
      expect(() => createProxy(options)).not.toThrow(KEYS.exa)
    }
  })
})

describe('the network prefix of a client', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['', ''],
  ])('%s -> %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})
