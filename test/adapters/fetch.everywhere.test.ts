// @module-tag fetch
import { createTestHost } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { createFetch, type FetchOptions } from '../../adapters/fetch/index.js'

const A = 'https://a.test'
const B = 'https://b.test'

interface Sent {
  readonly url: string
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: string
  readonly init: RequestInit
}

type Answers = Readonly<Record<string, (sent: Sent) => Response | Promise<Response>>>

/** The adapter with a `fetch` that returns real responses. */
function setup(answers: Answers, options: Partial<FetchOptions> = {}) {
  const sent: Sent[] = []
  const host = createTestHost()
  const adapter = createFetch({
    origins: [A],
    host,
    ...options,
    fetch: async (url, init) => {
      // Throws for options that the platform rejects.
      new Request(url, init)
      const { method = '', headers, body } = init
      const entry = { url, method, headers: Object.fromEntries(new Headers(headers)), body: await new Response(body).text(), init }
      sent.push(entry)
      const answer = answers[url]
      if (!answer) throw new TypeError(`unexpected request for ${url}`)
      return answer(entry)
    },
  })
  return { adapter, sent, host }
}

const ok = (): Response => new Response('ok')
const to =
  (location: string, status = 302): (() => Response) =>
  () =>
    new Response(null, { status, headers: { location } })
const code = (code: string, extra = {}) => expect.objectContaining({ name: 'NetworkError', code, ...extra })

describe('allowed origins', () => {
  it('requests to an allowed origin are sent', async () => {
    const { adapter, sent } = setup({ [`${A}/x?q=1`]: ok })
    const response = await adapter.fetch({ url: `${A}/x?q=1` })
    expect([response.ok, response.status, await response.text()]).toEqual([true, 200, 'ok'])
    expect(sent).toMatchObject([{ method: 'GET', body: '' }])
  })

  it.each([
    `${B}/x`,
    'http://a.test/x',
    'https://a.test:444/x',
    'https://sub.a.test/x',
    'https://a.test.evil.test/',
    'https://a.test@b.test/',
    'https://user:pass@a.test/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'blob:https://a.test/x',
    '/relative',
    '',
  ])('requests to an origin that is not allowed exactly are rejected: %s', async (url) => {
    const { adapter, sent } = setup({})
    await expect(adapter.fetch({ url })).rejects.toEqual(code('blocked_origin', { retryable: false }))
    expect(sent).toEqual([])
  })

  it('no origin is allowed by default', async () => {
    await expect(createFetch({ origins: [] }).fetch({ url: A })).rejects.toEqual(code('blocked_origin'))
  })

  it('createFetch rejects an invalid origin and a timeout of 0', () => {
    for (const origin of [
      'https://a.test/path',
      'https://*.test/x',
      'a.test',
      'ftp://a.test',
      'https://u@a.test',
      'https://a.test?x',
      '*',
    ]) {
      expect(() => createFetch({ origins: [origin] }), origin).toThrow(TypeError)
    }
    expect(() => createFetch({ origins: [A], timeoutMs: 0 })).toThrow(TypeError)
  })

  it('an origin may have a trailing slash, capitals and the default port', async () => {
    const { adapter } = setup({ [`${A}/x`]: ok }, { origins: ['HTTPS://A.test/'] })
    expect((await adapter.fetch({ url: `${A}/x` })).status).toBe(200)
  })
})

describe('a request', () => {
  it('sends its method, headers and body, without cookies, and leaves redirects to the adapter', async () => {
    const { adapter, sent } = setup({ [`${A}/`]: ok })
    await adapter.fetch({ url: A, method: 'post', headers: { 'x-key': 'k', Cookie: 'c=1' }, body: '{"ü":1}' })
    expect(sent).toMatchObject([{ method: 'POST', body: '{"ü":1}', headers: { 'x-key': 'k', 'content-type': 'text/plain;charset=UTF-8' } }])
    expect(sent[0]?.headers).not.toHaveProperty('cookie')
    expect(sent[0]?.init.redirect).toBe('manual')
    expect(sent[0]?.init.credentials).toBe('credentials' in Request.prototype ? 'omit' : undefined)
  })

  it('accepts a Request object', async () => {
    const { adapter, sent } = setup({ [`${A}/`]: ok })
    await adapter.fetch(new Request(A, { method: 'PUT', body: 'text', headers: { 'content-type': 'text/x' } }))
    expect(sent).toMatchObject([{ method: 'PUT', body: 'text', headers: { 'content-type': 'text/x' } }])
  })

  it('a request with an invalid header is rejected without showing the header value', async () => {
    const { adapter } = setup({})
    const error = await adapter.fetch({ url: A, headers: { authorization: 'secret\nkey' } }).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error) + String(error.cause)).not.toContain('secret')
  })
})

describe('a response', () => {
  it('a response with an error status resolves, and its body can be read more than once', async () => {
    const { adapter } = setup({ [`${A}/`]: () => Response.json({ error: 1 }, { status: 503, headers: { 'retry-after': '7' } }) })
    const response = await adapter.fetch({ url: A })
    expect([response.ok, response.status, response.headers.get('Retry-After')]).toEqual([false, 503, '7'])
    expect([await response.json(), await response.text(), (await response.arrayBuffer()).byteLength]).toEqual([
      { error: 1 },
      '{"error":1}',
      11,
    ])
  })

  it('a response without a body has an empty text', async () => {
    const { adapter } = setup({ [`${A}/`]: () => new Response(null, { status: 204 }) })
    expect(await (await adapter.fetch({ url: A })).text()).toBe('')
  })

  it('has no Set-Cookie header', async () => {
    const { adapter } = setup({ [`${A}/`]: () => new Response('x', { headers: { 'set-cookie': 'a=1' } }) })
    expect((await adapter.fetch({ url: A })).headers.get('Set-Cookie')).toBe(null)
  })

  it('a response with a Content-Length above the limit is rejected unread', async () => {
    let pulled = 0
    const body = new ReadableStream<Uint8Array>(
      {
        pull(stream) {
          pulled++
          stream.enqueue(new Uint8Array(1))
        },
      },
      { highWaterMark: 0 },
    )
    const { adapter } = setup({ [`${A}/`]: () => new Response(body, { headers: { 'content-length': '101' } }) }, { maxBytes: 100 })
    await expect(adapter.fetch({ url: A })).rejects.toEqual(code('too_large'))
    expect(pulled).toBe(0)
  })

  it('a response that exceeds the limit while streaming is rejected and cancelled', async () => {
    let cancelled = false
    const body = new ReadableStream<Uint8Array>({
      pull: (stream) => stream.enqueue(new Uint8Array(40)),
      cancel() {
        cancelled = true
      },
    })
    const { adapter } = setup({ [`${A}/`]: () => new Response(body) }, { maxBytes: 100 })
    await expect(adapter.fetch({ url: A })).rejects.toEqual(code('too_large'))
    expect(cancelled).toBe(true)
  })

  it('a response of exactly the limit is accepted', async () => {
    const { adapter } = setup({ [`${A}/`]: () => new Response('x'.repeat(100)) }, { maxBytes: 100 })
    expect((await (await adapter.fetch({ url: A })).text()).length).toBe(100)
  })

  it('a response that breaks off is a retryable network error', async () => {
    const body = new ReadableStream<Uint8Array>({
      start(stream) {
        stream.enqueue(new Uint8Array(1))
        stream.error(new Error('gone'))
      },
    })
    const { adapter } = setup({ [`${A}/`]: () => new Response(body) })
    await expect(adapter.fetch({ url: A })).rejects.toEqual(code('network', { retryable: true }))
  })
})

describe('a redirect', () => {
  it('a redirect to an allowed origin is followed, whether its target is relative or absolute', async () => {
    const { adapter, sent } = setup({ [`${A}/1`]: to('2'), [`${A}/2`]: to(`${B}/3`), [`${B}/3`]: ok }, { origins: [A, B] })
    expect(await (await adapter.fetch({ url: `${A}/1` })).text()).toBe('ok')
    expect(sent.map(({ url }) => url)).toEqual([`${A}/1`, `${A}/2`, `${B}/3`])
  })

  it('a redirect to another origin is rejected before any request to it', async () => {
    for (const target of [`${B}/x`, '//b.test/x', 'http://a.test/', 'https://u:p@a.test/', 'file:///x', 'https://[']) {
      const { adapter, sent } = setup({ [`${A}/1`]: to(target) })
      await expect(adapter.fetch({ url: `${A}/1` }), target).rejects.toEqual(code('blocked_origin'))
      expect(sent.length).toBe(1)
    }
  })

  it('is followed at most five times, or as often as the option allows', async () => {
    const { adapter, sent } = setup({ [`${A}/loop`]: to(`${A}/loop`) })
    await expect(adapter.fetch({ url: `${A}/loop` })).rejects.toEqual(code('network', { retryable: false }))
    expect(sent.length).toBe(6)
    const none = setup({ [`${A}/loop`]: to(`${A}/loop`) }, { maxRedirects: 0 })
    await expect(none.adapter.fetch({ url: `${A}/loop` })).rejects.toEqual(code('network'))
    expect(none.sent.length).toBe(1)
  })

  it.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [301, 'PUT', 'PUT'],
    [302, 'DELETE', 'DELETE'],
    [307, 'POST', 'POST'],
    [308, 'POST', 'POST'],
  ])('%i of %s sends %s', async (status, method, then) => {
    const { adapter, sent } = setup({ [`${A}/1`]: to('/2', status), [`${A}/2`]: ok })
    const body = method === 'HEAD' ? undefined : 'text'
    await adapter.fetch({ url: `${A}/1`, method, body, headers: { 'x-key': 'k', 'content-type': 'text/x' } })
    const keeps = then !== 'GET'
    expect(sent[1]).toMatchObject({ method: then, body: keeps ? (body ?? '') : '', headers: { 'x-key': 'k' } })
    expect(sent[1]?.headers['content-type']).toBe(keeps ? 'text/x' : undefined)
  })

  it('a redirect to another origin drops headers with keys and does not restore them on the way back', async () => {
    const headers = { authorization: 'Bearer k', 'x-api-key': 'k', 'proxy-authorization': 'k', accept: 'text/html' }
    const { adapter, sent } = setup({ [`${A}/1`]: to(`${B}/2`, 307), [`${B}/2`]: to(`${A}/3`, 307), [`${A}/3`]: ok }, { origins: [A, B] })
    await adapter.fetch({ url: `${A}/1`, method: 'POST', body: '{}', headers })
    expect(sent[0]?.headers).toMatchObject(headers)
    for (const hop of sent.slice(1)) expect(hop.headers).toEqual({ accept: 'text/html', 'content-type': 'text/plain;charset=UTF-8' })
  })

  it('a redirect without a Location header is returned as the response', async () => {
    const { adapter } = setup({
      [`${A}/`]: () => new Response('choose', { status: 302 }),
      [`${A}/304`]: () => new Response(null, { status: 304 }),
    })
    expect(await (await adapter.fetch({ url: A })).text()).toBe('choose')
    expect((await adapter.fetch({ url: `${A}/304` })).status).toBe(304)
  })

  it('a redirect with a target that the platform hides is rejected', async () => {
    const hidden = Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' })
    const { adapter } = setup({ [`${A}/`]: () => hidden })
    await expect(adapter.fetch({ url: A })).rejects.toEqual(code('blocked_origin', { retryable: false }))
  })
})

describe('a timeout or an abort', () => {
  const never = (): Promise<Response> => new Promise(() => {})
  const stalling = (onCancel: () => void, onRead = (): void => {}): Response =>
    new Response(
      new ReadableStream<Uint8Array>({
        start: (stream) => stream.enqueue(new Uint8Array(1)),
        // Called when the first byte has been taken.
        pull: onRead,
        cancel: onCancel,
      }),
    )

  it('a timeout rejects when nothing answers, even if fetch ignores its signal', async () => {
    const { adapter, host, sent } = setup({ [`${A}/`]: never }, { timeoutMs: 1000 })
    const failed = adapter.fetch({ url: A }).catch((error) => error)
    while (sent.length === 0) await host.yield()
    await host.advance(999)
    expect(sent[0]?.init.signal?.aborted).toBe(false)
    await host.advance(1)
    expect(await failed).toEqual(code('network', { retryable: true, cause: expect.objectContaining({ name: 'TimeoutError' }) }))
    expect(sent[0]?.init.signal?.aborted).toBe(true)
  })

  it('a timeout rejects in the middle of a body and cancels the body', async () => {
    let [cancelled, reading] = [false, false]
    const answer = (): Response =>
      stalling(
        () => (cancelled = true),
        () => (reading = true),
      )
    const { adapter, host } = setup({ [`${A}/`]: answer }, { timeoutMs: 1000 })
    const failed = adapter.fetch({ url: A }).catch((error) => error)
    while (!reading) await host.yield()
    await host.advance(1000)
    expect(await failed).toEqual(code('network', { retryable: true }))
    expect(cancelled).toBe(true)
  })

  it('the timeout covers all redirects together', async () => {
    const slow = setup({ [`${A}/`]: () => slow.host.sleep(600).then(to('/')) }, { timeoutMs: 1000 })
    const failed = slow.adapter.fetch({ url: A }).catch((error) => error)
    // Waits for the timeout and the first answer, and then for the second answer, which comes too late.
    while (slow.host.sleeping < 2) await slow.host.yield()
    await slow.host.advance(600)
    while (slow.host.sleeping < 2) await slow.host.yield()
    await slow.host.advance(400)
    expect(await failed).toEqual(code('network', { retryable: true }))
    expect(slow.sent.length).toBe(2)
  })

  it('an abort rejects with the reason of the signal', async () => {
    for (const answer of [never, () => stalling(() => {})]) {
      const { adapter, host } = setup({ [`${A}/`]: answer })
      const controller = new AbortController()
      const failed = adapter.fetch({ url: A, signal: controller.signal }).catch((error) => error)
      await host.yield()
      controller.abort(new Error('enough'))
      expect(await failed).toEqual(new Error('enough'))
      expect(host.sleeping).toBe(0)
    }
  })

  it('a signal that is already aborted rejects before any request', async () => {
    const { adapter, sent } = setup({})
    await expect(adapter.fetch({ url: A, signal: AbortSignal.abort('off') })).rejects.toBe('off')
    expect(sent).toEqual([])
  })

  it('no timer is left after a response', async () => {
    const { adapter, host } = setup({ [`${A}/`]: ok })
    await adapter.fetch({ url: A })
    expect(host.sleeping).toBe(0)
  })

  it('a failed connection is a network error whose message omits the query', async () => {
    const { adapter } = setup({})
    const error = await adapter.fetch({ url: `${A}/x?key=secret` }).catch((thrown) => thrown)
    expect(error).toEqual(code('network', { retryable: true, message: 'Cannot fetch "https://a.test/x": the connection failed' }))
  })
})
