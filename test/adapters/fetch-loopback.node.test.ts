// @module-tag fetch
import { createTestHost } from 'toolport/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFetch } from '../../adapters/fetch/index.js'
import { endless, json, redirect, reset, silent, stalled, startUpstream, truncated, type Upstream } from './fetch-upstream.js'

let other: Upstream
let upstream: Upstream

beforeAll(async () => {
  other = await startUpstream({ '/x': json({ from: 'other' }) })
  upstream = await startUpstream({
    '/json': json({ a: 1 }, 200, { 'set-cookie': 'a=1' }),
    '/echo': (response, { method, body, headers }) => json({ method, body, headers })(response, {} as never, ''),
    '/away': redirect(() => `${other.origin}/x`),
    '/here': redirect('/json'),
    '/again': redirect('/echo', 307),
    '/loop': redirect('/loop'),
    '/500': json({ error: 'no' }, 500),
    '/truncated': truncated,
    '/reset': reset,
    '/endless': endless,
    '/stalled': stalled,
    '/silent': silent,
  })
})

afterAll(async () => {
  await upstream.close()
  await other.close()
})

const adapter = (options = {}) => createFetch({ origins: [upstream.origin], ...options })
const get = (path: string, options = {}) => adapter(options).fetch({ url: upstream.origin + path })

it('gets an answer', async () => {
  const response = await get('/json')
  expect([response.status, await response.json(), response.headers.get('set-cookie')]).toEqual([200, { a: 1 }, null])
  expect((await get('/500')).status).toBe(500)
})

it('sends a body, and again where a redirect asks for it', async () => {
  const request = { method: 'POST', body: '{"ü":1}', headers: { 'content-type': 'application/json', 'x-key': 'k' } }
  const answer = await (await adapter().fetch({ ...request, url: `${upstream.origin}/again` })).json()
  expect(answer).toMatchObject({ method: 'POST', body: '{"ü":1}', headers: { 'x-key': 'k', 'content-type': 'application/json' } })
})

it('follows within an origin, and never to one that is not named', async () => {
  expect(await (await get('/here')).json()).toEqual({ a: 1 })
  const before = other.seen.length
  await expect(get('/away')).rejects.toMatchObject({ code: 'blocked_origin' })
  expect(other.seen.length).toBe(before)
})

it('ends a loop', async () => {
  await expect(get('/loop')).rejects.toMatchObject({ code: 'network', retryable: false })
  expect(upstream.seen.filter(({ path }) => path === '/loop').length).toBe(6)
})

it.each(['/truncated', '/reset'])('tells that the connection failed: %s', async (path) => {
  await expect(get(path)).rejects.toMatchObject({ name: 'NetworkError', code: 'network', retryable: true })
})

it('tells that nobody listens', async () => {
  const gone = await startUpstream({})
  await gone.close()
  await expect(createFetch({ origins: [gone.origin] }).fetch({ url: gone.origin })).rejects.toMatchObject({
    code: 'network',
    retryable: true,
  })
})

it('takes no more than the limit', async () => {
  await expect(get('/endless', { maxBytes: 100_000 })).rejects.toMatchObject({ code: 'too_large' })
})

it.each(['/stalled', '/silent'])('waits until the timeout and no longer: %s', async (path) => {
  const host = createTestHost()
  const before = upstream.seen.length
  const failed = get(path, { host }).catch((error) => error)
  while (upstream.seen.length === before) await host.yield()
  await host.advance(30_000)
  expect(await failed).toMatchObject({ code: 'network', cause: { name: 'TimeoutError' } })
})

it('heeds the signal', async () => {
  const controller = new AbortController()
  const before = upstream.seen.length
  const failed = adapter().fetch({ url: `${upstream.origin}/stalled`, signal: controller.signal })
  const outcome = failed.catch((error) => error)
  while (upstream.seen.length === before) await new Promise((resolve) => setImmediate(resolve))
  controller.abort(new Error('enough'))
  expect(await outcome).toEqual(new Error('enough'))
})
