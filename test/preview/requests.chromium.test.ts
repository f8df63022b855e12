// @module-tag preview
// Tests the requests of a page, which programs of the test answer.
import { createLocalServers } from 'toolport'
import type { PreviewEvent } from 'toolport/preview'
import { afterEach, expect, test } from 'vitest'
import { PageRequests } from '../../src/entries/preview/page-requests.js'
import { SANDBOX_BASE } from '../../src/entries/preview/sandbox-way.js'
import { closeShown, logged, type Shown, show } from './show-support.js'

afterEach(closeShown)

const html = (text: string): Response => new Response(text, { headers: { 'content-type': 'text/html' } })
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Shows `/` of a program on port 3000. Another program is on port 3001. */
async function showProgram(handle: (path: string, request: Request) => Promise<Response>, other = handle): Promise<Shown> {
  const servers = createLocalServers()
  const answer = (by: typeof handle) => (request: Request) => by(new URL(request.url).pathname, request)
  servers.listen({ port: 3000, handle: answer(handle) })
  servers.listen({ port: 3001, handle: answer(other) })
  return show({ 'index.html': '<title>Workspace</title>' }, { servers, path: 'http://localhost:3000/', pollMs: 0 })
}

/** A response that never ends. */
function endless(onCancel: () => void = () => {}, chunk = new Uint8Array(1)): Response {
  const pull = async (to: ReadableStreamDefaultController): Promise<void> => {
    await sleep(1)
    to.enqueue(chunk)
  }
  return new Response(new ReadableStream({ pull, cancel: onCancel }))
}

const isTooLarge = ({ reason }: PreviewEvent & { type: 'request_failed' }): boolean => reason.includes('too large')

test('a page has at most 32 concurrent requests, and the others wait', async () => {
  let running = 0
  let most = 0
  const { seen } = await showProgram(async (path) => {
    if (path === '/')
      return html(
        '<script>Promise.all(Array.from({ length: 200 }, () => fetch("/slow"))).then((all) => console.log("all", all.length))</script>',
      )
    most = Math.max(most, ++running)
    await sleep(20)
    running--
    return new Response('slow')
  })
  await seen('console', logged('all 200'))
  expect(most).toBe(32)
})

test('a too large response is rejected in the frame and logged', async () => {
  let cancelled = 0
  const huge = () => endless(() => cancelled++, new Uint8Array(4 * 1024 * 1024))
  const { preview, seen } = await showProgram(async (path) => {
    if (path === '/huge') return huge()
    if (path === '/page') return new Response(huge().body, { headers: { 'content-type': 'text/html' } })
    if (path === '/images') return html('<title>Images</title><img src="/huge">')
    return html('<script>fetch("/huge").then(async (r) => console.log("fetched", r.status, await r.text()))</script>')
  })
  const { text } = await seen('console', logged('fetched 413'))
  expect(text).toContain('Cannot load "http://preview.invalid/huge": it is too large.')
  expect(await seen('request_failed', isTooLarge)).toMatchObject({ method: 'GET', url: 'http://preview.invalid/huge', status: 413 })
  for (const path of ['/page', '/images']) {
    await preview.open(`http://localhost:3000${path}`)
    await expect.poll(async () => (await preview.snapshot().catch(() => undefined))?.text).toContain('it is too large')
    await seen('request_failed', (event) => isTooLarge(event) && event.url.endsWith(path))
  }
  expect(cancelled).toBe(3)
})

test('a page with too large files, and a too large file, are rejected', async () => {
  const large = new Uint8Array(33 * 1024 * 1024)
  const { preview, workspace, seen } = await show(
    { 'index.html': '<img src="a.png"><img src="b.png">', 'a.png': large, 'b.png': large, 'c.png': new Uint8Array(65 * 1024 * 1024) },
    { pollMs: 0 },
  )
  await seen('request_failed', isTooLarge)
  await expect.poll(async () => (await preview.snapshot().catch(() => undefined))?.text).toContain('it is too large')
  await workspace.writeText('index.html', '<script>fetch("c.png").then((r) => console.log("fetched", r.status))</script>')
  await preview.reload()
  await seen('console', logged('fetched 413'))
  await seen('request_failed', (event) => isTooLarge(event) && event.status === 413)
})

test('an endless response is cancelled when its page navigates, reloads or closes', async () => {
  let asked = 0
  let cancelled = 0
  const { preview, seen } = await showProgram(async (path) => {
    if (path === '/endless') {
      asked++
      return endless(() => cancelled++)
    }
    return html(`<title>${path}</title><a href="/next">Next</a><script>
      fetch("/endless")
      ${path === '/' ? 'setTimeout(() => document.querySelector("a").click(), 200)' : ''}
    </script>`)
  })
  await seen('loaded', ({ title }) => title === '/next')
  await expect.poll(() => [asked, cancelled]).toEqual([2, 1])
  await preview.reload()
  await expect.poll(() => [asked, cancelled]).toEqual([3, 2])
  preview.dispose()
  await expect.poll(() => cancelled).toBe(3)
})

test('at most 2,000 requests wait, and more get status 503', async () => {
  let go = (): void => {}
  const started = new Promise<void>((resolve) => {
    go = resolve
  })
  // Sends the requests in three parts, because the preview stops a page that sends 2,000 messages within a second.
  const { seen } = await showProgram(async (path) => {
    if (path === '/')
      return html(`<script type="module">
        const answers = []
        for (let part = 0; part < 3; part++) {
          answers.push(...Array.from({ length: 700 }, () => fetch('/stalled')))
          await new Promise((resolve) => setTimeout(resolve, 1100))
        }
        console.log('sent')
        const all = await Promise.all(answers)
        const refused = all.filter(({ status }) => status === 503)
        console.log('answered', all.filter(({ ok }) => ok).length, 'refused', refused.length, await refused[0].text())
        const asked = await fetch('/quick')
        console.log('after that', asked.status)
      </script>`)
    if (path === '/quick') return new Response('quick')
    await started
    return new Response('done')
  })
  await seen('console', logged('sent'))
  go()
  await seen('console', logged('after that 200'))
  await seen('console', logged('answered 2032 refused 68 Cannot answer: 2000 other requests wait. Send fewer at once.'))
})

// Uses no frame, because a browser takes seconds to copy such bodies to a frame.
test('requests above 64 MiB, alone or together, are rejected', async () => {
  const reasons: unknown[] = []
  const handle = async ({ url, body, signal }: Request): Promise<Response> => {
    if (url.endsWith('/size')) return new Response(String((await new Response(body).arrayBuffer()).byteLength))
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }
  const requests = new PageRequests(SANDBOX_BASE, { handle, record: (report) => reasons.push(report) }, () => undefined)
  const post = async (path: string, MiB: number, { signal } = new AbortController()): Promise<string> => {
    const value = { url: SANDBOX_BASE + path, method: 'POST', headers: [], body: new ArrayBuffer(MiB * 1024 * 1024) }
    const answer = await requests.answer(value, { program: undefined, signal }, {})
    return `${answer.status} ${await new Response(answer.body).text()}`
  }
  expect(await post('a'.repeat(16 * 1024), 0)).toBe('400 ')
  expect(await post('size', 65)).toBe('413 Cannot send the request: it is larger than 64 MiB. Send less at once.')
  expect(reasons).toMatchObject([{ type: 'request_failed', method: 'POST', status: 413 }])
  const ended = new AbortController()
  const held = [post('held', 30, ended), post('held', 30, ended)]
  expect(await post('size', 5)).toBe(
    '503 Cannot answer: the requests that run or wait are larger than 64 MiB together. Send fewer at once.',
  )
  expect(await post('size', 3)).toBe(`200 ${3 * 1024 * 1024}`)
  ended.abort()
  await Promise.all(held)
  expect(await post('size', 63)).toBe(`200 ${63 * 1024 * 1024}`)
})

test('an aborted request, running or waiting, frees its slot even if the program ignores the abort', async () => {
  const signals: AbortSignal[] = []
  const { seen, events } = await showProgram(async (path, { signal }) => {
    if (path === '/')
      return html(`<script type="module">
        const ended = new AbortController()
        const stalled = Array.from({ length: 40 }, () => fetch('/stalled', { signal: ended.signal }).catch(({ name }) => name))
        setTimeout(() => ended.abort(), 100)
        console.log('stalled', [...new Set(await Promise.all(stalled))].join())
        const late = await fetch('/late', { signal: ended.signal }).catch(({ name }) => name)
        console.log(late, (await fetch('/quick')).status)
      </script>`)
    if (path === '/quick') return new Response('quick')
    signals.push(signal)
    return new Promise(() => {})
  })
  await seen('console', logged('AbortError 200'))
  expect(signals.length).toBeGreaterThanOrEqual(32)
  expect(signals.every(({ aborted }) => aborted)).toBe(true)
  expect(events().filter(({ type }) => type === 'request_failed')).toEqual([])
  await seen('console', logged('stalled AbortError'))
})

test('an aborted or late XMLHttpRequest, a closed EventSource and an aborted stream end their requests', async () => {
  const ended: string[] = []
  const { seen, events } = await showProgram(async (path, { signal }) => {
    if (path === '/')
      return html(`<script type="module">
        const xhr = new XMLHttpRequest()
        for (const type of ['load', 'error', 'abort', 'loadend']) xhr.addEventListener(type, () => console.log('xhr', type))
        xhr.open('GET', '/xhr')
        xhr.send()
        const late = new XMLHttpRequest()
        for (const type of ['load', 'error', 'timeout', 'loadend']) late.addEventListener(type, () => console.log('late', type))
        late.open('GET', '/late')
        late.timeout = 50
        late.send()
        const source = new EventSource('/source')
        setTimeout(() => { xhr.abort(); source.close() }, 100)
        const stop = new AbortController()
        const reader = (await fetch('/stream', { signal: stop.signal })).body.getReader()
        await reader.read()
        stop.abort()
        console.log('read', await reader.read().catch(({ name }) => name))
      </script>`)
    if (path === '/stream') {
      const start = (to: ReadableStreamDefaultController) => to.enqueue(new TextEncoder().encode('data: 1\n\n'))
      return new Response(new ReadableStream({ start, cancel: () => void ended.push(path) }), {
        headers: { 'content-type': 'text/event-stream' },
      })
    }
    signal.addEventListener('abort', () => ended.push(path))
    return new Promise(() => {})
  })
  await seen('console', logged('read AbortError'))
  await seen('console', logged('xhr loadend'))
  await expect.poll(() => ended.toSorted()).toEqual(['/late', '/source', '/stream', '/xhr'])
  const texts = events().flatMap((event) => (event.type === 'console' && /^(?:xhr|late)/.test(event.text) ? [event.text] : []))
  expect(texts).toEqual(['late timeout', 'late loadend', 'xhr abort', 'xhr loadend'])
  expect(events().filter(({ type }) => type === 'request_failed')).toEqual([expect.objectContaining({ reason: 'no response' })])
})

test('requests of a page that navigated away do not block the next page', async () => {
  const { seen } = await showProgram(async (path) => {
    if (path === '/')
      return html(`<a href="/next">Next</a><script>
        for (let i = 0; i < 40; i++) fetch('/stalled')
        setTimeout(() => document.querySelector('a').click(), 100)
      </script>`)
    if (path === '/next') return html('<script>fetch("/quick").then(({ status }) => console.log("quick", status))</script>')
    return path === '/quick' ? new Response('quick') : new Promise(() => {})
  })
  await seen('console', logged('quick 200'))
})

test('an endless page is cancelled and does not block the next page', async () => {
  let cancelled = 0
  const { preview, seen } = await showProgram(async (path) =>
    path === '/endless'
      ? new Response(endless(() => cancelled++).body, { headers: { 'content-type': 'text/html' } })
      : html(`<title>${path}</title>`),
  )
  await seen('loaded')
  const opening = preview.open('http://localhost:3000/endless')
  await sleep(50)
  await preview.open('http://localhost:3000/next')
  await opening
  await seen('loaded', ({ title }) => title === '/next')
  expect(cancelled).toBe(1)
})

test('requests of the previous page are rejected while another program opens', async () => {
  const asked: string[] = []
  const { preview, seen, events } = await showProgram(
    async (path) =>
      path === '/'
        ? html(
            '<title>One</title><script>setInterval(async () => console.log("ping", (await fetch("/ping", { method: "POST" })).status), 20)</script>',
          )
        : new Response('pong'),
    async (path, { method }) => {
      asked.push(`${method} ${path}`)
      await sleep(300)
      return html('<title>Two</title>')
    },
  )
  await seen('console', logged('ping 200'))
  await preview.open('http://localhost:3001/')
  await seen('loaded', ({ title }) => title === 'Two')
  expect(asked).toEqual(['GET /'])
  expect(events().some((event) => event.type === 'console' && event.text === 'ping 503')).toBe(true)
  await preview.open('/')
  await seen('loaded', ({ title }) => title === 'Workspace')
})

test('server-sent events reach EventSource and fetch while the program writes them', async () => {
  const asked: (string | null)[] = []
  let cancelled = 0
  const { seen, events } = await showProgram(async (path, { headers }) => {
    if (path === '/')
      return html(`<script type="module">
        const source = new EventSource('/events')
        for (const type of ['open', 'error']) source.addEventListener(type, () => console.log(type, source.readyState))
        source.addEventListener('tick', ({ data, lastEventId }) => console.log('tick', JSON.stringify([data, lastEventId])))
        source.onmessage = ({ data }) => {
          console.log('message', data)
          source.close()
        }
        const reader = (await fetch('/events')).body.getReader()
        console.log('chunk', new TextDecoder().decode((await reader.read()).value))
        await reader.cancel()
        new EventSource('/none').onerror = ({ target }) => console.log('none', target.readyState)
      </script>`)
    if (path !== '/events') return new Response('none', { status: 404 })
    asked.push(headers.get('last-event-id'))
    const isAgain = headers.has('last-event-id')
    const text = isAgain ? ': comment\r\ndata: again\r\n\r\n' : 'retry: 10\nid: 7\nevent: tick\ndata: a\ndata:b\n\n'
    const start = (to: ReadableStreamDefaultController): void => {
      for (const half of [text.slice(0, -3), text.slice(-3)]) to.enqueue(new TextEncoder().encode(half))
      if (!isAgain && headers.get('accept') === 'text/event-stream') to.close()
    }
    return new Response(new ReadableStream({ start, cancel: () => void cancelled++ }), { headers: { 'content-type': 'text/event-stream' } })
  })
  await seen('console', logged('message again'))
  await seen('console', logged('none 2'))
  await seen('request_failed', ({ url }) => url.endsWith('/none'))
  await expect.poll(() => cancelled).toBe(2)
  expect(asked.filter((id) => id !== null)).toEqual(['7'])
  const texts = events().flatMap((event) => (event.type === 'console' ? [event.text] : []))
  expect(texts.filter((text) => !/^(?:chunk|none)/.test(text))).toEqual([
    'open 1',
    'tick ["a\\nb","7"]',
    'error 0',
    'open 1',
    'message again',
  ])
  expect(texts.find((text) => text.startsWith('chunk'))).toContain('chunk retry: 10')
})
