// @module-tag loaf
import { createRuntime, type RuntimeEvent, toModelText } from 'toolport'
import { type LoafExaOptions, loaf } from 'toolport/presets/loaf'
import { createTestWorkspace } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { EXA_URL, KEY, openLoaf, standIn } from './loaf-setup.js'

/** `search_web` with a given response. Checks that no output contains a key. */
function setup(answer: () => Response | Promise<Response>, exa: Partial<LoafExaOptions> = { apiKey: KEY }) {
  const { workspace, host } = createTestWorkspace()
  const { fetch, sent } = standIn(answer)
  const events: RuntimeEvent[] = []
  const hooks = { onEvent: (event: RuntimeEvent) => events.push(event) }
  const options = { url: EXA_URL, retry: { attempts: 1 }, ...exa }
  const runtime = createRuntime({ workspace, fetch, host, hooks, preset: loaf({ exa: options }) })
  const search = async (input: unknown, id?: string): Promise<unknown> => {
    const call = { name: 'search_web', input, ...(id !== undefined && { id }) }
    const result = await runtime.execute(call)
    const wire = runtime.toWire(result, call)
    expect(JSON.stringify([result, wire, toModelText(result), events, runtime.getModelManifest()])).not.toContain(KEY)
    return wire
  }
  return { runtime, search, sent }
}

const ROW = { title: 'T', url: 'https://a.test/', score: 0.5, author: 'A', publishedDate: '2024-01-01', text: 'x', highlights: ['h'] }
const found =
  (...results: unknown[]) =>
  () =>
    Response.json({ results, requestId: 'r1' })
const invalid = (message: string) => ({ ok: false, output: { status: 'invalid_input', message }, error: message })

it('search_web removes characters that change the text direction, in results and errors', async () => {
  const text = `a\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069b`
  const row = { title: text, url: `https://a.test/${text}`, author: text, publishedDate: text, text, highlights: [text] }
  const answers = [found(row)(), new Response(text, { status: 400 })]
  const { search } = setup(() => answers.shift() as Response)
  const shown = [await search({ query: 'q', include_text: true }), await search({ query: 'q' })]
  expect(shown).toMatchObject([
    { ok: true, output: { results: [{ title: 'ab', text: 'ab' }] } },
    { ok: false, error: expect.stringContaining('ab') },
  ])
  expect(JSON.stringify(shown)).not.toMatch(/\p{Bidi_C}/u)
})

describe('the request of search_web', () => {
  it('has the documented defaults cap:86', async () => {
    const { search, sent } = setup(found())
    await search({ query: '  what is new  ' })
    const highlights = { query: 'what is new', numSentences: 2, highlightsPerUrl: 3 }
    expect(sent).toEqual([
      {
        url: EXA_URL,
        headers: { accept: 'application/json', 'content-type': 'application/json', 'x-api-key': KEY },
        body: { query: 'what is new', type: 'auto', numResults: 8, contents: { highlights }, highlights },
      },
    ])
  })

  it('contains the given options within their limits cap:86 cap:22', async () => {
    const { search, sent } = setup(found())
    await search({
      query: 'q',
      type: 'neural',
      num_results: 99.5,
      include_text: true,
      include_highlights: true,
      highlight_query: ' h ',
      highlight_sentences: 0,
      highlights_per_url: 20,
      include_domains: [' a.test ', 'a.test', 7, ''],
      exclude_domains: 'b.test',
    })
    const highlights = { query: 'h', numSentences: 1, highlightsPerUrl: 8 }
    expect(sent[0]?.body).toEqual({
      query: 'q',
      type: 'neural',
      numResults: 25,
      contents: { text: true, highlights },
      highlights,
      includeDomains: ['a.test'],
    })
    await search({ query: 'q', type: 'slow', num_results: '3', include_text: 'yes', include_highlights: false })
    expect(sent[1]?.body).toEqual({ query: 'q', type: 'auto', numResults: 8 })
  })

  it('is not sent without a key, a URL or a query cap:86 cap:87', async () => {
    const missing = 'search_web unavailable: missing exa api key'
    expect(await setup(found(), {}).search({ query: 'q' })).toEqual(invalid(missing))
    expect(await setup(found(), { getApiKey: async () => '  ' }).search({ query: 'q' })).toEqual(invalid(missing))
    expect(await setup(found()).search({ query: ' ' })).toEqual(invalid('search_web requires a non-empty `query`.'))
    expect(await setup(found()).search({})).toEqual(invalid('search_web requires a non-empty `query`.'))
    const { createExaBuiltinTools, createToolRegistry, ToolRuntime, EXA_BUILTIN_TOOLS, defaultToolRegistry } = openLoaf(
      {},
      standIn(found()),
    )
    expect(EXA_BUILTIN_TOOLS).toEqual([])
    expect(defaultToolRegistry.has('search_web')).toBe(false)
    const registry = createToolRegistry().registerMany(createExaBuiltinTools({ getApiKey: () => KEY }))
    expect(await new ToolRuntime(registry).execute({ name: 'search_web', input: { query: 'q' } })).toEqual(
      invalid('search_web unavailable: no address to ask is configured'),
    )
    expect(() => loaf({ exa: { url: 'ftp://x' } })).toThrow(TypeError)
    expect(() => loaf({ exa: { url: `https://x.test/?key=${KEY}` } })).toThrow('the key belongs into "apiKey"')
    expect(loaf().tools.map(({ name }) => name)).not.toContain('search_web')
  })

  it('contains no key of its own if proxy headers are given', async () => {
    const { search, sent } = setup(found(), { headers: { authorization: `Bearer ${KEY}` } })
    expect(await search({ query: 'q' })).toMatchObject({ ok: true })
    expect(sent[0]?.headers).toMatchObject({ authorization: `Bearer ${KEY}` })
    expect(sent[0]?.headers).not.toHaveProperty('x-api-key')
  })

  it('is not sent if the key cannot be read, and the error hides it', async () => {
    const getApiKey = (): never => {
      throw new Error(KEY)
    }
    expect(await setup(found(), { getApiKey }).search({ query: 'q' }, 'k')).toEqual({
      ok: false,
      output: { callId: 'k', tool: 'search_web', status: 'error' },
      error: 'search_web unavailable: the exa api key could not be read',
    })
  })
})

describe('the result of search_web', () => {
  it('has the documented rows cap:86', async () => {
    const { search } = setup(
      found({ ...ROW, highlightScores: [0.1] }, { url: 'https://b.test/' }, { title: 'only a title' }, { text: 'neither' }, null),
    )
    expect(JSON.stringify(await search({ query: 'q', num_results: 3 }))).toBe(
      JSON.stringify({
        ok: true,
        output: {
          status: 'ok',
          query: 'q',
          type: 'auto',
          num_results: 3,
          total_results: 3,
          results: [
            {
              title: 'T',
              url: 'https://a.test/',
              score: 0.5,
              author: 'A',
              published_date: '2024-01-01',
              text: 'x',
              highlights: ['h'],
              highlight_scores: [0.1],
            },
            { title: 'https://b.test/', url: 'https://b.test/' },
            { title: 'only a title' },
          ],
          request_id: 'r1',
        },
      }),
    )
  })

  it('has texts truncated to their lengths', async () => {
    const { search } = setup(found({ ...ROW, text: 'x'.repeat(2001), highlights: ['y'.repeat(401), 'z'.repeat(400)] }))
    expect(await search({ query: 'q' })).toMatchObject({
      output: { results: [{ text: `${'x'.repeat(2000)}...`, highlights: [`${'y'.repeat(397)}...`, 'z'.repeat(400)] }] },
    })
  })

  it('contains the error of the service without the key cap:86', async () => {
    const output = { status: 'error', query: 'q', type: 'auto', num_results: 8 }
    const said = (status: number, text: string) => setup(() => new Response(text, { status })).search({ query: 'q' })
    expect(await said(401, `bad key ${KEY}!`)).toEqual({ ok: false, output, error: 'exa search failed (401): bad key [key]!' })
    expect(await said(500, '')).toEqual({ ok: false, output, error: 'exa search failed (500): empty response' })
    expect(await said(400, `${'e'.repeat(216)}${KEY}`)).toEqual({
      ok: false,
      output,
      error: `exa search failed (400): ${'e'.repeat(216)}[key`,
    })
  })

  it('is an error for network failures and invalid responses', async () => {
    const output = { callId: null, tool: 'search_web', status: 'error' }
    const broken = setup(() => new Response('{'))
    expect(await broken.search({ query: 'q' })).toEqual({
      ok: false,
      output,
      error: 'Cannot search the web: the search service did not answer with JSON',
    })
    const other = setup(() => Response.json({ hello: 1 }))
    expect(await other.search({ query: 'q' })).toMatchObject({ ok: false, output })
    const gone = setup(() => Promise.reject(new TypeError(`fetch failed ${KEY}`)))
    expect(await gone.search({ query: 'q' })).toMatchObject({ ok: false, output })
  })

  it('follows retries of temporary failures, until the timeout or an abort cap:21', async () => {
    let attempts = 0
    const { fetch } = standIn(() => (++attempts < 3 ? new Response('', { status: 503 }) : Response.json({ results: [] })))
    const { ToolRuntime, defaultToolRegistry } = openLoaf({}, { fetch, exa: { url: EXA_URL, apiKey: KEY, retry: { baseMs: 1 } } })
    const runtime = new ToolRuntime(defaultToolRegistry)
    const call = { name: 'search_web', input: { query: 'q' } }
    expect(await runtime.execute(call)).toMatchObject({ ok: true })
    expect(attempts).toBe(3)
    expect(await runtime.execute(call, { signal: AbortSignal.abort() })).toMatchObject({ output: { status: 'aborted' } })
  })
})
