// @module-tag web-search
import { describe, expect, it } from 'vitest'
import { exaRequest, parseExa } from '../../src/tools/web/providers/exa.js'
import { PROVIDERS } from '../../src/tools/web/providers/index.js'
import { parseProxied, proxiedRequest } from '../../src/tools/web/providers/proxied.js'
import fc from '../fast-check.js'

const names = ['google', 'serper', 'exa'] as const

describe('documented formats', () => {
  it('the documented formats of the Google and Serper proxies match cap:39', () => {
    const search = { query: 'q', maxResults: 5, includeDomains: [], excludeDomains: [] }
    expect(proxiedRequest(search)).toEqual({ query: 'q', max_results: 5 })
    const row = { title: 'T', url: 'https://a.com/', snippet: 'S', display_link: 'a.com', rank: 1 }
    expect(parseProxied({ query: 'q', results: [row] })).toEqual({ query: 'q', results: [row] })
    expect(parseProxied({ query: 'q', results: [{ url: 'https://a.com/' }, { title: 'x' }] })).toEqual({
      query: 'q',
      results: [{ title: 'https://a.com/', url: 'https://a.com/', snippet: '', rank: 1 }],
    })
  })

  it('the documented format of Exa requests, where highlights occur twice and are absent if disabled cap:86', () => {
    expect(exaRequest({ query: 'q', numResults: 8 })).toEqual({ query: 'q', type: 'auto', numResults: 8 })
    const highlights = { query: 'h', numSentences: 2, highlightsPerUrl: 3 }
    const search = { type: 'deep' as const, numResults: 1, text: true, highlights: { query: 'h', sentences: 2, perUrl: 3 } }
    expect(exaRequest({ query: 'q', ...search, includeDomains: ['a.com'], excludeDomains: [] })).toEqual({
      query: 'q',
      type: 'deep',
      numResults: 1,
      contents: { text: true, highlights },
      highlights,
      includeDomains: ['a.com'],
    })
  })

  it('the documented format of Exa responses, in the older and the newer spelling', () => {
    const row = { title: 'T', url: 'https://a.com/', score: 1, author: 'A', text: 't', highlights: ['h'] }
    const expected = { results: [{ ...row, published_date: '2024', highlight_scores: [0.5] }], request_id: 'r' }
    expect(parseExa({ results: [{ ...row, publishedDate: '2024', highlightScores: [0.5] }], requestId: 'r' })).toEqual(expected)
    expect(parseExa({ results: [{ ...row, published_date: '2024', highlight_scores: [0.5] }], request_id: 'r' })).toEqual(expected)
    expect(parseExa({ results: [{ title: 'only' }, {}, null] })).toEqual({ results: [{ title: 'only' }] })
  })
})

describe('any response body', () => {
  const rows = fc.array(
    fc.record(
      {
        title: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
        url: fc.oneof(fc.webUrl(), fc.string(), fc.jsonValue()),
        snippet: fc.jsonValue(),
        score: fc.oneof(fc.double(), fc.jsonValue()),
        publishedDate: fc.jsonValue(),
        highlights: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
      },
      { requiredKeys: [] },
    ),
  )

  it('is read up to 100 rows and 25 highlights', () => {
    const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i))
    const results = numbered(101).map((title) => ({ title, url: `https://a.com/${title}`, highlights: numbered(26) }))
    expect(parseProxied({ query: 'q', results })?.results.map(({ title }) => title)).toEqual(numbered(100))
    const exa = parseExa({ results })?.results
    expect(exa?.map(({ title }) => title)).toEqual(numbered(100))
    expect(exa?.[0]?.highlights).toEqual(numbered(25))
  })

  it.each(names)('any response body of %s gives rows with clean text, or is rejected', (name) => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.record({ results: fc.oneof(rows, fc.jsonValue()) })), (body) => {
        for (const { title, url, snippet, score = 0 } of PROVIDERS[name].parseResponse(body) ?? []) {
          expect(new URL(url).protocol).toMatch(/^https?:$/)
          expect(title.length > 0 && title.length <= 2051 && snippet.length <= 2003 && Number.isFinite(score)).toBe(true)
          // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there.
          expect(`${title}${snippet}`).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
        }
      }),
    )
  })
})
