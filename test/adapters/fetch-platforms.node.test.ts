// @module-tag fetch
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { chromium } from 'playwright'
import type { NetworkError } from 'toolport'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFetch } from '../../adapters/fetch/index.js'
import { findChromium } from '../../scripts/chromium.mjs'
import { endless, json, redirect, reset, silent, stalled, startUpstream, truncated, type Upstream } from './fetch-upstream.js'

// Tests `fetch` of Node, a browser and a Worker over real HTTP, which injected responses cannot replace.

const root = fileURLToPath(new URL('../../', import.meta.url))

let other: Upstream
let upstream: Upstream

beforeAll(async () => {
  other = await startUpstream({ '/x': json({ from: 'other' }, 200, { 'access-control-allow-origin': '*' }) })
  upstream = await startUpstream({
    '/': (response) => response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'a=1' }).end('<!doctype html><title>x</title>'),
    '/echo': (response, { method, body, headers }) =>
      json({ method, body, key: headers['x-key'], type: headers['content-type'], cookie: headers.cookie ?? null }, 200, {
        'set-cookie': 'a=1',
      })(response, {} as never, ''),
    '/here': redirect('/echo', 307),
    '/away': redirect(() => `${other.origin}/x`),
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

/** Bundles `ask(origin, path, init, options)`, which returns its result as JSON. */
async function bundled(end: string): Promise<string> {
  const result = await build({
    stdin: {
      contents: `
        import { createFetch } from './adapters/fetch/index.ts'
        async function ask(origin, path, init = {}, options = {}) {
          try {
            const response = await createFetch({ origins: [origin], ...options }).fetch({ url: origin + path, ...init })
            return { status: response.status, text: await response.text() }
          } catch ({ name, code, retryable, cause }) {
            return { name, code, retryable, cause: cause?.name }
          }
        }
        ${end}`,
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
  })
  return result.outputFiles[0]?.text ?? ''
}

type Ask = (path: string, init?: object, options?: object) => Promise<Record<string, unknown>>

const node: Ask = async (path, init = {}, options = {}) => {
  try {
    const response = await createFetch({ origins: [upstream.origin], ...options }).fetch({ url: upstream.origin + path, ...init })
    return { status: response.status, text: await response.text(), setCookie: response.headers.get('set-cookie') }
  } catch (error) {
    const { name, code, retryable, cause } = error as NetworkError
    return { name, code, retryable, cause: (cause as Error | undefined)?.name }
  }
}

const platforms: Readonly<Record<string, () => Promise<{ ask: Ask; end: () => Promise<void> }>>> = {
  node: async () => ({ ask: node, end: async () => {} }),
  async chromium() {
    const browser = await chromium.launch({ executablePath: await findChromium() })
    const page = await browser.newPage()
    await page.goto(upstream.origin)
    await page.addScriptTag({ content: await bundled('globalThis.ask = ask'), type: 'module' })
    await page.waitForFunction('globalThis.ask')
    const ask: Ask = (...args) => page.evaluate(`ask(...${JSON.stringify([upstream.origin, ...args])})`)
    return { ask, end: () => browser.close() }
  },
  async workerd() {
    const script = await bundled('export default { fetch: async (request) => Response.json(await ask(...await request.json())) }')
    const miniflare = new Miniflare(convertV4MiniflareOptions({ modules: true, script, compatibilityDate: '2026-07-01' }))
    const ask: Ask = async (...args) => {
      const body = JSON.stringify([upstream.origin, ...args])
      return (await (await miniflare.dispatchFetch('http://worker/', { method: 'POST', body })).json()) as Record<string, unknown>
    }
    return { ask, end: () => miniflare.dispose() }
  },
}

describe.each(['node', 'chromium', 'workerd'] as const)('in %s', (platform) => {
  let ask: Ask
  let end: () => Promise<void>
  const follows = platform !== 'chromium'

  beforeAll(async () => {
    const started = await platforms[platform]?.()
    if (started) ({ ask, end } = started)
  })
  afterAll(() => end())

  it('fetch sends and receives data without cookies', async () => {
    const headers = { 'x-key': 'k', 'content-type': 'application/json' }
    const { status, text, setCookie } = await ask('/echo', { method: 'POST', body: '{"ü":1}', headers })
    const echo = { method: 'POST', body: '{"ü":1}', key: 'k', type: 'application/json', cookie: null }
    expect([status, JSON.parse(String(text)), setCookie ?? null]).toEqual([200, echo, null])
    expect(await ask('/500')).toMatchObject({ status: 500 })
  })

  it('fetch never contacts another origin, directly or by a redirect', async () => {
    expect(await ask('/away')).toMatchObject({ name: 'NetworkError', code: 'blocked_origin', retryable: false })
    expect(await ask('/x', {}, { origins: [other.origin] })).toMatchObject({ code: 'blocked_origin' })
    expect(other.seen).toEqual([])
  })

  it(
    follows ? 'it follows redirects within the origin, and not for ever' : 'it follows no redirect, as it is not shown where to',
    async () => {
      const here = await ask('/here', { method: 'POST', body: 'b', headers: { 'x-key': 'k' } })
      if (follows) expect(JSON.parse(String(here.text))).toMatchObject({ method: 'POST', body: 'b', key: 'k' })
      else expect(here).toMatchObject({ code: 'blocked_origin', retryable: false })
      const before = upstream.seen.length
      expect(await ask('/loop')).toMatchObject({ code: follows ? 'network' : 'blocked_origin', retryable: false })
      expect(upstream.seen.length - before).toBe(follows ? 6 : 1)
    },
  )

  it.each(['/truncated', '/reset'])('fetch reports a failed connection as a retryable network error: %s', async (path) => {
    expect(await ask(path)).toMatchObject({ name: 'NetworkError', code: 'network', retryable: true })
  })

  it('fetch stops at maxBytes', async () => {
    expect(await ask('/endless', {}, { maxBytes: 100_000 })).toMatchObject({ code: 'too_large' })
  })

  it.each(['/silent', '/stalled'])('fetch stops at its timeout: %s', async (path) => {
    expect(await ask(path, {}, { timeoutMs: 200 })).toMatchObject({ code: 'network', retryable: true, cause: 'TimeoutError' })
  })
})

it('fetch reports a refused connection as a retryable network error', async () => {
  const gone = await startUpstream({})
  await gone.close()
  const request = createFetch({ origins: [gone.origin] }).fetch({ url: gone.origin })
  await expect(request).rejects.toMatchObject({ code: 'network', retryable: true })
})

it('fetch rejects with the reason of its abort signal', async () => {
  const controller = new AbortController()
  const before = upstream.seen.length
  const failed = createFetch({ origins: [upstream.origin] }).fetch({ url: `${upstream.origin}/stalled`, signal: controller.signal })
  const outcome = failed.catch((error) => error)
  while (upstream.seen.length === before) await new Promise((resolve) => setImmediate(resolve))
  controller.abort(new Error('enough'))
  expect(await outcome).toEqual(new Error('enough'))
})
