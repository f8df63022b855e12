// @module-tag preview
// Tests the preview with a service worker on the same site and another origin, because browsers forbid workers in frames of other sites.
// Uses its own browser, because workers and frames of other origins outlive a page that tests share.
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Page } from 'playwright'
import type { LocalServers, Workspace } from 'toolport'
import type { Preview } from 'toolport/preview'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newContext, useBrowser } from '../demo/visit.js'

type Host = typeof globalThis & {
  show(files: Record<string, string>, relay: string, options?: object): Promise<void>
  preview: Preview
  workspace: Workspace
  servers: LocalServers
}

const lib = fileURLToPath(new URL('../../dist/lib/', import.meta.url))
const HOST_CODE = `
import { createPreview } from './preview.js'
import { createLocalServers, createWorkspace } from './index.js'
import { createMemoryFs } from './adapters-memory.js'
globalThis.show = async (files, relay, options) => {
  globalThis.workspace = createWorkspace({ fs: createMemoryFs({ files }) })
  globalThis.servers = createLocalServers()
  globalThis.preview = await createPreview({ workspace, servers, container: document.body, ...(relay && { relay }), pollMs: 50, ...options })
}`

const servers: Server[] = []
let host = ''
let relay = ''
useBrowser(async () => '')

async function serve(answers: Record<string, readonly [string, string]>): Promise<number> {
  const server = createServer((request, response) => {
    const [type, body] = answers[new URL(request.url ?? '/', 'http://x').pathname] ?? ['text/plain', 'not found']
    response.writeHead(200, { 'content-type': type, 'origin-agent-cluster': '?1' }).end(body)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return (server.address() as AddressInfo).port
}

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: HOST_CODE, resolveDir: lib },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
    conditions: ['browser'],
  })
  const script = ['text/javascript', outputFiles[0]?.text ?? ''] as const
  host = `http://app.test.localhost:${await serve({ '/': ['text/html', '<!doctype html><body style="height:400px"><script type="module" src="/host.js"></script>'], '/host.js': script })}/`
  const worker = ['text/javascript', readFileSync(`${lib}preview-worker.js`, 'utf8')] as const
  const page = (name: string): readonly [string, string] => [
    'text/html',
    `<!doctype html><body><script src="${name}" data-parent="${new URL(host).origin}"></script>`,
  ]
  relay = `http://preview.test.localhost:${await serve({ '/relay.html': page('preview-worker.js'), '/preview-worker.js': worker, '/broken.html': page('gone.js') })}/relay.html`
})

afterAll(() => {
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
})

async function show(files: Record<string, string>, address: string = relay, options: object = { hangMs: 60_000 }): Promise<Page> {
  const page = await (await newContext()).newPage()
  await page.goto(host)
  await page.waitForFunction(() => 'show' in globalThis)
  await page.evaluate(([files, relay, options]) => (globalThis as Host).show(files, relay, options), [files, address, options] as const)
  if (address === relay) expect(await page.evaluate(() => (globalThis as Host).preview.fallbackReason)).toBeUndefined()
  return page
}

const find = (page: Page, type: string, part = ''): Promise<unknown> =>
  page.evaluate(
    ([type, part]) =>
      (globalThis as Host).preview
        .read({ limit: 1000 })
        .events.findLast((event) => event.type === type && JSON.stringify(event).includes(part)),
    [type, part] as const,
  )

test('a relay page on another origin serves the site: absolute paths, navigation, errors, reload', async () => {
  const page = await show({
    'index.html':
      '<title>Home</title><link rel="stylesheet" href="/style.css"><p>home</p><a href="/docs/">Docs</a><script type="module" src="/src/main.js"></script>',
    'style.css': 'p { color: rgb(1, 1, 1) }',
    'src/main.js':
      'import "./lib.js"\nconsole.log("storage", typeof localStorage.length)\nfetch("/none.json")\nfetch("/data.json").then((r) => r.json()).then((x) => console.log("data", x.a))',
    'src/lib.js': '\nsetTimeout(() => { throw new Error("late") })',
    'data.json': '{"a":1}',
    'docs/index.html': '<title>Docs</title><h1>Docs page</h1>',
  })
  expect(await page.evaluate(() => (globalThis as Host).preview.kind)).toBe('service-worker')
  await expect.poll(() => find(page, 'loaded')).toMatchObject({ title: 'Home' })
  await expect
    .poll(() => find(page, 'console', 'data'))
    .toMatchObject({ text: 'data 1', position: { path: '/workspace/src/main.js', line: 4 } })
  await expect
    .poll(() => find(page, 'error'))
    .toMatchObject({ message: 'Uncaught Error: late', position: { path: '/workspace/src/lib.js', line: 2 } })
  await expect.poll(() => find(page, 'request_failed', 'none.json')).toMatchObject({ status: 404 })
  await page.evaluate(() => (globalThis as Host).workspace.writeText('style.css', 'p { color: rgb(2, 2, 2) }'))
  await expect.poll(() => find(page, 'changed')).toMatchObject({ update: 'styles' })
  const frame = page.frameLocator('iframe').frameLocator('iframe')
  await frame.getByText('Docs').click()
  await frame.getByText('Docs page').waitFor()
  expect(await page.evaluate(() => (globalThis as Host).preview.snapshot())).toMatchObject({ title: 'Docs', text: 'Docs page' })
  await page.evaluate(() => (globalThis as Host).workspace.writeText('docs/index.html', '<h1>New page</h1>'))
  await frame.getByText('New page').waitFor()
})

test('a hostile app reaches nothing of the embedding page', async () => {
  const attacks: Record<string, string> = {
    host: 'top.document.body.innerHTML',
    storage: 'top.localStorage.length',
    navigate: `top.location.href = "${host}stolen"`,
    popup: '(() => { if (open("about:blank") === null) throw new Error("no popup") })()',
    network: `await fetch(${JSON.stringify(host)}, { mode: "no-cors" })`,
    'network of the relay page': `await parent.fetch(${JSON.stringify(host)}, { mode: "no-cors" })`,
    'code in the relay page': `parent.eval('1')`,
    'network of another frame': `await new Promise((resolve, reject) => { const f = document.createElement('iframe'); f.referrerPolicy = 'no-referrer'; f.src = '/relay.html'; f.onload = () => f.contentWindow.fetch(${JSON.stringify(host)}, { mode: 'no-cors' }).then(resolve, reject); document.documentElement.append(f) })`,
    dotfile: 'await (async () => { const r = await fetch("/.env"); if (!r.ok) throw new Error("refused"); return r.text() })()',
  }
  const code = Object.entries(attacks).map(
    ([name, attack]) =>
      `try { result[${JSON.stringify(name)}] = 'GOT ' + (${attack}) } catch (error) { result[${JSON.stringify(name)}] = 'refused' }`,
  )
  const page = await show({
    'index.html': '<script type="module" src="attack.js"></script>',
    'attack.js': `const result = {}\n${code.join('\n')}\nconsole.log(JSON.stringify(result))`,
    '.env': 'SECRET',
  })
  await expect
    .poll(() => find(page, 'console', 'host'))
    .toMatchObject({ text: JSON.stringify(Object.fromEntries(Object.keys(attacks).map((name) => [name, 'refused']))) })
  expect(page.url()).toBe(host)
})

test('a page that leaves the preview is stopped, and the preview opens again', async () => {
  const page = await show({ 'index.html': `<script>location.href = "${host}stolen"</script>` })
  await expect.poll(() => find(page, 'stopped')).toMatchObject({ reason: 'left' })
  await page.evaluate(async () => {
    const { workspace, preview } = globalThis as Host
    await workspace.writeText('index.html', '<title>mended</title>')
    await preview.reload()
  })
  await expect.poll(() => find(page, 'loaded', 'mended')).toBeTruthy()
})

test('an endless loop leaves the embedding page usable, and the preview opens again', async () => {
  const page = await show(
    { 'index.html': '<script>addEventListener("load", () => setTimeout(() => { while (true); }, 100))</script>' },
    relay,
    { hangMs: 1000 },
  )
  await expect.poll(() => find(page, 'stopped')).toMatchObject({ reason: 'unresponsive' })
  await page.evaluate(async () => {
    const { workspace, preview } = globalThis as Host
    await workspace.writeText('index.html', '<title>mended</title>')
    await preview.reload()
  })
  await expect.poll(() => find(page, 'loaded', 'mended')).toBeTruthy()
})

test('an endless response is cancelled when its page closes, and later requests do not reach the next program', async () => {
  const page = await show({ 'index.html': '<title>Home</title>' })
  const seen = await page.evaluateHandle(async () => {
    const { servers, preview } = globalThis as Host
    const seen: string[] = []
    const html = (text: string) => new Response(text, { headers: { 'content-type': 'text/html' } })
    const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    const pull = async (to: ReadableStreamDefaultController) => {
      await sleep(5)
      to.enqueue(new Uint8Array(1))
    }
    servers.listen({
      port: 3000,
      async handle({ url }) {
        const { pathname } = new URL(url)
        if (pathname === '/endless') return new Response(new ReadableStream({ pull, cancel: () => void seen.push('cancelled') }))
        if (pathname === '/events') {
          const start = (to: ReadableStreamDefaultController) => to.enqueue(new TextEncoder().encode('data: sent\n\n'))
          return new Response(new ReadableStream({ start, cancel: () => void seen.push('closed') }), {
            headers: { 'content-type': 'text/event-stream' },
          })
        }
        if (pathname === '/')
          return html(
            '<title>One</title><a href="/next">Next</a><script>fetch("/endless"); new EventSource("/events").onmessage = ({ data }) => console.log("event", data)</script>',
          )
        if (pathname === '/next')
          return html('<title>Next</title><script>fetch("/endless"); setInterval(() => fetch("/ping", { method: "POST" }), 5)</script>')
        return new Response('pong')
      },
    })
    servers.listen({
      port: 3001,
      async handle({ method, url }) {
        seen.push(`${method} ${new URL(url).pathname}`)
        await sleep(300)
        return html('<title>Two</title>')
      },
    })
    await preview.open('http://localhost:3000/')
    return seen
  })
  await expect.poll(() => find(page, 'console', 'event sent')).toBeTruthy()
  await page.frameLocator('iframe').frameLocator('iframe').getByText('Next').click()
  await expect.poll(() => find(page, 'loaded', 'Next')).toBeTruthy()
  await expect.poll(async () => (await seen.jsonValue()).sort()).toEqual(['cancelled', 'closed'])
  await page.evaluate(() => (globalThis as Host).preview.open('http://localhost:3001/'))
  await expect.poll(() => find(page, 'loaded', 'Two')).toBeTruthy()
  expect((await seen.jsonValue()).sort()).toEqual(['GET /', 'cancelled', 'cancelled', 'closed'])
})

test('the preview without a service worker falls back to a frame without an origin', async () => {
  const page = await show({ 'index.html': '<p>shown</p>' }, relay.replace('relay.html', 'broken.html'), { relayTimeoutMs: 500 })
  expect(await page.evaluate(() => [(globalThis as Host).preview.kind, (globalThis as Host).preview.fallbackReason])).toEqual([
    'sandbox',
    expect.stringContaining('did not answer'),
  ])
  await page.frameLocator('iframe').getByText('shown').waitFor()
})
