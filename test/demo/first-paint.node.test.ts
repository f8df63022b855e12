// @module-tag playground
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { service } from '../service.js'
import { launch } from './launch.js'

const KIB = 1024
const FIRST_PAINT = 120 * KIB
/** The page must also work in a subfolder of a static site. */
const BASE = '/some/where/playground/'
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
}
/** Name of a part that must load on demand -> text that only its code contains. */
const LATE = {
  'the editor': /cm-content/,
  'the terminal': /xterm-helper-textarea/,
  'the shell': /C\.UTF-8/,
  'the JavaScript engine': /QTS_NewRuntime|newQuickJSWASMModule/,
}

let folder: string
let server: Server
let browser: Browser

beforeAll(async () => {
  ;({ folder } = await service('page'))
  server = createServer(async ({ url = '' }, response) => {
    const path = new URL(url, 'http://files').pathname
    const name = path.slice(BASE.length) || 'index.html'
    const body = path.startsWith(BASE) ? await readFile(join(folder, name)).catch(() => undefined) : undefined
    response.writeHead(body ? 200 : 404, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream' })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  browser = await launch()
}, 180_000)

afterAll(async () => {
  await browser?.close()
  server?.close()
})

interface Opened {
  readonly page: Page
  /** Names of the requested scripts, in order. */
  readonly scripts: string[]
  readonly complaints: string[]
}

async function openPage(prepare: (page: Page) => Promise<unknown> = async () => undefined): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width: 1300, height: 850 } })
  const [scripts, complaints]: [string[], string[]] = [[], []]
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    const name = new URL(request.url()).pathname.slice(BASE.length)
    if (name.endsWith('.js')) scripts.push(name)
  })
  await prepare(page)
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}${BASE}`)
  return { page, scripts, complaints }
}

test('the page is painted with at most 120 KiB of script, before the initial files are loaded', async () => {
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const { page, scripts, complaints } = await openPage((one) =>
    one.route(/\/seed-[^/]*\.js$/, async (route) => {
      await released
      await route.continue()
    }),
  )
  await page.getByText('opening…').waitFor()
  const [samples, first] = [scripts.filter((name) => name.includes('/seed-')), scripts.filter((name) => !name.includes('/seed-'))]
  expect(samples).toHaveLength(1)
  expect(await page.locator('.panes').isVisible()).toBe(true)
  const bodies = await Promise.all(first.map((name) => readFile(join(folder, name))))
  const bytes = bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0)
  expect(bytes).toBeLessThanOrEqual(FIRST_PAINT)
  expect(bytes).toBeGreaterThan(50 * KIB)
  const text = bodies.join('\n')
  for (const [part, mark] of Object.entries(LATE)) expect(mark.test(text) && part).toBe(false)

  release()
  await page.getByRole('treeitem', { name: 'README.md' }).waitFor()
  expect(complaints).toEqual([])
  await page.close()
})

test('each part of a page under any path loads when it is first needed', async () => {
  const { page, scripts, complaints } = await openPage()
  await page.getByRole('treeitem', { name: 'README.md' }).waitFor()
  const loaded = async (part: keyof typeof LATE): Promise<boolean> => {
    const bodies = await Promise.all([...new Set(scripts)].map((name) => readFile(join(folder, name), 'utf8')))
    return bodies.some((body) => LATE[part].test(body))
  }
  expect(await loaded('the terminal')).toBe(false)
  expect(await loaded('the shell')).toBe(false)
  expect(await loaded('the JavaScript engine')).toBe(false)

  await page.getByRole('button', { name: 'Terminal' }).click()
  const screen = page.locator('.xterm-rows')
  await screen.getByText('workspace $').waitFor()
  expect(await loaded('the terminal')).toBe(true)
  await page.keyboard.type('node -p "6 * 8"')
  await page.keyboard.press('Enter')
  await screen.locator('> div', { hasText: /^48$/ }).waitFor()
  expect(await loaded('the shell')).toBe(true)
  expect(await loaded('the JavaScript engine')).toBe(true)

  await page.getByRole('tab', { name: 'Tools', exact: true }).click()
  await page.getByRole('form', { name: 'Call a tool' }).waitFor()
  expect(complaints.filter((text) => !text.includes('registry'))).toEqual([])
  await page.close()
})
