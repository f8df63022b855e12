// @module-tag shell-worker
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build as esbuild } from 'esbuild'
import { type Browser, chromium, type Page } from 'playwright'
import { preview, build as viteBuild } from 'vite'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { findChromium } from '../../scripts/chromium.mjs'

// Tests the built package, imported by its name, in a page that a bundler has built.

const root = fileURLToPath(new URL('../../', import.meta.url))

const APP = `
import { createWorkspace } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createBrowserRuntime } from 'toolport/browser'

globalThis.run = async (command) => {
  const tools = createBrowserRuntime({ storage: 'memory', files: { 'a.txt': 'one' } })
  const { stdout } = await tools.call('bash', { command })
  await tools.dispose()
  return stdout
}
globalThis.hosted = async () => {
  const shell = createJustBashShell({ scratch: createMemoryFs(), worker: 'auto' })(createWorkspace({ fs: createMemoryFs() }))
  await shell.open()
  const { hardKill } = shell.can
  await shell.close()
  return hardKill
}
globalThis.refused = async () => {
  const shell = createJustBashShell({ scratch: createMemoryFs(), worker: true })(createWorkspace({ fs: createMemoryFs() }))
  return shell.exec('true').catch((error) => error.message)
}
`
const PAGE = '<!doctype html><script type="module" src="./app.js"></script>'

let browser: Browser

beforeAll(async () => {
  const executablePath = await findChromium()
  browser = await chromium.launch({ timeout: 0, ...(executablePath !== undefined && { executablePath }) })
})
afterAll(() => browser.close())

async function appFolder(): Promise<string> {
  await mkdir(`${root}.cache`, { recursive: true })
  const folder = await mkdtemp(`${root}.cache/shell-bundled-`)
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(`${folder}/index.html`, PAGE)
  await writeFile(`${folder}/app.js`, APP)
  return folder
}

async function open(url: string): Promise<Page> {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  // The test's own timeout is long enough for a slow machine.
  page.setDefaultTimeout(0)
  await page.goto(url)
  await page.waitForFunction('globalThis.run')
  return page
}

/** Bundles the app with esbuild, which does not change the worker's URL, and serves `worker` at that URL. */
async function served(worker: { readonly status: number; readonly body: string }, headers: OutgoingHttpHeaders = {}): Promise<Page> {
  const folder = await appFolder()
  const { outputFiles } = await esbuild({
    entryPoints: [`${folder}/app.js`],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  })
  const app = outputFiles[0]?.text ?? ''
  const server = createServer((request, response) => {
    if (request.url === '/') response.writeHead(200, { ...headers, 'Content-Type': 'text/html' }).end(PAGE)
    else if (request.url === '/app.js') response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(app)
    else response.writeHead(worker.status, { 'Content-Type': 'text/html' }).end(worker.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
}

it('the shell runs in a worker in a page built by Vite', async () => {
  const folder = await appFolder()
  await viteBuild({ configFile: false, root: folder, logLevel: 'silent', build: { outDir: `${folder}/dist` } })
  const server = await preview({ configFile: false, root: folder, logLevel: 'silent', preview: { port: 0 } })
  onTestFinished(() => server.close())
  const page = await open(server.resolvedUrls?.local[0] ?? '')
  expect(await page.evaluate('hosted()')).toBe(true)
  expect(await page.evaluate('run("cat a.txt | tr a-z A-Z")')).toBe('ONE')
})

it.each([
  ['a 404 response is', { status: 404, body: 'not found' }],
  ['the page itself is', { status: 200, body: PAGE }],
])('the shell runs in the page where %s at the address of the worker', async (_, worker) => {
  const page = await served(worker)
  expect(await page.evaluate('run("cat a.txt | tr a-z A-Z")')).toBe('ONE')
  expect(await page.evaluate('hosted()')).toBe(false)
  expect(await page.evaluate('refused()')).toContain('pass "worker"')
})

it('the shell runs in the page if the Content-Security-Policy forbids workers', async () => {
  const page = await served({ status: 404, body: '' }, { 'Content-Security-Policy': "worker-src 'none'" })
  expect(await page.evaluate('run("cat a.txt | tr a-z A-Z")')).toBe('ONE')
  expect(await page.evaluate('hosted()')).toBe(false)
})
