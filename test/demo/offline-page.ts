import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { service } from '../service.js'
import { launch } from './launch.js'
import { opened } from './opened.js'

export const TYPES: Readonly<Record<string, string>> = {
  '': 'text/html',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
}

export let folder: string

export let server: Server

export let origin: string

export let browser: Browser

export let context: BrowserContext

/** A static file server with clean URLs, as many hosts have: redirects (308) `x.html` to `x`, and `index.html` to its folder. */
export function cleanHost(): Server {
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

export function nameOf(name: string): string {
  if (name === '') return 'index.html'
  return extname(name) === '' ? `${name}.html` : name
}

/** The service worker of another build: the same code with another version. */
export function ofBuild(worker: string, build: string): string {
  const changed = worker.replace(/[0-9a-f]{16}(?=`)/, (version) => version + build.replaceAll('/', '-'))
  expect(changed).not.toBe(worker)
  return changed
}

/** Opens a page and waits until its service worker has cached all its files. */
export async function keptPage(path: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(origin + path)
  await opened(page)
  const state = (): Promise<string | undefined> =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state)
  await expect.poll(state).toBe('activated')
  return page
}

/** Registers hooks that start a server and a browser for the file's tests, and open a browser context for each test. */
export function useOfflinePage(): void {
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
}
