// @module-tag playground
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { service } from '../service.js'
import { launch } from './launch.js'
import { opened } from './opened.js'

const TYPES: Readonly<Record<string, string>> = {
  '': 'text/html',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
}

let folder: string
let server: Server
let origin: string
let browser: Browser
let context: BrowserContext

beforeAll(async () => {
  folder = (await service('page')).folder
  server = cleanHost()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  browser = await launch()
})

afterAll(async () => {
  await browser?.close()
  server?.close()
})

beforeEach(async () => {
  context = await browser.newContext()
})

afterEach(async () => {
  await context?.close()
})

/** A host with clean addresses, as many of those for static files are: `x.html` is moved to `x` for good, `index.html` to its folder. */
function cleanHost(): Server {
  return createServer(async ({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://files')
    if (pathname.endsWith('.html')) {
      response.writeHead(308, { location: pathname.replace(/(index)?\.html$/, '') }).end()
      return
    }
    const [, build = '', name = ''] = /^(\/v\d\/(?:next\/)?)(.*)$/.exec(pathname) ?? []
    const body = await readFile(join(folder, nameOf(name))).catch(() => undefined)
    response.writeHead(body ? 200 : 404, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream' })
    response.end(name === 'offline-worker.js' ? ofBuild(String(body), build) : body)
  })
}

function nameOf(name: string): string {
  if (name === '') return 'index.html'
  return extname(name) === '' ? `${name}.html` : name
}

/** The worker of another build has another version. */
function ofBuild(worker: string, build: string): string {
  const changed = worker.replace(/[0-9a-f]{16}(?=`)/, (version) => version + build.replaceAll('/', '-'))
  expect(changed).not.toBe(worker)
  return changed
}

/** A page whose service worker has all that it keeps. */
async function keptPage(path: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(origin + path)
  await opened(page)
  const state = (): Promise<string | undefined> =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state)
  await expect.poll(state, { timeout: 120_000 }).toBe('activated')
  return page
}

test('on a host with clean addresses, each page opens under each of its addresses, with a network and without one', async () => {
  const page = await keptPage('/v1/')
  for (const isOffline of [false, true]) {
    await context.setOffline(isOffline)
    for (const name of ['', 'index.html', 'webcontainer.html', 'webcontainer']) {
      await page.goto(`${origin}/v1/${name}`)
      await opened(page)
      expect(await page.title()).toBe(name.startsWith('web') ? 'Toolport playground with WebContainer' : 'Toolport playground')
    }
  }
})

test('builds under other paths of the origin are left what they keep', async () => {
  const first = await keptPage('/v1/')
  await keptPage('/v1/next/')
  await keptPage('/v2/')
  await context.setOffline(true)
  await first.reload()
  await opened(first)
  expect(await first.evaluate(async () => (await caches.keys()).length)).toBe(3)
})
