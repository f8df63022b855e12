// @module-tag web-search
import { createRuntime, type RuntimeEvent, type ToolResult, toModelText } from 'toolport'
import { createTestWorkspace } from 'toolport/testing'
import { afterEach, expect, it } from 'vitest'
import { createFetch } from '../../adapters/fetch/index.js'
import { webTools } from '../../src/tools/web/index.js'
import {
  type Answer,
  endless,
  json,
  redirect,
  reset,
  silent,
  stalled,
  startUpstream,
  truncated,
  type Upstream,
} from '../adapters/fetch-upstream.js'

const KEY = 'k3y-0123456789'
const RESULTS = json({ query: 'q', results: [{ title: 'T', url: 'https://example.com/', snippet: 'S', rank: 1 }] })

const open: Upstream[] = []
afterEach(async () => {
  for (const upstream of open.splice(0)) await upstream.close()
})

/** The tool over real HTTP. The service gives these answers in order and repeats the last one. Short waits between retries are skipped. */
async function setup(answers: readonly [Answer, ...Answer[]]) {
  const other = await startUpstream({ '/': RESULTS })
  let count = 0
  const service = await startUpstream({
    '/proxy/cse': (response, request) => {
      const answer = answers[Math.min(count++, answers.length - 1)] as Answer
      answer(response, request, other.origin)
    },
  })
  open.push(other, service)
  const { workspace, host } = createTestWorkspace()
  const waits: number[] = []
  const impatient = {
    ...host,
    sleep: async (ms: number, signal?: AbortSignal) => {
      // Long sleeps are deadlines and timeouts, which other tests trigger by moving the clock.
      if (ms >= 20_000) return host.sleep(ms, signal)
      waits.push(ms)
    },
  }
  const events: RuntimeEvent[] = []
  const runtime = createRuntime({
    workspace,
    host: impatient,
    tools: webTools({ provider: 'google', baseUrl: service.origin, headers: { authorization: `Bearer ${KEY}` } }),
    fetch: createFetch({ origins: [service.origin], host, maxBytes: 100_000 }),
    hooks: { onEvent: (event) => events.push(event) },
  })
  const search = async (signal?: AbortSignal): Promise<ToolResult> => {
    const result = await runtime.execute({ name: 'web_search', input: { query: 'q' } }, signal ? { signal } : {})
    expect(JSON.stringify([result, toModelText(result), events])).not.toContain(KEY)
    return result
  }
  return { search, service, other, host, waits }
}

const success = { ok: true, output: { results: [{ title: 'T', url: 'https://example.com/', snippet: 'S' }], provider: 'google' } }
const failed = (code: string, more = {}) => ({ ok: false, output: { code, ...more } })

it('web_search sends the query and returns results', async () => {
  const { search, service } = await setup([RESULTS])
  expect(await search()).toMatchObject(success)
  expect(service.seen).toMatchObject([
    { method: 'POST', body: '{"query":"q","max_results":5}', headers: { authorization: `Bearer ${KEY}` } },
  ])
})

it.each([
  ['500', json({ error: KEY }, 500)],
  ['503 without a body', (response: Parameters<Answer>[0]) => void response.writeHead(503).end()],
  ['a truncated body', truncated],
  ['a connection reset', reset],
])('web_search retries after %s', async (_, answer) => {
  const { search, service, waits } = await setup([answer, answer, RESULTS])
  expect(await search()).toMatchObject(success)
  expect([service.seen.length, waits.length]).toEqual([3, 2])
})

it('web_search waits as long as Retry-After says after a 429', async () => {
  const { search, waits } = await setup([json({}, 429, { 'retry-after': '11' }), RESULTS])
  expect(await search()).toMatchObject(success)
  expect(waits).toEqual([11_000])
})

it('web_search gives up after the last attempt cap:40', async () => {
  expect(await (await setup([json({ error: KEY }, 500)])).search()).toMatchObject(
    failed('http_status', { httpStatus: 500, retryable: true }),
  )
  expect(await (await setup([reset])).search()).toMatchObject(failed('network', { retryable: true }))
  expect(await (await setup([json({}, 429, { 'retry-after': '3600' })])).search()).toMatchObject(failed('http_status', { httpStatus: 429 }))
})

it.each([
  ['broken JSON', (response: Parameters<Answer>[0]) => void response.end('{"results": [}'), 'network'],
  ['a huge body', endless, 'too_large'],
  ['a redirect loop', redirect('/proxy/cse', 307), 'network'],
  ['a refusal', json({ error: KEY }, 403), 'http_status'],
])('web_search does not retry after %s', async (name, answer, code) => {
  const { search, service } = await setup([answer])
  expect(await search()).toMatchObject(failed(code))
  expect(service.seen.length).toBe(name === 'a redirect loop' ? 6 : 1)
})

it('web_search follows no redirect to another origin', async () => {
  const { search, other, service } = await setup([redirect((origin) => `${origin}/`, 307)])
  expect(await search()).toMatchObject(failed('blocked_origin', { status: 'denied' }))
  expect([service.seen.length, other.seen.length]).toEqual([1, 0])
})

it.each([
  ['a slow answer', silent],
  ['a stalled body', stalled],
])('web_search waits no longer than its timeout for %s', async (_, answer) => {
  const { search, service, host } = await setup([answer, RESULTS])
  const result = search()
  while (service.seen.length === 0) await host.yield()
  await host.advance(30_000)
  expect(await result).toMatchObject(success)
})

it('web_search ends at its last timeout, and on abort', async () => {
  const slow = await setup([silent])
  const result = slow.search()
  for (let attempt = 1; attempt <= 3; attempt++) {
    while (slow.service.seen.length < attempt) await slow.host.yield()
    await slow.host.advance(30_000)
  }
  expect(await result).toMatchObject(failed('network', { retryable: true }))
  const { search, service, host } = await setup([silent])
  const controller = new AbortController()
  const aborted = search(controller.signal)
  while (service.seen.length === 0) await host.yield()
  controller.abort()
  expect(await aborted).toMatchObject(failed('aborted'))
})
